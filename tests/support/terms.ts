/** Default terms of a cash stock order, and the account rule, for tests. */
import { cents } from "#contract/kernel/money.ts";
import { MILLION } from "#contract/rule.ts";
import type { AccountRule, Terms } from "#contract/rule.ts";

export const STOCK_TERMS: Terms = {
  feePerMillion: 1425,
  feeMinimumCents: cents(2000),
  taxPerMillion: 3000,
  ownPerMillion: MILLION,
  collateralPerMillion: 900_000,
  interestPerMillion: 0,
  borrowPerMillion: 50_000,
  maintenancePerMillion: 0,
  lockSeconds: 0,
  settlementDays: 0,
};

/** The account rule of a new database. */
export const ACCOUNT_RULE: AccountRule = {
  fundPasswordTries: 5,
  fundPasswordLockMinutes: 15,
  slowHours: 24,
  adultYears: 18,
  consentYears: 14,
  identityReviewSeconds: 10,
  photoDays: 30,
};
