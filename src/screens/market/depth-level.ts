/** Converts an order book to bars: five levels a side, sized relative to the largest level; and the day's volume by side. */
import { grouped } from "#contract/kernel/money.ts";
import type { Depth } from "#contract/quote.ts";

export const SIDES = ["bids", "asks"] as const;
export type Side = (typeof SIDES)[number];

export interface Level {
  /** In ten-thousandths; 0 where the book has fewer levels. */
  price: number;
  lots: number;
  /** Lots relative to the largest level of the book, 0 to 1. */
  part: number;
}

const FIVE = 5;

/** The five levels of a side, best first, padded with empty ones. */
export function levelsOf(book: Pick<Depth, Side>, side: Side): Level[] {
  const most = Math.max(1, ...book.bids.map(([, lots]) => lots), ...book.asks.map(([, lots]) => lots));
  return Array.from({ length: FIVE }, (_, place) => {
    const [price, lots] = book[side][place] ?? [0, 0];
    return { price, lots, part: lots / most };
  });
}

/** The day's lots traded at the bid and at the ask, as text, and the fraction at the bid. */
export interface Flow {
  /** `12,345 (45%)`; `--` before the first trade. */
  atBid: string;
  atAsk: string;
  /** The fraction traded at the bid, 0 to 1; null before the first trade. */
  part: number | null;
}

/** The day's flow; the two percentages add up to one hundred. */
export function flowOf({ atBid, atAsk }: Pick<Depth, "atBid" | "atAsk">): Flow {
  const all = atBid + atAsk;
  if (all === 0) return { atBid: "--", atAsk: "--", part: null };
  const percent = Math.round((atBid * 100) / all);
  const text = (lots: number, of: number): string => `${grouped(String(lots))} (${of}%)`;
  return { atBid: text(atBid, percent), atAsk: text(atAsk, 100 - percent), part: atBid / all };
}
