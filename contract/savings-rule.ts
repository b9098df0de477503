/** The rule of regular savings plans; apart from the plans, because the rules load it. */
import * as z from "zod/mini";
import { Cents } from "./kernel/money.ts";

export const SavingsRule = z.object({
  /** The least amount of a plan. */
  minimumCents: Cents,
  /** Plans of a member that have not ended. */
  plans: z.int(),
  /** How far above the last price a purchase may trade, in millionths: its limit price, rounded down to a tick. */
  limitPerMillion: z.int(),
});
export type SavingsRule = z.infer<typeof SavingsRule>;
