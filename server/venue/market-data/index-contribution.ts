/** Contribution: how broad an index moves and who moves it, over any venue's standing. */
import { CONTRIBUTORS } from "#contract/sector-heat.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import { limitOf, moveOf } from "./market-snapshot.ts";
import type { MarketSnapshot } from "./market-snapshot.ts";

/**
 * Break an index's move down to its constituents: by the exchange's chain, `previous close x value / value at the references`,
 * each adds the growth of its own market value times what a unit of value weighs. The parts of all constituents add up to
 * the move of the index, but for the rounding of each. What went out as a dividend lowers the index, and the breadth not.
 */
export function contributionOf(snapshot: MarketSnapshot, row: number, constituents: readonly number[]): Contribution {
  const counted = { up: 0, down: 0, flat: 0, limitUp: 0, limitDown: 0 };
  const grown: { row: number; growth: number }[] = [];
  let value = 0;
  for (const one of constituents) {
    const move = moveOf(snapshot, one);
    if (!move) continue;
    const { now, from } = move;
    const shares = snapshot.instruments[one]?.issuedThousands ?? 0;
    const before = snapshot.previous(one) || from;
    value += before * shares;
    counted[now > from ? "up" : now < from ? "down" : "flat"] += 1;
    const limit = limitOf(snapshot, one);
    if (limit !== 0) counted[limit > 0 ? "limitUp" : "limitDown"] += 1;
    if (now !== before) grown.push({ row: one, growth: (now - before) * shares });
  }
  const points = value > 0 ? (snapshot.columns.reference[row] ?? 0) / value : 0;
  const parts = grown.map(({ row, growth }): [number, number] => [row, Math.round(growth * points)]).filter(([, part]) => part !== 0);
  parts.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const leaders = parts.filter(([, part]) => part > 0).slice(0, CONTRIBUTORS);
  const laggards = parts
    .toReversed()
    .filter(([, part]) => part < 0)
    .slice(0, CONTRIBUTORS);
  return { row, ...counted, leaders, laggards };
}
