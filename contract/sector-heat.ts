/** Heat: how every category fares, how broad the market moves, and who moves an index. */
import * as z from "zod/mini";
import { endpoint } from "#contract/kernel/endpoint.ts";
import { Code } from "#contract/kernel/id.ts";

/**
 * Fields of a category's heat in wire order, all integers: `category` is its place in the list of categories; the change is
 * in hundredths of a percent, weighted by market value (by equal parts where none is issued); the counts are of its instruments
 * now above, below and at their reference, and how many of them stand at a limit; turnover is in whole currency units.
 */
export const HEAT_FIELDS = ["category", "change", "up", "down", "flat", "limitUp", "limitDown", "turnover"] as const;
export const HEAT_STRIDE = HEAT_FIELDS.length;
export type SectorHeat = Record<(typeof HEAT_FIELDS)[number], number>;

/** Read the heat that starts at `from` in a flat list. */
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

/** One constituent's part in an index's move today, in ten-thousandths of an index point. */
const Part = z.tuple([z.int(), z.int()]);

/** How broad an index moves and who moves it: rows with their points, the largest first. */
export const Contribution = z.object({
  /** The index. */
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

/** How many leaders, and how many laggards, are named. */
export const CONTRIBUTORS = 10;

export const sectorHeatEndpoints = {
  readHeat: endpoint({
    path: "/heat/read",
    access: "member",
    does: "Read how every category fares: the polling twin of the stream.",
    body: z.object({}),
    data: z.object({ heat: z.array(z.int()) }),
    refusals: ["TRD_PRICE_STALE"],
  }),
  readContribution: endpoint({
    path: "/heat/contribution",
    access: "member",
    does: "Read how broad an index moves, and which constituents move it.",
    body: z.object({ code: Code }),
    data: Contribution,
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND", "TRD_PRICE_STALE"],
  }),
};
