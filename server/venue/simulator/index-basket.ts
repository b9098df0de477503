/** Models indices as sums: stocks grouped by board and industry, indices as lists of groups with a base value. */
import { toTick } from "#contract/tick.ts";
import type { SeededMarket } from "./seeded-market.ts";

export interface Basket {
  row: number;
  groups: readonly number[];
  /** Market value (price units times thousands of shares) per unit of index price. */
  base: number;
}

export interface Baskets {
  readonly count: number;
  /** Per row: its group, -1 for a row in no index. */
  readonly groupOf: Int16Array;
  /** Per row: thousands of shares issued today. */
  readonly shares: Float64Array;
  readonly indices: readonly Basket[];
}

/** Groups the market's stocks and gives every index its base, such that it stands at its table level on the anchor day. */
export function basketsOf(market: SeededMarket): Baskets {
  const { listings } = market.referenceData;
  const groups = new Map<string, number>();
  const groupOf = new Int16Array(listings.length).fill(-1);
  const shares = new Float64Array(listings.length);
  const anchors: number[] = [];
  for (const { instrument, anchor } of listings) {
    // The exchange adds a new listing to its indices later; here it is left out as long as it counts as new.
    if (instrument.kind !== "stock" || instrument.listedDay > 0) continue;
    const name = `${instrument.board} ${instrument.category}`;
    const group = groups.get(name) ?? groups.size;
    groups.set(name, group);
    groupOf[instrument.row] = group;
    shares[instrument.row] = instrument.issuedThousands;
    anchors[group] = (anchors[group] ?? 0) + anchor * instrument.issuedThousands;
  }
  const indices = listings.flatMap(({ instrument, anchor, basket }): Basket[] => {
    if (!basket) return [];
    const own = basket.industries.flatMap((industry) => groups.get(`${basket.board} ${industry}`) ?? []);
    return [{ row: instrument.row, groups: own, base: own.reduce((sum, group) => sum + (anchors[group] ?? 0), 0) / anchor }];
  });
  return { count: groups.size, groupOf, shares, indices };
}

/** The rows an index consists of; empty for a row that is no index. */
export function constituentsOf({ indices, groupOf }: Baskets, row: number): number[] {
  const groups = new Set(indices.find((basket) => basket.row === row)?.groups);
  return [...groupOf.keys()].filter((one) => groups.has(groupOf[one] ?? -1));
}

/** Sums an index's groups in a table of sums, from entry `from` on. */
export function sumGroups(basket: Basket, sums: Float64Array, from = 0): number {
  let total = 0;
  for (const group of basket.groups) total += sums[from + group] ?? 0;
  return total;
}

/**
 * The level of an index for a market value. With the base fixed on the anchor day this equals the exchange's chain formula
 * `previous close x value / value at the references`, without its daily roundings.
 */
export function levelOf(basket: Basket, value: number): number {
  return toTick("index", value / basket.base);
}
