/** Members' trades and fills of a test as the market's tape, bars and log have them. */
import type { Candle } from "#contract/candle.ts";
import { TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { MemberFill, MemberFills, MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Venue } from "#server/venue/venue.ts";

/** The market's own and members' trades, in the order of their times; at one time the market's own come first. */
export const inOrder = (own: readonly MemberTrade[], members: readonly MemberTrade[]): MemberTrade[] =>
  [...own, ...members].toSorted((a, b) => a.at - b.at);

export const readTape = (flat: readonly number[], row: number): MemberTrade[] =>
  Array.from({ length: flat.length / TAPE_STRIDE }, (_, nth) => {
    const { at, price, lots, side } = tradeAt(flat, nth * TAPE_STRIDE);
    return { row, at, price, lots, side: side as MemberTrade["side"] };
  });

/** The bar of some trades, by time. */
export function barOf(at: number, trades: readonly MemberTrade[]): Candle {
  const prices = trades.map(({ price }) => price);
  return {
    at,
    open: prices[0] ?? 0,
    high: Math.max(...prices),
    low: Math.min(...prices),
    close: prices.at(-1) ?? 0,
    volume: trades.reduce((sum, { lots }) => sum + lots, 0),
  };
}

/** What is in the log of fills, by row. */
export const logOf = ({ venue, fills }: { venue: Venue; fills: readonly MemberFill[] }, at: number): MemberFills[] =>
  [...Map.groupBy(fills, ({ row }) => row)].map(([row, all]) => ({
    row,
    opensAt: venue.state(at).opensAt,
    fills: all.map((fill) => [fill.at, fill.lots] as const),
  }));
