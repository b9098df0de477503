/** All rules of a member, as a server answers them, for tests. */
import type * as z from "zod/mini";
import type { Rules } from "#contract/rule.ts";
import { AUCTION_RULE } from "./auction-rule.ts";
import { BLOCK_RULE } from "./block-rule.ts";
import { CREDIT_RULE } from "./credit-rule.ts";
import { OFFERING_RULE } from "./offering-rule.ts";
import { RAISE_RULE, SAVINGS_RULE } from "./raise-rule.ts";
import { REWARD_RULE } from "./reward-rule.ts";
import { ACCOUNT_RULE } from "./terms.ts";

export const RULES: z.input<typeof Rules> = {
  trade: {
    feePerMillion: 1425,
    feeMinimumCents: 2000,
    oddFeeMinimumCents: 100,
    taxPerMillion: 3000,
    dayTaxPerMillion: 1500,
    shortPerMillion: 900_000,
    maxLots: 499,
    maxOddShares: 999,
    minimumCents: 100_000,
    lockSeconds: null,
    closedDays: 0,
    multiples: [1, 2],
    loanPerMillion: 600_000,
    marginShortPerMillion: 900_000,
    interestPerMillion: 65_000,
    borrowPerMillion: 50_000,
    settlementDays: 0,
  },
  exceptions: [],
  margin: {
    callPercent: 130,
    clearedPercent: 166,
    liquidationPercent: 120,
    graceDays: 2,
    reviewSeconds: 5,
    accountDays: 90,
    minimumScore: 60,
  },
  dayTrade: { minimumOrders: 10, accountDays: 90, squareOffSeconds: 300, warningPercent: 5 },
  shortCover: { coverDays: 6, stopDays: 4, noticeDays: 5, coverSeconds: 600 },
  conversion: { spreadPerMillion: 3_000, quoteSeconds: 15, hourlyCents: 300_000_000, closed: [] },
  account: ACCOUNT_RULE,
  credit: CREDIT_RULE,
  block: BLOCK_RULE,
  offering: OFFERING_RULE,
  auction: AUCTION_RULE,
  raise: RAISE_RULE,
  savings: SAVINGS_RULE,
  lending: { brokerPerMillion: 250_000, mostPerMillion: 160_000, noticeDays: 3 },
  copy: { minimumCents: 10_000_000, slipPerMillion: 5_000, volumePerMillion: 100_000, followers: 1_000, lateSeconds: 60 },
  strategy: { minimumCents: 10_000_000, runs: 10, limitPerMillion: 5_000 },
  futures: [],
  options: [],
  reward: REWARD_RULE,
  funding: {
    reportSeconds: 5,
    bookSeconds: 3,
    expirySeconds: 86_400,
    dailyCents: 1_000_000_000,
    cryptoSpreadPerMillion: 5_000,
    quoteSeconds: 15,
    maxAddresses: 5,
    channelPasswordTries: 5,
    channelPasswordWaitMinutes: 5,
    withdrawMinimumCents: 10_000,
    withdrawMaximumCents: 500_000_000,
    withdrawOpensMinute: 0,
    withdrawClosesMinute: 1_439,
    reviewAfterSeconds: 20,
    reviewSeconds: 10,
    payoutSeconds: 10,
    usualMinutes: 120,
    minimumScore: 60,
    holdingsBlock: ["orders"],
  },
  commandsPerSecond: 20,
};
