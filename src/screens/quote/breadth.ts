/** Breadth: how many rise and how many fall, of a category or of a whole board, from the categories' heat. */
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import type { SectorHeat } from "#contract/sector-heat.ts";
import type { Board, Category } from "#contract/instrument.ts";

/** Counts of instruments against their references, and their turnover in whole currency units. */
export type Breadth = Pick<SectorHeat, "up" | "down" | "flat" | "limitUp" | "limitDown" | "turnover">;

/** A category with how it fares now, and its change and turnover as ready texts. */
export interface CategoryHeat {
  category: Category;
  heat: SectorHeat;
  change: string;
  turnover: string;
}

/** The categories' heat, joined to the categories it is of. */
export function categoryHeats(
  flat: readonly number[],
  texts: readonly (readonly [change: string, turnover: string])[],
  categories: readonly Category[],
): CategoryHeat[] {
  const out: CategoryHeat[] = [];
  for (let from = 0; from + HEAT_STRIDE <= flat.length; from += HEAT_STRIDE) {
    const heat = sectorHeatAt(flat, from);
    const category = categories[heat.category];
    const [change, turnover] = texts[from / HEAT_STRIDE] ?? [];
    if (category && change !== undefined && turnover !== undefined) out.push({ category, heat, change, turnover });
  }
  return out;
}

/** A board's breadth: the sum over its categories, of which every instrument is in exactly one. */
export function breadthOf(heats: readonly CategoryHeat[], board: Board): Breadth {
  const sum: Breadth = { up: 0, down: 0, flat: 0, limitUp: 0, limitDown: 0, turnover: 0 };
  for (const { category, heat } of heats) {
    if (category.board !== board) continue;
    sum.up += heat.up;
    sum.down += heat.down;
    sum.flat += heat.flat;
    sum.limitUp += heat.limitUp;
    sum.limitDown += heat.limitDown;
    sum.turnover += heat.turnover;
  }
  return sum;
}

/** The part of rising, unchanged and falling instruments, 0 to 1 each; all 0 where there are none. */
export function partsOf({ up, flat, down }: Pick<Breadth, "up" | "flat" | "down">): { up: number; flat: number; down: number } {
  const all = up + flat + down;
  return all === 0 ? { up: 0, flat: 0, down: 0 } : { up: up / all, flat: flat / all, down: down / all };
}

/** What the categories can be sorted by. */
export const HEAT_SORTS = ["change", "turnover", "breadth"] as const;
export type HeatSort = (typeof HEAT_SORTS)[number];

const VALUES: Record<HeatSort, (heat: SectorHeat) => number> = {
  change: (heat) => heat.change,
  turnover: (heat) => heat.turnover,
  breadth: (heat) => partsOf(heat).up - partsOf(heat).down,
};

/** The categories in order; equal ones keep the order of their board. */
export function sortedHeats(heats: readonly CategoryHeat[], by: HeatSort, descending: boolean): CategoryHeat[] {
  const value = VALUES[by];
  return heats.toSorted((a, b) => (descending ? value(b.heat) - value(a.heat) : value(a.heat) - value(b.heat)));
}
