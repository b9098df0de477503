/** Sparklines: the course of a day's price in a few points, for the rows of lists. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";

/** Maximum number of instruments per call, and of points per line. */
export const MAX_SPARKLINES = 40;
export const SPARKLINE_POINTS = 32;

export const Sparkline = z.object({
  code: Code,
  /** Prices in ten-thousandths: the session's opening price, then prices at equal intervals, oldest first. */
  prices: z.array(z.int()).check(z.maxLength(SPARKLINE_POINTS)),
});
export type Sparkline = z.infer<typeof Sparkline>;

export const sparklineEndpoints = {
  readSparklines: endpoint({
    path: "/sparklines/read",
    access: "member",
    does: "Read the session's price in a few points, of some instruments; those without trades and, on a live feed, all are left out.",
    body: z.object({ codes: z.array(Code).check(z.minLength(1), z.maxLength(MAX_SPARKLINES)) }),
    data: z.object({ lines: z.array(Sparkline) }),
    refusals: ["VAL_STOCK_CODE_REQUIRED"],
  }),
};
