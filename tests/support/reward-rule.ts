/** A rule of rewards for tests. */
import { cents } from "#contract/kernel/money.ts";
import type { RewardRule } from "#contract/reward.ts";

export const REWARD_RULE: RewardRule = {
  checkInsPerVoucher: 7,
  voucherCents: cents(2_000),
  voucherDays: 30,
  reviewSeconds: 10,
  statementLetters: 10,
  agentMinimumScore: 60,
  rebatePerMillion: 200_000,
  seatMinimumScore: 70,
  seatMinimumOrders: 5,
  seatFeePerMillion: 855,
};
