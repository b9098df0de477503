/** Computes how every category performs, in one pass over any venue's market. */
import { hasEnded } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { limitOf, moveOf } from "./market-columns.ts";
import type { MarketColumns } from "./market-columns.ts";

interface Count {
  up: number;
  down: number;
  flat: number;
  limitUp: number;
  limitDown: number;
  /** Price units times shares. */
  turnover: number;
  /** Market value at the references and its growth since, in price units times thousands of shares. */
  value: number;
  growth: number;
  /** Sum of relative changes, for a category without a market value. */
  changes: number;
}

const emptyCount = (): Count => ({ up: 0, down: 0, flat: 0, limitUp: 0, limitDown: 0, turnover: 0, value: 0, growth: 0, changes: 0 });

/** A category's change as a fraction: weighted by market value, or equally where nothing is issued. */
function changeOf({ value, growth, changes, up, down, flat }: Count): number {
  if (value > 0) return growth / value;
  return changes / Math.max(1, up + down + flat);
}

/** Heat of every category at a moment as flat HEAT_FIELDS in category order. An instrument without a price, or ended, is not counted. */
export function heatOf(market: MarketColumns, now: number): number[] {
  const { instruments, categories, columns } = market;
  const counts = new Map(categories.map(({ board, code }) => [`${board} ${code}`, emptyCount()]));
  for (const instrument of instruments) {
    const { row, board, category, lotShares } = instrument;
    const count = counts.get(`${board} ${category}`);
    const move = moveOf(market, row);
    if (!count || !move || hasEnded(instrument, now)) continue;
    const { now: price, from } = move;
    count[price > from ? "up" : price < from ? "down" : "flat"] += 1;
    const limit = limitOf(market, row);
    if (limit !== 0) count[limit > 0 ? "limitUp" : "limitDown"] += 1;
    count.turnover += (columns.turnover[row] ?? 0) * lotShares;
    const issued = market.issued(row);
    count.value += from * issued;
    count.growth += (price - from) * issued;
    count.changes += (price - from) / from;
  }
  return [...counts.values()].flatMap((count, category) => {
    const { up, down, flat, limitUp, limitDown, turnover } = count;
    // Adding 0 turns a negative zero into an ordinary one.
    return [category, Math.round(changeOf(count) * 10_000) + 0, up, down, flat, limitUp, limitDown, Math.round(turnover / PRICE_ONE)];
  });
}
