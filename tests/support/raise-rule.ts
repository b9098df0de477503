/** Rules of fund raisings and savings plans for tests. */
import { cents } from "#contract/kernel/money.ts";
import type { RaiseRule } from "#contract/raise-rule.ts";
import type { SavingsRule } from "#contract/savings-rule.ts";

export const RAISE_RULE: RaiseRule = {
  minimumCents: cents(1_500_000),
  feePerMillion: 1_000,
  feeMinimumCents: cents(2_000),
  memberPerMillion: 100_000,
  minimumSizePerMillion: 400_000,
};

export const SAVINGS_RULE: SavingsRule = { minimumCents: cents(100_000), plans: 20, limitPerMillion: 10_000 };
