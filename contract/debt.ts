/** Debts: what a close or a charge cost beyond a member's free money, what paid it, and what is still owed. */
import * as z from "zod/mini";
import { OrderNo } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";

/** What happens to what a member owes the broker. */
export const DEBT_FACTS = ["debt.incurred", "debt.repaid"] as const;
export const DebtFactType = z.enum(DEBT_FACTS);
export type DebtFactType = z.infer<typeof DebtFactType>;

export const Debt = z.object({
  /** What could not be paid from the free money. */
  incurredCents: Cents,
  /** Working orders that were cancelled, in this order, so that the money they held pays it. */
  cancelled: z.array(OrderNo),
  /** What is still owed after that, with what was owed before. */
  owedCents: Cents,
});
export type Debt = z.infer<typeof Debt>;
