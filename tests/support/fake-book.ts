/** The displayed book of the fake venue: its levels in a test's units, and what an order takes from it. */
import type { CallBook } from "#server/venue/matching/call-auction.ts";
import type { Depth } from "#contract/quote.ts";
import { PRICE_ONE, price } from "#contract/kernel/money.ts";
import type { Execution, Want } from "#server/venue/matching/book-sweep.ts";

/** Levels of a book in currency units and lots, best first. */
export type Levels = readonly (readonly [units: number, lots: number])[];

export const units = (amount: number): number => Math.round(amount * PRICE_ONE);
export const levelsOf = (levels: Levels): [number, number][] => levels.map(([at, lots]) => [units(at), lots]);

/** What a list has at a row. */
export function rowOf<Item>(list: readonly Item[], row: number): Item {
  const item = list[row];
  if (item === undefined) throw new RangeError(`no row ${row}`);
  return item;
}

/** Executes an order against a book: its levels in order, up to the limit. */
export function walk(depth: Depth, want: Want): Execution[] {
  const levels = want.side === "buy" ? depth.asks : depth.bids;
  const best = levels[0]?.[0] ?? 0;
  const executions: Execution[] = [];
  let rest = want.lots;
  for (const [index, [at, lots]] of levels.entries()) {
    const beyond = want.limit !== null && (want.side === "buy" ? at > want.limit : at < want.limit);
    if (rest === 0 || beyond) break;
    const taken = Math.min(rest, lots);
    if (taken > 0) executions.push({ price: price(at), lots: taken, level: index + 1, best: price(best) });
    rest -= taken;
  }
  return executions;
}

/** Market data of a row; omitted fields keep their value. */
export interface FakeBook {
  bids?: Levels;
  asks?: Levels;
  last?: number;
  reference?: number;
  /** Volume of the day in lots; an increase is a trade at the last price. */
  volume?: number;
}

/** The orders of a call auction in currency units and lots (null: at market), and the price it stays closest to. */
export interface FakeCall {
  bids?: readonly (readonly [units: number | null, lots: number])[];
  asks?: readonly (readonly [units: number | null, lots: number])[];
  anchor?: number;
  /** Between when they came. */
  came?: CallBook["came"];
}
