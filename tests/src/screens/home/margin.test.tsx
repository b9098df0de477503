/** The margin account screen: applying, validating the payment of a margin call, and calls ended by a fact. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { MarginAccount, MarginCall } from "#contract/margin.ts";
import en from "#locales/en.json";
import { outstanding } from "#src/screens/home/margin-call.tsx";
import { MarginPage } from "#src/screens/home/margin.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { margin } from "#src/streams/margin.ts";
import { accepted, mock } from "#tests/src/gateway/broker.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, bodies, setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, one, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { until } from "#tests/support/until.ts";
import { ACCOUNT_RULE } from "#tests/support/terms.ts";
import { BLOCK_RULE } from "#tests/support/block-rule.ts";
import { AUCTION_RULE } from "#tests/support/auction-rule.ts";
import { OFFERING_RULE } from "#tests/support/offering-rule.ts";
import { RAISE_RULE, SAVINGS_RULE } from "#tests/support/raise-rule.ts";
import { CREDIT_RULE } from "#tests/support/credit-rule.ts";
import { REWARD_RULE } from "#tests/support/reward-rule.ts";

const CALL: MarginCall = {
  callNo: "M000000000001",
  status: "due",
  calledAt: epochMs(1_000),
  dueAt: epochMs(Date.UTC(2026, 2, 3, 5, 30)),
  endedAt: null,
  requiredCents: cents(12_345_678),
  paidCents: cents(1_000_000),
};
const NONE: MarginAccount = {
  status: "none",
  appliedAt: null,
  approvedAt: null,
  loanCents: cents(0),
  interestCents: cents(0),
  addedCents: cents(0),
  ratioBasisPoints: null,
  call: null,
  version: 1,
};
const CALLED: MarginAccount = {
  ...NONE,
  status: "approved",
  loanCents: cents(60_000_000),
  ratioBasisPoints: 12_730,
  call: CALL,
  version: 2,
};

let worker: FakeWorker;
let shown: Shown;
let facts = 0;

const words = (): string => document.querySelector("main")?.textContent ?? "";
const press = (name: string): Promise<void> =>
  doing(() => [...document.querySelectorAll("button")].find((button) => button.textContent === name)?.click());
const type = (text: string): Promise<void> =>
  doing(() => {
    const field = one(document, "input");
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
const submit = (): Promise<void> =>
  doing(() => one(document, "form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));
const emitFact = (type_: string, account: MarginAccount): void =>
  worker.emit({ kind: "facts", facts: [{ n: ++facts, at: 5_000, type: type_, account }] as never });

/** Waits for something outside React. */
async function settled(happened: () => unknown): Promise<void> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = false;
  await until(happened);
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
}

async function open(account: MarginAccount): Promise<void> {
  mock("readMargin", () => accepted({ account, calls: account.call ? [account.call] : [] }));
  shown = await show(<MarginPage />);
  await settled(() => margin.now().value !== null);
  await settled(() => document.querySelector("main h2") !== null);
}

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
});
beforeEach(() => {
  mock("listPositions", () => accepted({ positions: [] }));
  mock("readMember", () => accepted(OVERVIEW));
  mock("readRules", () =>
    accepted({
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
      copy: { minimumCents: 10_000_000, slipPerMillion: 5_000, followers: 1_000, lateSeconds: 60 },
      strategy: { minimumCents: 10_000_000, runs: 10, limitPerMillion: 5_000 },
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
    }),
  );
});
afterEach(() => shown.gone());

/** Answers that the margin agreement was signed at a time, or not at all. */
const mockSigned = (signedAt: number | null): void =>
  mock("listAgreements", () =>
    accepted([{ kind: "margin", title: "Margin", version: 1, signedAt: signedAt === null ? null : epochMs(signedAt), id: null }]),
  );

