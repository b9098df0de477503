/** Debts: the part of a close or charge that exceeded a member's free cash, how it was paid, and what is still owed. */
import * as z from "zod/mini";
import { OrderNo } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";

/** What can happen to a member's debt to the broker. */
export const DEBT_FACTS = ["debt.incurred", "debt.repaid"] as const;
export const DebtFactType = z.enum(DEBT_FACTS);
export type DebtFactType = z.infer<typeof DebtFactType>;

export const Debt = z.object({
  /** The amount the free cash could not cover. */
  incurredCents: Cents,
  /** Working orders cancelled, in this order, to pay the debt from the money they held. */
  cancelled: z.array(OrderNo),
  /** Total still owed afterwards, including earlier debt. */
  owedCents: Cents,
});
export type Debt = z.infer<typeof Debt>;
