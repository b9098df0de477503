/** Why the unfilled part of an order ended. */
import * as z from "zod/mini";

/**
 * Why the unfilled part of an order ended: cancelled by the member; expired with its day; the rest of an IOC or FOK order; a market order
 * in a volatility halt; refused by the member's own risk limits when triggered; reserved, and not accepted by its session; its position is being closed; cancelled to pay a debt; or
 * cancelled by the broker, whose lock or corporate action it stood in the way of.
 */
export const CANCEL_CAUSES = [
  "member",
  "expired",
  "immediate",
  "halted",
  "refused",
  "notAccepted",
  "closing",
  "repayment",
  "broker",
] as const;
export const CancelCause = z.enum(CANCEL_CAUSES);
export type CancelCause = z.infer<typeof CancelCause>;

/** The refusal that a reserved order got when its session began. */
export const CancelRefusal = z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) });
export type CancelRefusal = z.infer<typeof CancelRefusal>;
