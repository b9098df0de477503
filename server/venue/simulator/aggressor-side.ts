/** Infers the aggressor side of a trade: the side of the book it traded against. */
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import type { AggressorSide } from "#server/venue/market-data/trade-tape.ts";

/** The random bits behind one state of an instrument's book, from which the book around the last price is drawn. */
export const bookBits = (key: Key, book: number): number => key.draw(PURPOSE.bookFace, book);

/** Whether a book shows the last price as its best ask; otherwise as its best bid. */
export const showsAsk = (bits: number): boolean => (bits & 1) === 0;

/**
 * The aggressor side of a trade, from the price before it and the book around that price. A higher price traded at the ask, a lower
 * one at the bid; at the same price the side that showed it, and at a price limit only one side is possible.
 */
export function sideOf(price: number, before: number, limits: { up: number; down: number }, bits: number): AggressorSide {
  if (price !== before) return price > before ? 1 : -1;
  if (price >= limits.up) return -1;
  if (price <= limits.down) return 1;
  return showsAsk(bits) ? 1 : -1;
}
