/** Who began a trade: the side of the book it was made against. */
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import type { Side } from "#server/venue/market-data/trade-tape.ts";

/** The number behind one state of an instrument's book, from which the book around the last price is drawn. */
export const faceOf = (key: Key, book: number): number => key.draw(PURPOSE.bookFace, book);

/** Whether a book shows the last price as its best ask; else as its best bid. */
export const showsAsk = (face: number): boolean => (face & 1) === 0;

/**
 * Who began a trade, from the price before it and the book that stood around that price. A higher price was the sellers', a lower one
 * the buyers'; at the same price it was whichever side showed it, and at a limit only one side can.
 */
export function sideOf(price: number, before: number, limits: { up: number; down: number }, face: number): Side {
  if (price !== before) return price > before ? 1 : -1;
  if (price >= limits.up) return -1;
  if (price <= limits.down) return 1;
  return showsAsk(face) ? 1 : -1;
}
