/** The rule of strategies; apart from them, because the rules load it. */
import * as z from "zod/mini";
import { Cents } from "./kernel/money.ts";

export const StrategyRule = z.object({
  /** The least amount of a run. */
  minimumCents: Cents,
  /** Runs of a member that have not stopped. */
  runs: z.int(),
  /** How far above the last price a purchase may trade, in millionths; what cannot be had below is not bought. */
  limitPerMillion: z.int(),
});
export type StrategyRule = z.infer<typeof StrategyRule>;
