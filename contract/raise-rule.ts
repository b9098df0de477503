/** The rule of fund raisings; apart from the raisings, because the rules load it. */
import * as z from "zod/mini";
import { Cents } from "./kernel/money.ts";

export const RaiseRule = z.object({
  /** The least value of one subscription, without its fee. */
  minimumCents: Cents,
  /** The handling fee as a part of the value, and its least. */
  feePerMillion: z.int(),
  feeMinimumCents: Cents,
  /** The most a member may ask for, as a part of what is offered. */
  memberPerMillion: z.int(),
  /** The part of what is offered that others and members must ask for together; with less, the raising fails. */
  minimumSizePerMillion: z.int(),
});
export type RaiseRule = z.infer<typeof RaiseRule>;