describe("the margin account", () => {
  it("asks for the signed agreement before the application", async () => {
    mockSigned(null);
    await open(NONE);
    await settled(() => words().includes(en.agreement.signFirst));
    expect(one(document, 'a[href*="/information/shou?kind=margin"]').textContent).toBe(en.agreement.toSign);
    expect(words()).not.toContain(en.margin.apply);
  });

  it("is applied for only with the agreement ticked, below its risks", async () => {
    mockSigned(1_000);
    await open(NONE);
    await settled(() => words().includes(en.margin.agree));
    expect(words()).toContain(en.margin.risk);
    await settled(() => words().includes("Below 130% you receive a margin call; from 166% it is cleared."));
    expect(words()).toContain("The broker lends up to 60% of what you buy.");
    await submit();
    await settled(() => words().includes(en.dayTrading.agreeFirst));
    expect(bodies("applyMargin")).toEqual([]);

    mock("applyMargin", () => accepted({ ...NONE, status: "pendingReview", appliedAt: 4_000, version: 2 }));
    await doing(() => one(document, "input").click());
    await submit();
    await settled(() => words().includes(en.margin.reviewed));
    expect(bodies("applyMargin")).toMatchObject([{ agreed: true }]);

    // The broker's decision arrives automatically.
    await doing(() => emitFact("margin.approved", { ...NONE, status: "approved", approvedAt: epochMs(5_000), version: 3 }));
    await settled(() => words().includes(en.margin.nothingOwed));
    expect(words()).toContain(en.margin.risk);
  });

  it("shows the ratio against both thresholds, and accepts only positive whole NT$ for a call", async () => {
    await open(CALLED);
    expect(words()).toContain("Due · to be met by 2026.03.03 13:30:00");
    expect(one(document, "input").value).toBe("113457");
    for (const wrong of ["", "0", "-5", "1.5", "ten"]) {
      await type(wrong);
      await submit();
      await settled(() => document.querySelector("[id$=-error]")?.textContent === en.refusal.VAL_MARGIN_POSITIVE);
      await type("1");
      await settled(() => document.querySelector("[id$=-error]") === null);
    }
    expect(bodies("payMargin")).toEqual([]);

    const paid = { ...CALLED, addedCents: cents(200_000), call: { ...CALL, paidCents: cents(1_200_000) }, version: 3 };
    mock("payMargin", () => accepted(paid));
    await type("2,000");
    await submit();
    await settled(() => words().includes("12,000.00"));
    expect(bodies("payMargin")).toMatchObject([{ amount: 2_000 }]);
  });

  it("moves an ended call to the history by its fact alone", async () => {
    await open(CALLED);
    const read = bodies("readMargin").length;
    const ended = { ...CALL, status: "cleared" as const, endedAt: epochMs(5_000), paidCents: CALL.requiredCents };
    await doing(() => emitFact("margin.cleared", { ...CALLED, ratioBasisPoints: 17_000, call: ended, version: 4 }));
    await settled(() => words().includes(en.margin.history));
    expect(words()).toContain(en.status.marginCall.cleared);
    expect([...document.querySelectorAll("button")].some(({ textContent }) => textContent === en.margin.pay)).toBe(false);
    // An older fact that arrives late changes nothing.
    await doing(() => emitFact("margin.paid", CALLED));
    expect(words()).toContain(en.status.marginCall.cleared);
    expect(bodies("readMargin").length).toBe(read);
  });

  it("withdraws an application after confirmation", async () => {
    mockSigned(1_000);
    await open({ ...NONE, status: "pendingReview", appliedAt: epochMs(4_000) });
    mock("withdrawMargin", () => accepted({ ...NONE, version: 2 }));
    await press(en.margin.withdraw);
    await doing(() => one(document, "dialog[open]").querySelectorAll("button")[1]?.click());
    await settled(() => words().includes(en.margin.apply));
    expect(bodies("withdrawMargin")).toHaveLength(1);
  });

  it("asks for the missing amount in whole NT$", () => {
    expect(outstanding({ requiredCents: cents(101), paidCents: cents(0) })).toBe(2);
    expect(outstanding({ requiredCents: cents(100), paidCents: cents(500) })).toBe(0);
  });
});
