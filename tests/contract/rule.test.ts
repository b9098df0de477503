/** Tests the rules of a day, the terms of an order under them, and the leverage multiples that a day's price range cannot wipe out. */
import { describe, expect, it, test } from "vitest";
import { Code } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { mostLeverage, multiplesOf, nextRuleDay, partOf, ruleOf, taxRateOf, termsOf } from "#contract/rule.ts";
import type { Choice, RuleException, Ruled, Rules, TradeRule } from "#contract/rule.ts";
import { ACCOUNT_RULE } from "#tests/support/terms.ts";
import { BLOCK_RULE } from "#tests/support/block-rule.ts";
import { AUCTION_RULE } from "#tests/support/auction-rule.ts";
import { OFFERING_RULE } from "#tests/support/offering-rule.ts";
import { RAISE_RULE, SAVINGS_RULE } from "#tests/support/raise-rule.ts";
import { CREDIT_RULE } from "#tests/support/credit-rule.ts";
import { REWARD_RULE } from "#tests/support/reward-rule.ts";

const RULE: TradeRule = {
  feePerMillion: 1425,
  feeMinimumCents: cents(2000),
  oddFeeMinimumCents: cents(100),
  taxPerMillion: 3000,
  dayTaxPerMillion: 1500,
  shortPerMillion: 1_900_000,
  maxLots: 499,
  maxOddShares: 999,
  minimumCents: cents(0),
  lockSeconds: null,
  closedDays: 0,
  multiples: [1, 2, 3],
  loanPerMillion: 600_000,
  marginShortPerMillion: 900_000,
  interestPerMillion: 65_000,
  borrowPerMillion: 50_000,
  settlementDays: 2,
};
const ALL: Omit<RuleException, "rule"> = { board: null, kind: null, code: null, bonds: null, from: null, until: null };
const STOCK: Ruled = { board: "listed", kind: "stock", code: Code.parse("2330"), bonds: false };
const rulesWith = (...exceptions: RuleException[]): Rules => ({
  trade: RULE,
  exceptions,
  margin: {
    callPercent: 130,
    clearedPercent: 166,
    liquidationPercent: 110,
    graceDays: 2,
    reviewSeconds: 10,
    accountDays: 90,
    minimumScore: 1,
  },
  dayTrade: { minimumOrders: 10, accountDays: 90, squareOffSeconds: 300, warningPercent: 10 },
  shortCover: { coverDays: 6, stopDays: 4, noticeDays: 5, coverSeconds: 600 },
  conversion: { spreadPerMillion: 3_000, quoteSeconds: 15, hourlyCents: cents(300_000_000), closed: [] },
  account: ACCOUNT_RULE,
  credit: CREDIT_RULE,
  block: BLOCK_RULE,
  offering: OFFERING_RULE,
  auction: AUCTION_RULE,
  raise: RAISE_RULE,
  savings: SAVINGS_RULE,
  lending: { brokerPerMillion: 250_000, mostPerMillion: 160_000, noticeDays: 3 },
  copy: { minimumCents: cents(10_000_000), slipPerMillion: 5_000, volumePerMillion: 100_000, followers: 1_000, lateSeconds: 60 },
  strategy: { minimumCents: cents(10_000_000), runs: 10, limitPerMillion: 5_000 },
  futures: [],
  options: [],
  reward: REWARD_RULE,
  funding: {
    reportSeconds: 5,
    bookSeconds: 3,
    expirySeconds: 86_400,
    dailyCents: cents(1_000_000_000),
    cryptoSpreadPerMillion: 5_000,
    quoteSeconds: 15,
    maxAddresses: 5,
    channelPasswordTries: 5,
    channelPasswordWaitMinutes: 5,
    withdrawMinimumCents: cents(10_000),
    withdrawMaximumCents: cents(500_000_000),
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
});

describe("the rule of a day", () => {
  const lots = (exception: Partial<RuleException>, day = 100): number =>
    ruleOf(rulesWith({ ...ALL, rule: { maxLots: 7 }, ...exception }), STOCK, day).maxLots;

  it.each([
    [{}, 7],
    [{ board: "listed" }, 7],
    [{ board: "otc" }, 499],
    [{ kind: "stock" }, 7],
    [{ kind: "etf" }, 499],
    [{ code: Code.parse("2330") }, 7],
    [{ code: Code.parse("2317") }, 499],
    [{ bonds: false }, 7],
    [{ bonds: true }, 499],
    [{ kind: "stock", board: "otc" }, 499],
  ] as const)("with an exception for %j allows %i lots", (selectors, expected) => expect(lots(selectors)).toBe(expected));

  it("has an exception from its first to its last day", () => {
    expect([99, 100, 101].map((day) => lots({ from: 100 }, day))).toEqual([499, 7, 7]);
    expect([99, 100, 101].map((day) => lots({ until: 100 }, day))).toEqual([7, 7, 499]);
  });

  it("takes from the later exception what both say, and from the earlier what only it says", () => {
    const rules = rulesWith({ ...ALL, rule: { maxLots: 7, closedDays: 3 } }, { ...ALL, rule: { maxLots: 9 } });
    expect(ruleOf(rules, STOCK, 100)).toEqual({ ...RULE, maxLots: 9, closedDays: 3 });
  });

  it("changes on the first day of an exception and after its last, if that makes a difference", () => {
    const rules = rulesWith(
      { ...ALL, from: 105, until: 109, rule: { maxLots: 7 } },
      { ...ALL, from: 103, rule: { maxLots: 499 } },
      { ...ALL, kind: "etf", from: 102, rule: { maxLots: 1 } },
    );
    expect(nextRuleDay(rules, STOCK, 100)).toBeNull();
    const alone = rulesWith({ ...ALL, from: 105, until: 109, rule: { maxLots: 7 } }, { ...ALL, from: 107, rule: { maxLots: 8 } });
    expect([104, 105, 106, 107, 109, 110].map((day) => nextRuleDay(alone, STOCK, day))).toEqual([105, 107, 107, null, null, null]);
    const ends = rulesWith({ ...ALL, until: 109, rule: { maxLots: 7 } });
    expect([108, 109, 110].map((day) => nextRuleDay(ends, STOCK, day))).toEqual([110, 110, null]);
  });
});

describe("the terms of an order", () => {
  const CASH: Choice = { market: "board", funding: "cash", leverage: 1, dayTrade: false };
  const terms = (choice: Partial<Choice>, rule: Partial<TradeRule> = {}) =>
    termsOf({ ...RULE, ...rule }, { sellLockSeconds: 600 }, { ...CASH, ...choice });

  it("bought with cash are all the member's own, and free of interest", () => {
    expect(terms({})).toEqual({
      feePerMillion: 1425,
      feeMinimumCents: 2000,
      taxPerMillion: 3000,
      ownPerMillion: 1_000_000,
      collateralPerMillion: 1_900_000,
      interestPerMillion: 0,
      borrowPerMillion: 50_000,
      maintenancePerMillion: 0,
      lockSeconds: 600,
      settlementDays: 2,
    });
  });

  it("on margin leave the loan to the broker, at interest", () => {
    expect(terms({ funding: "margin" })).toMatchObject({
      ownPerMillion: 400_000,
      collateralPerMillion: 900_000,
      interestPerMillion: 65_000,
      maintenancePerMillion: 0,
    });
  });

  it("with leverage keep half of the member's part as maintenance", () => {
    expect(terms({ funding: "leverage", leverage: 3 })).toMatchObject({
      ownPerMillion: 333_334,
      collateralPerMillion: 333_334,
      interestPerMillion: 65_000,
      maintenancePerMillion: 166_667,
    });
    expect(terms({ funding: "leverage", leverage: 1 })).toMatchObject({ ownPerMillion: 1_000_000, interestPerMillion: 0 });
  });

  it("have the minimum fee of their market, the tax of a day trade, and its freedom to sell", () => {
    expect([terms({ market: "odd" }), terms({ market: "fixed" })].map((one) => one.feeMinimumCents)).toEqual([100, 2000]);
    expect(terms({ dayTrade: true })).toMatchObject({ taxPerMillion: 1500, lockSeconds: 0 });
    expect([taxRateOf(RULE, true), taxRateOf(RULE, false)]).toEqual([1500, 3000]);
    expect([terms({}, { lockSeconds: 0 }).lockSeconds, terms({}, { lockSeconds: 5 }).lockSeconds]).toEqual([0, 5]);
  });
});

test("a part of a value is rounded up to whole NT$, and the whole is exact", () => {
  expect([partOf(12_345, 1_000_000), partOf(12_345, 500_000), partOf(20_000, 500_000), partOf(20_001, 500_000), partOf(0, 5)]).toEqual([
    12_345, 6_200, 10_000, 10_100, 0,
  ]);
});

test("the highest multiple survives a move between the day's two limits, and the next one does not", () => {
  for (let limitPercent = 1; limitPercent < 99; limitPercent += 1) {
    const most = mostLeverage({ limitPercent });
    /** Loss at the upper limit of a short opened at the lower limit, in percent of the invested amount. */
    const lossPercent = (multiple: number): number => (multiple * 2 * limitPercent * 100) / (100 - limitPercent);
    if (most > 1) expect(lossPercent(most)).toBeLessThan(100);
    expect(lossPercent(most + 1)).toBeGreaterThanOrEqual(100);
  }
});

test("the highest multiple is 4, 1 and 1 with limits of 10, 20 and 30 %, and 1 without limits", () => {
  expect([10, 20, 30, null].map((limitPercent) => mostLeverage({ limitPercent }))).toEqual([4, 1, 1, 1]);
  expect(multiplesOf({ multiples: [1, 2, 3, 5] }, { limitPercent: 10 })).toEqual([1, 2, 3]);
  expect(multiplesOf({ multiples: [1, 2, 3] }, { limitPercent: null })).toEqual([1]);
});
