/** The tape (time and sales): an instrument's individual trades. */
import * as z from "zod/mini";

/**
 * Fields of a trade in wire order: `n` counts the instrument's trades of the day from 1 without gaps; price in ten-thousandths;
 * `side` is the aggressor: 1 for a buyer (trade at the ask), -1 for a seller (trade at the bid), 0 in an auction.
 */
export const TAPE_FIELDS = ["n", "at", "price", "lots", "side"] as const;
export const TAPE_STRIDE = TAPE_FIELDS.length;
export type Trade = Record<(typeof TAPE_FIELDS)[number], number>;

/** Reads the trade that starts at `from` in a flat list. */
export function tradeAt(flat: ArrayLike<number>, from: number): Trade {
  const at = (field: number): number => flat[from + field] ?? 0;
  return { n: at(0), at: at(1), price: at(2), lots: at(3), side: at(4) };
}

/** Trades of one row, flat TAPE_FIELDS, oldest first. */
export const TradeBatch = z.object({ row: z.int(), trades: z.array(z.int()) });
export type TradeBatch = z.infer<typeof TradeBatch>;

/** Maximum number of trades per message, and of trades a venue stores per instrument. */
export const MAX_TRADES = 100;
