/** The rules page: classes of instruments, the lines of each rule, and exceptions of single instruments. */
import i18next from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import { cents, formatRate } from "#contract/kernel/money.ts";
import type { Code } from "#contract/kernel/id.ts";
import type { Rules, TradeRule } from "#contract/rule.ts";
import en from "#locales/en.json";
import { exceptionsOf, ruleClasses } from "#src/screens/information/rule-classes.ts";
import { lockText, locksOf, differingLines, ruleLines } from "#src/screens/information/rule-lines.ts";
import { ACCOUNT_RULE } from "#tests/support/terms.ts";
import { BLOCK_RULE } from "#tests/support/block-rule.ts";
import { AUCTION_RULE } from "#tests/support/auction-rule.ts";
import { OFFERING_RULE } from "#tests/support/offering-rule.ts";
import { RAISE_RULE, SAVINGS_RULE } from "#tests/support/raise-rule.ts";
import { CREDIT_RULE } from "#tests/support/credit-rule.ts";
import { REWARD_RULE } from "#tests/support/reward-rule.ts";

const TRADE: TradeRule = {
  feePerMillion: 1425,
  feeMinimumCents: cents(2000),
  oddFeeMinimumCents: cents(100),
  taxPerMillion: 3000,
  dayTaxPerMillion: 1500,
  shortPerMillion: 900_000,
  maxLots: 499,
  maxOddShares: 999,
  minimumCents: cents(100_000),
  lockSeconds: null,
  closedDays: 0,
  multiples: [1, 2, 3],
  loanPerMillion: 600_000,
  marginShortPerMillion: 900_000,
  interestPerMillion: 65_000,
  borrowPerMillion: 50_000,
  settlementDays: 0,
};
const ALWAYS = { bonds: null, from: null, until: null };
const DAY = 20_000;
const RULES: Rules = {
  trade: TRADE,
  exceptions: [
    { board: null, kind: "etf", code: null, ...ALWAYS, rule: { taxPerMillion: 1000 } },
    { board: "otc", kind: "stock", code: null, ...ALWAYS, rule: { settlementDays: 2 } },
    { board: null, kind: null, code: "2330" as Code, ...ALWAYS, rule: { maxLots: 10 } },
  ],
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
};
const instrument = (code: string, over: Partial<Instrument> = {}): Instrument =>
  ({ code, kind: "stock", board: "listed", tradable: true, bonds: false, sellLockSeconds: 60, ...over }) as Instrument;
const LIST = [
  instrument("2330"),
  instrument("2317", { sellLockSeconds: 900 }),
  instrument("6488", { board: "otc" }),
  instrument("0050", { kind: "etf", sellLockSeconds: 0 }),
  instrument("00679B", { kind: "etf", board: "otc", sellLockSeconds: 86_400 }),
  instrument("IX0001", { kind: "index", board: "index", tradable: false }),
];

beforeAll(() => i18next.init({ lng: "en", resources: { en: { translation: en } } }));

describe("rules", () => {
  it("split a kind by board only where the rules differ, and leave out what is not traded", () => {
    const classes = ruleClasses(RULES, LIST, DAY);
    expect(classes.map(({ kind, board }) => [kind, board])).toEqual([
      ["stock", "listed"],
      ["stock", "otc"],
      ["etf", null],
    ]);
    expect(classes.map(({ rule }) => [rule.taxPerMillion, rule.settlementDays])).toEqual([
      [3000, 0],
      [3000, 2],
      [1000, 0],
    ]);
    // An exception for one stock does not change its class's rule.
    expect(classes[0]?.rule.maxLots).toBe(499);
  });

  it("list bond funds separately while the law does, with the last day and the next rate", () => {
    const bonds = { board: null, kind: "etf" as const, code: null, bonds: true, from: null, until: DAY + 40, rule: { taxPerMillion: 0 } };
    const rules: Rules = { ...RULES, exceptions: [...RULES.exceptions, bonds] };
    const list = LIST.map((one) => ({ ...one, bonds: one.code === "00679B" }));
    const etfs = (day: number) => ruleClasses(rules, list, day).filter(({ kind }) => kind === "etf");
    expect(etfs(DAY).map((one) => [one.bonds, one.instruments.map(({ code }) => code), one.rule.taxPerMillion, one.next?.day])).toEqual([
      [false, ["0050"], 1000, undefined],
      [true, ["00679B"], 0, DAY + 41],
    ]);
    const [, exempt] = etfs(DAY + 40);
    if (!exempt) throw new Error("no class has a last day");
    const lines = ruleLines(i18next.t, exempt.rule, exempt.instruments, exempt.next);
    expect(lines.costs[3]?.value).toBe("None until 2024.11.13, then 0.1%");
    expect(lines.costs[4]?.value).toBe("0.15%");
    expect(etfs(DAY + 41).map((one) => [one.bonds, one.board, one.instruments.length])).toEqual([[false, null, 2]]);
  });

  it("list only the differing lines of a single instrument", () => {
    const [listed] = ruleClasses(RULES, LIST, DAY);
    if (!listed) throw new Error("no class");
    const [exception] = exceptionsOf(RULES, listed, DAY);
    expect(exception?.instrument.code).toBe("2330");
    const ours = ruleLines(i18next.t, listed.rule, listed.instruments);
    const theirs = ruleLines(i18next.t, exception?.rule ?? TRADE, listed.instruments);
    expect(differingLines(theirs, ours)).toEqual([{ label: "Maximum order, board lots", value: "10 lots" }]);
    expect(exceptionsOf(RULES, { ...listed, instruments: LIST.slice(1) }, DAY)).toEqual([]);
  });

  it("read rates, locks and leverage from the rule itself", () => {
    const lines = ruleLines(i18next.t, TRADE, LIST);
    const values = Object.fromEntries(Object.values(lines).flatMap((part) => part.map(({ label, value }) => [label, value])));
    expect(values["Commission, each side"]).toBe("0.1425%");
    expect(values["Transaction tax, on selling"]).toBe("0.3%");
    expect(values["Sell lock"]).toBe("No lock · 1 minute · 15 minutes · until T+1");
    expect(values["Leverage"]).toBe("2× · 3×");
    // The member's own part is rounded up, and half of it must be maintained: the terms an order of this leverage gets.
    expect(values["At 3×"]).toBe("initial 33.3334%, maintenance 16.6667%");
    expect(values["Settlement"]).toBe("At once");
    const later = ruleLines(i18next.t, { ...TRADE, lockSeconds: 60, settlementDays: 2, multiples: [1], taxPerMillion: 0 }, LIST);
    expect(later.settlement[0]?.value).toBe("T+2");
    expect(later.costs[3]?.value).toBe("None");
    expect(later.borrowing.some(({ label }) => label.startsWith("At "))).toBe(false);
    expect(locksOf({ lockSeconds: 60 }, LIST)).toEqual([60]);
    expect(lockText(i18next.t, 0)).toBe("No lock");
  });

  it("show parts per million without trailing zeros", () => {
    expect([0, 1, 1425, 65_000, 900_000, 1_000_000].map(formatRate)).toEqual(["0%", "0.0001%", "0.1425%", "6.5%", "90%", "100%"]);
  });
});
