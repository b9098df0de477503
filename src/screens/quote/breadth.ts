/** Computes market breadth (advancing and declining instruments) of a category or a board, from the sector heat. */
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import type { SectorHeat } from "#contract/sector-heat.ts";
import type { Board, Category } from "#contract/instrument.ts";

/** Counts of instruments relative to their reference prices, and their turnover in whole currency units. */
export type Breadth = Pick<SectorHeat, "up" | "down" | "flat" | "limitUp" | "limitDown" | "turnover">;

/** A category with its current heat, and its change and turnover as formatted text. */
export interface CategoryHeat {
  category: Category;
  heat: SectorHeat;
  change: string;
  turnover: string;
}

/** Joins the flat heat numbers to their categories. */
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

/** The breadth of a board: the sum over its categories; every instrument is in exactly one. */
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

/** The fractions of advancing, unchanged and declining instruments, 0 to 1 each; all 0 if there are none. */
export function partsOf({ up, flat, down }: Pick<Breadth, "up" | "flat" | "down">): { up: number; flat: number; down: number } {
  const all = up + flat + down;
  return all === 0 ? { up: 0, flat: 0, down: 0 } : { up: up / all, flat: flat / all, down: down / all };
}

/** The sort keys of categories. */
export const HEAT_SORTS = ["change", "turnover", "breadth"] as const;
export type HeatSort = (typeof HEAT_SORTS)[number];

const VALUES: Record<HeatSort, (heat: SectorHeat) => number> = {
  change: (heat) => heat.change,
  turnover: (heat) => heat.turnover,
  breadth: (heat) => partsOf(heat).up - partsOf(heat).down,
};

/** Sorts the categories; equal ones keep the order of their board. */
export function sortedHeats(heats: readonly CategoryHeat[], by: HeatSort, descending: boolean): CategoryHeat[] {
  const value = VALUES[by];
  return heats.toSorted((a, b) => (descending ? value(b.heat) - value(a.heat) : value(a.heat) - value(b.heat)));
}
