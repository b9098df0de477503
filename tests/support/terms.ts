/** Default terms of a cash stock order, for tests. */
import { cents } from "#contract/kernel/money.ts";
import { MILLION } from "#contract/rule.ts";
import type { Terms } from "#contract/rule.ts";

export const STOCK_TERMS: Terms = {
  feePerMillion: 1425,
  feeMinimumCents: cents(2000),
  taxPerMillion: 3000,
  ownPerMillion: MILLION,
  collateralPerMillion: 900_000,
  interestPerMillion: 0,
  maintenancePerMillion: 0,
  lockSeconds: 0,
  settlementDays: 0,
};
