/** Tests the commands on runs of strategies and back-tests: every refusal at its field, other members, repetition, and limits. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { STRATEGY_CODES } from "#contract/strategy.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { CODE, expectCleanBooks, investor, newId, openStrategyBroker, past, priced, RISING, start } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openStrategyBroker();
});
beforeEach(() => {
  // What a strategy wants on a day is computed once for everybody: each test has a day of its own.
  broker.clock.now += DAY_MS;
  broker.venue.setPhase("open");
  broker.venue.setFresh(true);
  broker.venue.setMatching(0, null);
  priced(broker, 30);
  past(broker, RISING);
});
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

describe("a command on a run", () => {
  it("is refused with a reason, at its field", async () => {
    const member = await investor(broker, 20_000_000);
    const of = (over: Parameters<typeof start>[2]) => refusalOf(start(broker, member, over));
    expect(await of({ amount: 99_999 })).toMatchObject({ code: "TRD_PRODUCT_MIN", params: { n: "100,000" }, field: "amount" });
    expect(await of({ amount: 200_001 })).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT", field: "amount" });
    expect(await of({ code: "2330" as never })).toMatchObject({ code: "TRD_NOT_TRADABLE", field: "code" });
    expect(await of({ code: null })).toMatchObject({ code: "TRD_NOT_TRADABLE", field: "code" });
    expect(await of({ strategy: "rotation" })).toMatchObject({ code: "TRD_NOT_TRADABLE", field: "code" });
    const { runNo } = await start(broker, member);
    expect(await of({})).toMatchObject({ code: "TRD_STRATEGY_RUNNING", field: "code" });
    const ask = (name: "pauseStrategy" | "resumeStrategy", no = runNo) => broker.call(name, member, { requestId: newId(), runNo: no });
    expect(await refusalOf(ask("resumeStrategy"))).toMatchObject({ code: "TRD_STRATEGY_NOT_PAUSED", field: "runNo" });
    await ask("pauseStrategy");
    expect(await refusalOf(ask("pauseStrategy"))).toMatchObject({ code: "TRD_STRATEGY_NOT_RUNNING", field: "runNo" });
    expect(await refusalOf(ask("pauseStrategy", "Q999999"))).toMatchObject({ code: "GEN_NOT_FOUND", field: "runNo" });
    await broker.call("stopStrategy", member, { requestId: newId(), runNo, keep: true });
    expect(await refusalOf(ask("resumeStrategy"))).toMatchObject({ code: "TRD_STRATEGY_ENDED", field: "runNo" });
  });

  it("needs a fund password, and no debt", async () => {
    const member = await broker.newMember();
    expect(await refusalOf(start(broker, member))).toMatchObject({ code: "PWD_FUND_NOT_SET" });
  });

  it("finds no run of another member's", async () => {
    const { runNo } = await start(broker, await investor(broker));
    const other = await investor(broker);
    for (const name of ["pauseStrategy", "resumeStrategy"] as const)
      expect(await refusalOf(broker.call(name, other, { requestId: newId(), runNo }))).toMatchObject({ code: "GEN_NOT_FOUND" });
    expect(await refusalOf(broker.call("stopStrategy", other, { requestId: newId(), runNo, keep: true }))).toMatchObject({
      code: "GEN_NOT_FOUND",
    });
    expect(await refusalOf(broker.call("listRunTrades", other, { runNo, cursor: null }))).toMatchObject({ code: "GEN_NOT_FOUND" });
    expect((await broker.call("listStrategyRuns", other, {})).runs).toEqual([]);
  });

  it("takes ten runs and no more", async () => {
    const member = await investor(broker);
    for (const code of STRATEGY_CODES) await start(broker, member, { code: code as never });
    await start(broker, member, { strategy: "grid" });
    await start(broker, member, { strategy: "breakout" });
    expect(await refusalOf(start(broker, member, { strategy: "reversion" }))).toMatchObject({ code: "GEN_LIST_FULL", params: { n: 10 } });
    for (const { runNo } of (await broker.call("listStrategyRuns", member, {})).runs)
      await broker.call("stopStrategy", member, { requestId: newId(), runNo, keep: true });
    await start(broker, member, { strategy: "reversion" });
  });

  it("comes before the closing of the account, which waits until the run has stopped", async () => {
    const member = await investor(broker, 10_000_000);
    // A run may have bought meanwhile.
    const open = async () => (await broker.call("readClosing", member, {})).open.filter(({ what }) => what !== "positions");
    const { runNo } = await start(broker, member);
    expect(await open()).toEqual([
      { what: "strategies", count: 1 },
      { what: "money", count: 1 },
    ]);
    expect(await refusalOf(broker.call("closeAccount", member, { current: "secret", givesUp: true }))).toMatchObject({
      code: "ACC_CLOSE_OPEN",
    });
    await broker.call("stopStrategy", member, { requestId: newId(), runNo, keep: true });
    expect(await open()).toEqual([{ what: "money", count: 1 }]);
  });

  it("tells what was asked twice only once", async () => {
    const member = await investor(broker);
    const requestId = newId();
    const [one, two] = [await start(broker, member, { requestId }), await start(broker, member, { requestId })];
    expect(two).toEqual(one);
    expect((await broker.call("listStrategyRuns", member, {})).runs).toHaveLength(1);
  });
});

describe("a back-test of the venue's past", () => {
  it("has a curve of five hundred days, and is refused where there are fewer", async () => {
    const member = await investor(broker);
    const ask = (over = {}) => broker.call("readBacktest", member, { strategy: "cross", code: CODE, amount: 100_000, ...over });
    expect(await refusalOf(ask())).toMatchObject({ code: "TRD_STRATEGY_NO_HISTORY", field: "code" });
    past(
      broker,
      Array.from({ length: 800 }, (_, nth) => 30 + 5 * Math.sin(nth / 10)),
    );
    const result = await ask();
    expect(result.curve).toHaveLength(1_500);
    expect(result.sales).toBeGreaterThan(2);
    expect(result.profitCents).not.toBe(0);
    expect(await refusalOf(ask({ code: "2330" }))).toMatchObject({ code: "TRD_NOT_TRADABLE", field: "code" });
  });

  it("is refused to a member who asks for a third at once, and to anyone when too many wait", async () => {
    const members = await Promise.all(Array.from({ length: 10 }, () => investor(broker)));
    const closes = Array.from({ length: 800 }, (_, nth) => 30 + 5 * Math.sin(nth / 10));
    past(broker, closes, STRATEGY_CODES);
    const ask = (member: number): Promise<string> =>
      broker
        .call("readBacktest", member, { strategy: "learned", code: CODE, amount: 100_000 })
        .then(() => "answered")
        .catch((error: unknown) => (error as { code: string }).code);
    const outcomes = await Promise.all(members.flatMap((member) => Array.from({ length: 4 }, () => ask(member))));
    // The first four get their two each, and nobody a third.
    const got = members.map((_, nth) => outcomes.slice(nth * 4, nth * 4 + 4).filter((outcome) => outcome === "answered").length);
    expect(got).toEqual([2, 2, 2, 2, 0, 0, 0, 0, 0, 0]);
    expect(new Set(outcomes)).toEqual(new Set(["answered", "GEN_SYSTEM_BUSY"]));
    // What was answered or refused takes nobody's turn.
    expect(await ask(members[9] ?? 0)).toBe("answered");
  });
});
