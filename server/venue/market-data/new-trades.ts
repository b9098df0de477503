/** Reads a row's tape in order, each trade once. */
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { TradeBatch } from "#contract/tape.ts";
import type { Venue } from "#server/venue/venue.ts";

/**
 * Returns a function that reads the trades since its last call: the newest trades at first, even if there are none, and null when there
 * are no new ones later. Trade numbers restart each day.
 */
export function readNewTrades(venue: Pick<Venue, "publicTape">, row: number): () => TradeBatch | null {
  /** The newest trade read; null before the first read. */
  let last: { n: number; at: number } | null = null;
  const read = (): number[] => {
    const { n, at } = last ?? { n: 0, at: 0 };
    if (n === 0) return venue.publicTape(row, 0, MAX_TRADES);
    // Includes the last trade read: if it is still the same one, it is still the same day.
    const trades = venue.publicTape(row, n - 1, MAX_TRADES);
    const first = tradeAt(trades, 0);
    if (first.n === n && first.at === at) return trades.slice(TAPE_STRIDE);
    return first.n <= n ? venue.publicTape(row, 0, MAX_TRADES) : trades;
  };
  return () => {
    const trades = read();
    const known = last !== null;
    if (trades.length > 0) last = tradeAt(trades, trades.length - TAPE_STRIDE);
    else last ??= { n: 0, at: 0 };
    return known && trades.length === 0 ? null : { row, trades };
  };
}
