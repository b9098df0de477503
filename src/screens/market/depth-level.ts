/** A book as bars: each side filled up to five, sizes against the largest on either side; and which side the day traded at. */
import { grouped } from "#contract/kernel/money.ts";
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

/** The day's lots by the side they were traded at, as texts, and the buyers' part of them. */
export interface Flow {
  /** `12,345 (45%)`; `--` before the first trade. */
  atBid: string;
  atAsk: string;
  /** Traded at the buyers' price, 0 to 1; null before the first trade. */
  part: number | null;
}

/** The day's flow; the two percentages are one hundred together. */
export function flowOf({ atBid, atAsk }: Pick<Depth, "atBid" | "atAsk">): Flow {
  const all = atBid + atAsk;
  if (all === 0) return { atBid: "--", atAsk: "--", part: null };
  const percent = Math.round((atBid * 100) / all);
  const text = (lots: number, of: number): string => `${grouped(String(lots))} (${of}%)`;
  return { atBid: text(atBid, percent), atAsk: text(atAsk, 100 - percent), part: atBid / all };
}
