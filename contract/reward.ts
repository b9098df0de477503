/** The broker's rule of rewards: what check-ins earn, who becomes an agent or takes a seat, and what each of them gets. */
import * as z from "zod/mini";
import { Cents } from "./kernel/money.ts";

export const RewardRule = z.object({
  /** Check-ins that redeem one fee voucher, its face, and the days it can be used. */
  checkInsPerVoucher: z.int(),
  voucherCents: Cents,
  voucherDays: z.int(),
  /** How long the sandbox takes to review an application, and how many letters its statement needs. */
  reviewSeconds: z.int(),
  statementLetters: z.int(),
  /** Credit score of an agent, and an agent's part of the commissions that invited members pay. */
  agentMinimumScore: z.int(),
  rebatePerMillion: z.int(),
  /** Credit score and executed orders of who takes a seat, and the commission of a seat. */
  seatMinimumScore: z.int(),
  seatMinimumOrders: z.int(),
  seatFeePerMillion: z.int(),
});
export type RewardRule = z.infer<typeof RewardRule>;
