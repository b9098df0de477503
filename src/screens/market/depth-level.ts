/** The levels of a book as bars: each side filled up to five, sizes against the largest on either side. */
import type { Depth } from "#contract/quote.ts";

export const SIDES = ["bids", "asks"] as const;
export type Side = (typeof SIDES)[number];

export interface Level {
  /** In ten-thousandths; 0 where the book is thin. */
  price: number;
  lots: number;
  /** Lots against the largest level of the book, 0 to 1. */
  part: number;
}

const FIVE = 5;

/** Five levels of a side, best first. */
export function levelsOf(book: Pick<Depth, Side>, side: Side): Level[] {
  const most = Math.max(1, ...book.bids.map(([, lots]) => lots), ...book.asks.map(([, lots]) => lots));
  return Array.from({ length: FIVE }, (_, place) => {
    const [price, lots] = book[side][place] ?? [0, 0];
    return { price, lots, part: lots / most };
  });
}
