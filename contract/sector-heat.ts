/** Sector heat: performance of every category, market breadth, and the contributors to an index's move. */
import * as z from "zod/mini";

/**
 * Fields of a category's heat in wire order, all integers: `category` is its index in the list of categories; `change` is in
 * hundredths of a percent, weighted by market value (equally where no shares are issued); the counts are of its instruments above,
 * below and at their reference, and at a limit; turnover is in whole currency units.
 */
export const HEAT_FIELDS = ["category", "change", "up", "down", "flat", "limitUp", "limitDown", "turnover"] as const;
export const HEAT_STRIDE = HEAT_FIELDS.length;
export type SectorHeat = Record<(typeof HEAT_FIELDS)[number], number>;

/** Reads the heat that starts at `from` in a flat list. */
export function sectorHeatAt(flat: ArrayLike<number>, from: number): SectorHeat {
  const at = (field: number): number => flat[from + field] ?? 0;
  return {
    category: at(0),
    change: at(1),
    up: at(2),
    down: at(3),
    flat: at(4),
    limitUp: at(5),
    limitDown: at(6),
    turnover: at(7),
  };
}

/** `[row, points]`: one constituent's contribution to the index's move today, in ten-thousandths of an index point. */
const Part = z.tuple([z.int(), z.int()]);

/** An index's breadth and its leading contributors, the largest first. */
export const Contribution = z.object({
  /** Row of the index. */
  row: z.int(),
  up: z.int(),
  down: z.int(),
  flat: z.int(),
  limitUp: z.int(),
  limitDown: z.int(),
  leaders: z.array(Part),
  laggards: z.array(Part),
});
export type Contribution = z.infer<typeof Contribution>;

/** Maximum number of leaders, and of laggards. */
export const CONTRIBUTORS = 10;
