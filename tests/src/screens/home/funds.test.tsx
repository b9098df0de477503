/** The screen of funds and savings: raisings and the past of their index, subscribing and withdrawing, and plans with their months. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MemberFacts } from "#contract/eligibility.ts";
import { DAY_MS, epochMs, formatDate, formatDateTime } from "#contract/kernel/time.ts";
import type { Raise, Stake } from "#contract/raise.ts";
import type { SavingsPlan, SavingsRun } from "#contract/savings-plan.ts";
import en from "#locales/en.json";
import { nextRaiseTurn, raiseAt } from "#src/screens/home/fund-clock.ts";
import { lotsLeft } from "#src/screens/home/fund-form.tsx";
import { FundsPage } from "#src/screens/home/funds.tsx";
import { marketApi } from "#src/streams/worker-link.ts";
import { accepted, broken, mock, refused } from "#tests/src/gateway/broker.ts";
import { field, fieldErrors, press, settled, type, ways, words } from "#tests/src/screens/form.ts";
import { fakeWorker } from "#tests/src/streams/fake-worker.ts";
import type { FakeWorker } from "#tests/src/streams/fake-worker.ts";
import { OVERVIEW, bodies, setUpHarness } from "#tests/src/streams/harness.tsx";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";
import { planOf, raiseOf, runOf, stakeOf } from "#tests/support/raise.ts";
import { RAISE_RULE, SAVINGS_RULE } from "#tests/support/raise-rule.ts";

let worker: FakeWorker;
let shown: Shown;
let facts = 0;

const READY: Partial<MemberFacts> = { fundPassword: true, agreements: ["subscription"] };
const facing = (over: Partial<MemberFacts> = READY) =>
  mock("readMember", () => accepted({ ...OVERVIEW, availableCents: 50_000_000, facts: { ...OVERVIEW.facts, ...over } }));
const emit = (fact: object): Promise<void> =>
  doing(() => worker.emit({ kind: "facts", facts: [{ n: ++facts, at: 5_000, ...fact }] as never }));

i18next.use(initReactI18next);
setUpHarness();
beforeAll(async () => {
  worker = fakeWorker();
  await marketApi();
});
beforeEach(() => facing());
afterEach(() => shown?.gone());

describe("raisings", () => {
  async function open(raises: readonly Raise[], stakes: readonly Stake[] = [], path = "/home/etf?fund=N0005F"): Promise<void> {
    mock("listRaises", () => accepted({ raises: [...raises], rule: RAISE_RULE }));
    mock("listStakes", () => accepted({ items: [...stakes], next: null }));
    shown = await show(<FundsPage />, path);
    await settled(() => words().includes("15.00"));
  }

  it("are listed, those that can be subscribed to before those that are over", async () => {
    const over = raiseOf({ code: "N0001F", status: "listed", listingPrice: 149_000 });
    await open([over, raiseOf()], [], "/home/etf");
    const rows = [...document.querySelectorAll("main li")].map(({ textContent }) => textContent ?? "");
    expect(rows.map((row) => row.slice(0, 6))).toEqual(["N0005F", "N0001F"]);
    expect(rows[0]).toContain(en.raise.status.raising);
    expect(rows[1]).toContain("14.90");
  });

  it("say what failed, and that a fund is gone", async () => {
    mock("listRaises", () => broken.status(500));
    mock("listStakes", () => accepted({ items: [], next: null }));
    shown = await show(<FundsPage />, "/home/etf?fund=N0009F");
    await settled(() => words().includes(en.fund.failed));
    mock("listRaises", () => accepted({ raises: [], rule: RAISE_RULE }));
    await press(en.ui.retry);
    await settled(() => words().includes(en.fund.gone));
  });

  it("tell a return only as the past of the index, with its period, and that nothing is promised", async () => {
    const [from, until] = [epochMs(Date.UTC(2025, 6, 1)), epochMs(Date.UTC(2026, 6, 1))];
    await open([raiseOf({ past: { indexCode: "IX0001" as never, from, until, changePerMillion: -54_321 } })]);
    for (const said of ["2025.07.01 – 2026.07.01", "▼ −5.43%", en.fund.past.promise]) expect(words()).toContain(said);
    await shown.gone();
    await open([raiseOf({ past: null })]);
    expect(words()).toContain(en.fund.past.none);
    expect(words()).toContain(en.fund.past.promise);
  });

  it("say everything that keeps a subscription back", async () => {
    facing({});
    await open([raiseOf()]);
    await settled(() => words().includes(en.refusal.PWD_FUND_NOT_SET));
    expect(ways()).toEqual(["/information/fundPass", "/information/shou?kind=subscription"]);
    expect(document.querySelector("form")).toBeNull();
  });

  it("take no subscription before they open and after they close", async () => {
    await open([raiseOf({ status: "upcoming", opensAt: Date.now() + DAY_MS })]);
    await settled(() => words().includes(en.fund.figures));
    expect(words()).not.toContain(en.fund.review);
    await shown.gone();
    await open([raiseOf({ closesAt: Date.now() - 1 })]);
    await settled(() => words().includes(en.fund.figures));
    expect(words()).not.toContain(en.fund.review);
  });

  it.each([
    ["41", en.refusal.TRD_RAISE_QUOTA_INSUFFICIENT],
    ["0", en.refusal.VAL_LOTS_INTEGER],
    ["1.5", en.refusal.VAL_LOTS_INTEGER],
  ])("keep %s lots at the field", async (lots, said) => {
    await open([raiseOf()]);
    await settled(() => document.querySelector("form"));
    await type(en.fund.field.lots, lots);
    await press(en.fund.review);
    await settled(() => fieldErrors().includes(said));
    expect(bodies("subscribeRaise")).toEqual([]);
  });

  it("show what is put on hold and until when it can be withdrawn, and take the subscription once", async () => {
    await open([raiseOf()]);
    await settled(() => document.querySelector("form"));
    await type(en.fund.field.lots, "3");
    await press(en.fund.review);
    await settled(() => words().includes(en.fund.reviewTitle));
    // 3,000 units at 15 and a fee of 0.1 %.
    for (const said of ["15.00 × 3 lots × 1,000", "TWD 45,000.00", "TWD 45.00", "TWD 45,045.00", "You can withdraw it until"])
      expect(words()).toContain(said);
    mock("subscribeRaise", () => refused("PWD_FUND_WRONG", { params: { n: 4 }, field: "fundPassword" }));
    await type(en.app.title.fundPassword, "111111");
    await press("Subscribe TWD 45,045.00");
    await settled(() => fieldErrors().length === 1);
    mock("subscribeRaise", () => accepted(stakeOf()));
    await type(en.app.title.fundPassword, "246810");
    await press("Subscribe TWD 45,045.00");
    await settled(() => words().includes("E7") && !words().includes(en.fund.reviewTitle));
    expect(bodies("subscribeRaise")).toMatchObject([
      { code: "N0005F", lots: 3, fundPassword: "111111" },
      { code: "N0005F", lots: 3, fundPassword: "246810" },
    ]);
  });

  it("show the member's stakes however many newer ones of other funds there are, and ask for none from before the raising", async () => {
    const raise = raiseOf();
    const { opensAt } = raise;
    const pages: Record<string, Stake[]> = {
      "": [stakeOf({ stakeNo: "E9", code: "N0001F", subscribedAt: epochMs(opensAt + 3) })],
      E9: [stakeOf({ stakeNo: "E8", subscribedAt: epochMs(opensAt + 2) }), stakeOf({ stakeNo: "E7", subscribedAt: epochMs(opensAt + 1) })],
      E7: [stakeOf({ stakeNo: "E6", code: "N0001F", subscribedAt: epochMs(opensAt - 1) })],
    };
    mock("listRaises", () => accepted({ raises: [raise], rule: RAISE_RULE }));
    mock("listStakes", ({ cursor }) => {
      const items = pages[cursor ?? ""] ?? [];
      return accepted({ items, next: items.at(-1)?.stakeNo ?? null });
    });
    shown = await show(<FundsPage />, "/home/etf?fund=N0005F");
    await settled(() => words().includes("E8") && words().includes("E7") && bodies("listStakes").length === 3);
    expect(bodies("listStakes")).toEqual([{ cursor: null }, { cursor: "E9" }, { cursor: "E7" }]);
    await emit({ type: "stake.withdrawn", stake: stakeOf({ stakeNo: "E8", status: "withdrawn", version: 99 }) });
    await settled(() => words().includes(en.raise.stake.withdrawn));
    expect(document.querySelectorAll("main li [role=group]")).toHaveLength(2);
  });

  it("show stakes in progress that are pages behind those that are over", async () => {
    mock("listRaises", () => accepted({ raises: [raiseOf()], rule: RAISE_RULE }));
    mock("listStakes", ({ cursor }) =>
      cursor === null
        ? accepted({ items: [stakeOf({ stakeNo: "E9", status: "withdrawn" })], next: "E9" })
        : accepted({ items: [stakeOf({ stakeNo: "E8" })], next: null }),
    );
    shown = await show(<FundsPage />, "/home/etf?part=mine");
    await settled(() => words().includes(en.raise.stake.subscribed));
  });

  it("count all open stakes of a member together", () => {
    expect(lotsLeft({ mostLots: 40 }, [stakeOf({ lots: 30 }), stakeOf({ lots: 30, status: "withdrawn" })])).toBe(10);
    expect(lotsLeft({ mostLots: 40 }, [stakeOf({ lots: 41 })])).toBe(0);
  });

  it("are withdrawn from after one question, which is not asked after the close", async () => {
    const closed = stakeOf({ stakeNo: "E6", closesAt: Date.now() - 1 });
    await open([raiseOf()], [stakeOf(), closed], "/home/etf?part=mine");
    await settled(() => words().includes(en.raise.stake.subscribed));
    expect([...document.querySelectorAll("button")].filter(({ textContent }) => textContent === en.fund.withdraw)).toHaveLength(1);
    await press(en.fund.withdraw);
    expect(document.body.textContent).toContain("TWD 45,045.00 is available again at once");
    mock("withdrawStake", () => accepted(stakeOf({ status: "withdrawn", reason: "member", reservedCents: 0, version: 2 })));
    await press(en.fund.withdraw);
    await settled(() => bodies("withdrawStake").length === 1);
    await doing(() => document.querySelectorAll<HTMLInputElement>("input[type=radio]")[1]?.click());
    await settled(() => words().includes(en.fund.reason.member));
    expect(bodies("withdrawStake")).toMatchObject([{ stakeNo: "E7" }]);
  });

  it("follow the facts of a stake, but never an older copy of it", async () => {
    await open([raiseOf()], [stakeOf({ version: 2 })], "/home/etf?part=mine");
    await settled(() => words().includes(en.raise.stake.subscribed));
    await emit({ type: "stake.subscribed", stake: stakeOf({ status: "returned", version: 1 }) });
    await emit({
      type: "stake.delivered",
      stake: stakeOf({ status: "inProgress", allottedLots: 2, orderNo: "K000000000001", version: 3 }),
    });
    await settled(() => words().includes(en.fund.toPosition));
    expect(words()).toContain("2 lots");
    expect(words()).not.toContain(en.raise.stake.returned);
  });

  it("open by the clock, and are read again when they should have moved on", () => {
    const raise = raiseOf({ status: "upcoming", opensAt: 1_000, closesAt: 2_000, tradesFrom: 4_000 });
    expect([999, 1_000, 2_000].map((now) => raiseAt(raise, now).status)).toEqual(["upcoming", "raising", "upcoming"]);
    expect(nextRaiseTurn([raise], 999)).toBe(1_000);
    expect(nextRaiseTurn([{ ...raise, status: "raising" }], 1_500)).toBe(2_000);
    expect(nextRaiseTurn([{ ...raise, status: "raising" }], 2_500)).toBeGreaterThan(2_500);
    expect(nextRaiseTurn([{ ...raise, status: "raised" }], 2_500)).toBe(4_000);
    expect(nextRaiseTurn([{ ...raise, status: "listed" }], 5_000)).toBeNull();
  });
});

describe("savings plans", () => {
  const fund = {
    row: 4,
    code: "0050",
    zh: "元大台灣50",
    zhCn: "元大台湾50",
    en: "Yuanta Taiwan 50",
    kind: "etf",
    board: "listed",
    tradable: true,
  };
  const firstAt = Array.from({ length: 31 }, (_, nth) => epochMs(Date.UTC(2026, 7, nth + 1)));

  async function open(plans: readonly SavingsPlan[], path: string, runs: readonly SavingsRun[] = [], days = firstAt): Promise<void> {
    mock("listSavingsPlans", () => accepted({ plans: [...plans], rule: SAVINGS_RULE, firstAt: days }));
    mock("listSavingsRuns", () => accepted({ items: [...runs], next: null }));
    mock("readRules", () => refused("GEN_SYSTEM_BUSY"));
    worker.emit({ kind: "instruments", table: { venue: null, categories: [], instruments: [fund] } as never });
    shown = await show(<FundsPage />, path);
    await settled(() => document.querySelector("main")?.querySelector("a, form, dl"));
  }

  it("are listed with amount, day and the next purchase; none more can be started than the rule allows", async () => {
    const plans = Array.from({ length: 20 }, (_, nth) => planOf({ planNo: `V${nth + 1}` }));
    await open([...plans, planOf({ planNo: "V99", status: "ended", nextAt: null })], "/home/etf?part=savings");
    await settled(() => words().includes("TWD 3,000.00"));
    expect(words()).toContain(`Next ${formatDate(planOf().nextAt ?? 0)}`);
    expect(words()).toContain("You have 20 plans");
    expect(ways()).not.toContain("/home/etf?plan=new");
  });

  it("say why the first purchase is not on the chosen day where a month lasts hours", async () => {
    const hours = firstAt.map((_, nth) => epochMs(Date.UTC(2026, 7, 1, 0, 10 * nth)));
    await open([], "/home/etf?plan=new&code=0050", [], hours);
    await settled(() => words().includes(en.savings.note.compressed));
    expect(words()).toContain(formatDateTime(hours[5] ?? 0));
  });

  it("start with an instrument, an amount of the least or more, and a day, whose first purchase is told", async () => {
    await open([], "/home/etf?plan=new&code=0050");
    await settled(() => document.querySelector("form") && words().includes("Yuanta Taiwan 50"));
    expect(words()).toContain(formatDate(firstAt[5] ?? 0));
    expect(words()).not.toContain(en.savings.note.compressed);
    await type(en.savings.field.amount, "999");
    await press(en.savings.start);
    await settled(() => fieldErrors().includes("The purchase is below the product minimum of 1,000"));
    expect(bodies("startSavingsPlan")).toEqual([]);
    mock("startSavingsPlan", () => accepted(planOf()));
    mock("listSavingsPlans", () => accepted({ plans: [planOf()], rule: SAVINGS_RULE, firstAt }));
    await press("3,000");
    expect(field(en.savings.field.amount).value).toBe("3,000");
    await press(en.savings.start);
    await settled(() => words().includes(en.savings.runs));
    expect(bodies("startSavingsPlan")).toMatchObject([{ code: "0050", amount: 3_000, day: 6 }]);
  });

  it("start with nothing that the member has not chosen", async () => {
    await open([], "/home/etf?plan=new&code=9999");
    await settled(() => field(en.savings.field.instrument));
    await type(en.savings.field.amount, "3000");
    await press(en.savings.start);
    await settled(() => fieldErrors().includes(en.refusal.VAL_STOCK_CODE_REQUIRED));
    expect(bodies("startSavingsPlan")).toEqual([]);
    await doing(() => document.querySelector<HTMLInputElement>("input[type=radio]")?.click());
    expect(words()).toContain("Yuanta Taiwan 50 元大台灣50 0050");
  });

  it("are not started by a member who may not trade", async () => {
    facing({ identity: "unverified" });
    await open([], "/home/etf?plan=new");
    await settled(() => words().includes(en.refusal.ACC_REALNAME_REQUIRED));
    expect(document.querySelector("form")).toBeNull();
  });

  it("tell of each month what was bought, or why it was skipped", async () => {
    await open([planOf()], "/home/etf?plan=V1", [runOf({ skipped: "money" })]);
    await settled(() => words().includes(en.savings.skip.money));
    for (const said of [en.savings.status.active, "TWD 3,000.00"]) expect(words()).toContain(said);
  });

  it("are paused and resumed, changed, and ended after one question", async () => {
    await open([planOf()], "/home/etf?plan=V1");
    mock("pauseSavingsPlan", () => accepted(planOf({ status: "paused", nextAt: null, version: 2 })));
    await press(en.savings.pause);
    await settled(() => words().includes(en.savings.status.paused));
    mock("resumeSavingsPlan", () => accepted(planOf({ version: 3 })));
    await press(en.savings.resume);
    await settled(() => words().includes(en.savings.status.active));

    await press(en.savings.change);
    expect(field(en.savings.field.amount).value).toBe("3,000");
    await press("5,000");
    mock("changeSavingsPlan", () => accepted(planOf({ amountCents: 500_000, version: 4 })));
    await press(en.savings.save);
    await settled(() => words().includes("TWD 5,000.00"));
    expect(bodies("changeSavingsPlan")).toMatchObject([{ planNo: "V1", amount: 5_000, day: 6 }]);

    await press(en.savings.end);
    expect(bodies("endSavingsPlan")).toEqual([]);
    mock("endSavingsPlan", () => accepted(planOf({ status: "ended", nextAt: null, endedAt: Date.now(), version: 5 })));
    await press(en.savings.end);
    await settled(() => words().includes(en.savings.status.ended));
    expect(words()).not.toContain(en.savings.pause);
  });
});
