/** Computes an index's breadth and which constituents move it, for any venue's market. */
import { CONTRIBUTORS } from "#contract/sector-heat.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import { limitOf, moveOf } from "./market-columns.ts";
import type { MarketColumns } from "./market-columns.ts";

/**
 * Breaks an index's move down to its constituents. By the exchange's chain formula, `previous close x value / value at the
 * references`, each adds the growth of its own market value times the index points per unit of value. The parts of all constituents
 * add up to the move of the index, except for rounding. A dividend that was paid out lowers the index, but does not count in the
 * breadth.
 */
export function contributionOf(market: MarketColumns, row: number, constituents: readonly number[]): Contribution {
  const breadth = { up: 0, down: 0, flat: 0, limitUp: 0, limitDown: 0 };
  const growths: { row: number; growth: number }[] = [];
  let value = 0;
  for (const one of constituents) {
    const move = moveOf(market, one);
    if (!move) continue;
    const { now, from } = move;
    const shares = market.issued(one);
    const before = market.previous(one) || from;
    value += before * shares;
    breadth[now > from ? "up" : now < from ? "down" : "flat"] += 1;
    const limit = limitOf(market, one);
    if (limit !== 0) breadth[limit > 0 ? "limitUp" : "limitDown"] += 1;
    if (now !== before) growths.push({ row: one, growth: (now - before) * shares });
  }
  const points = value > 0 ? (market.columns.reference[row] ?? 0) / value : 0;
  const parts = growths.map(({ row, growth }): [number, number] => [row, Math.round(growth * points)]).filter(([, part]) => part !== 0);
  parts.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const leaders = parts.filter(([, part]) => part > 0).slice(0, CONTRIBUTORS);
  const laggards = parts
    .toReversed()
    .filter(([, part]) => part < 0)
    .slice(0, CONTRIBUTORS);
  return { row, ...breadth, leaders, laggards };
}
