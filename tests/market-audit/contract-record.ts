/** Records a market second by second as the public sees it, beside the level that contracts are quoted around. */
import { FairIndices } from "#server/venue/simulator/fair-index.ts";
import { MarketState } from "#server/venue/simulator/market-state.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";

/** What is seen in each step, as logarithms. */
export interface Recorded {
  /** The level of contracts, the published index, the basket of last trades, and that of the books' middles. */
  fair: number[];
  index: number[];
  trades: number[];
  middles: number[];
  /** The mean of the last trades of the smaller shares, and of the larger ones without the largest. */
  small: number[];
  large: number[];
}

/** Steps of a minute. */
export const STEPS = 60;
/** The larger shares: so many, or a third of them. */
const LARGE = 30;

/** Follows one session from its open until a minute. */
export function record(market: SeededMarket, { session, until }: { session: number; until: number }): Recorded {
  const { calendar, referenceData } = market;
  const rowOf = (code: string): number => referenceData.listings.findIndex(({ instrument }) => instrument.code === code);
  const index = rowOf(BOARD_INDICES[0] ?? "");
  const state = new MarketState(market);
  const fair = new FairIndices(state);
  const shares = state.indices.constituents(index);
  const seen: Recorded = { fair: [], index: [], trades: [], middles: [], small: [], large: [] };
  const opensAt = calendar.opensAt(session);
  state.advance(calendar.at(opensAt), opensAt);
  const bySize = shares.toSorted(
    (a, b) => (state.reference[b] ?? 0) * state.indices.weight(b) - (state.reference[a] ?? 0) * state.indices.weight(a),
  );
  const large = Math.min(LARGE, Math.floor(shares.length / 3));
  const [largest, rest] = [bySize.slice(1, large), bySize.slice(large)];
  const lastOf = (row: number): number => state.last[row] || state.reference[row] || 1;
  const meanOf = (some: readonly number[]): number => some.reduce((sum, row) => sum + Math.log(lastOf(row)), 0) / Math.max(1, some.length);
  const middleOf = (row: number): number => {
    const [bid, ask] = [state.quotes.bid(row), state.quotes.ask(row)];
    return bid > 0 && ask > 0 ? (bid + ask) / 2 : lastOf(row);
  };
  const basket = (priceOf: (row: number) => number): number =>
    Math.log(shares.reduce((sum, row) => sum + priceOf(row) * state.indices.weight(row), 0));
  for (let minute = 0; minute < until; minute += 1)
    for (let step = 0; step < STEPS; step += 1) {
      const offsetMs = Math.floor((step * calendar.minuteMs) / STEPS);
      const at = opensAt + minute * calendar.minuteMs + offsetMs;
      const position = calendar.at(at);
      state.advance(position, at);
      for (const row of shares) state.print(row, offsetMs, at);
      state.indices.publish(minute, at);
      const level = fair.at(index, position);
      if (level === null) throw new Error("contracts are not quoted");
      seen.fair.push(Math.log(level));
      seen.index.push(Math.log(state.last[index] || 1));
      seen.trades.push(basket(lastOf));
      seen.middles.push(basket(middleOf));
      seen.small.push(meanOf(rest));
      seen.large.push(meanOf(largest));
    }
  return seen;
}
