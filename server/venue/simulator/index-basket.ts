/** Indices as sums: stocks gathered into groups by board and industry, indices as lists of groups with a base value. */
import { toTick } from "#contract/tick.ts";
import type { Market } from "./seeded-market.ts";

export interface Basket {
  row: number;
  groups: readonly number[];
  /** Market value (price units times thousands of shares) per unit of index price. */
  base: number;
}

export interface Baskets {
  readonly count: number;
  /** Per row: its group, -1 for what is in no index. */
  readonly groupOf: Int16Array;
  /** Per row: thousands of shares issued today. */
  readonly shares: Float64Array;
  readonly indices: readonly Basket[];
}

/** Gather the market's stocks into groups and give every index its base, so that it stands at its level on the anchor day. */
export function basketsOf(market: Market): Baskets {
  const { listings } = market.referenceData;
  const groups = new Map<string, number>();
  const groupOf = new Int16Array(listings.length).fill(-1);
  const shares = new Float64Array(listings.length);
  const anchors: number[] = [];
  for (const { instrument, anchor } of listings) {
    // The exchange takes a newcomer in later; here it waits as long as it is one.
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

/** The rows an index is made of; none for what is no index. */
export function constituentsOf({ indices, groupOf }: Baskets, row: number): number[] {
  const groups = new Set(indices.find((basket) => basket.row === row)?.groups);
  return [...groupOf.keys()].filter((one) => groups.has(groupOf[one] ?? -1));
}

/** Add up an index's groups in a table of sums that starts at `from`. */
export function gather(basket: Basket, sums: Float64Array, from = 0): number {
  let total = 0;
  for (const group of basket.groups) total += sums[from + group] ?? 0;
  return total;
}

/**
 * The level an index has for a market value. With the base fixed on the anchor day this is the exchange's chain
 * `previous close x value / value at the references`, without the roundings of the days between.
 */
export function levelOf(basket: Basket, value: number): number {
  return toTick("index", value / basket.base);
}
