/** Tests the cover of shorts before a register closes: the days, the refusal of new ones, the notice, and the broker's cover at the end. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readChange, setRule } from "#server/rules/change.ts";
import { windowOf } from "#server/trading/order-entry/cover-windows.ts";
import { tellUntold } from "#server/accounts/untold-messages.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const RULE = { coverDays: 6, stopDays: 4, noticeDays: 5, coverSeconds: 600 };
const dayOf = (text: string): number => Date.parse(`${text}T00:00:00Z`) / DAY_MS;

describe("the days of a closed register", () => {
  it.each([
    // The securities investors' protection centre's example: the register closed on Saturday, 18 August 2018.
    ["2018-08-18", "2018-08-10", "2018-08-16"],
    // The register closed on Friday, 24 July 2026: an ex-date on Wednesday.
    ["2026-07-24", "2026-07-16", "2026-07-22"],
  ])("closed on %s: last cover day %s, shorts again from %s", (closed, last, again) => {
    expect(windowOf({ row: 0, reason: "dividend", day: dayOf(closed) }, RULE)).toMatchObject({
      lastDay: dayOf(last),
      againDay: dayOf(again),
    });
  });
});

describe("a short", () => {
  /** The last day to cover: Thursday, 16 July 2026. */
  const LAST = dayOf("2026-07-16");
  let broker: TestBroker;
  let member: number;

  /** Begins a trading day, at an hour of it. */
  async function begin(day: number, hour = 10): Promise<void> {
    broker.clock.now = taipeiMidnight(day) + hour * HOUR_MS;
    broker.venue.setDay(taipeiMidnight(day) + 9 * HOUR_MS, taipeiMidnight(day) + 13 * HOUR_MS);
    broker.venue.setPhase("open");
    broker.venue.set(0, { bids: [[100, 400]], asks: [[100.5, 400]], last: 100, reference: 100 });
    await broker.settled();
  }

  beforeAll(async () => {
    broker = await openTestBroker();
  });
  beforeEach(async () => {
    broker.venue.setClosures([{ row: 0, reason: "dividend", day: dayOf("2026-07-24") }]);
    await begin(LAST - 10);
    member = await broker.newMember();
  });
  afterAll(async () => {
    expect(broker.faults).toEqual([]);
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
    await broker.shut();
  });

  const short = () => broker.place(member, { direction: "fall", lots: 2 });
  const days = async (code: "2330" | null) => (await broker.call("listCoverDays", member, { code: code as never })).days;
  const status = async (orderNo: Awaited<ReturnType<typeof short>>["orderNo"]) =>
    (await broker.call("readOrder", member, { orderNo })).order;

  it("is refused from the last day on until trading resumes, and may be covered meanwhile", async () => {
    const { orderNo } = await short();
    for (const day of [LAST, LAST + 1, dayOf("2026-07-21")]) {
      await begin(day, 9.5);
      expect(await refusalOf(short())).toMatchObject({ code: "TRD_SHORT_STOPPED", field: "direction", params: { n: "2026.07.22" } });
    }
    await broker.tick();
    await begin(dayOf("2026-07-22"));
    expect(await short()).toMatchObject({ status: "holding" });
    expect((await status(orderNo)).status).toBe("closed");
  });

  it("is not opened on the last day by an order of the day before: neither by one that waits for its trigger nor by a resting one", async () => {
    await begin(LAST - 1);
    const waits = await broker.place(member, { direction: "fall", price: 99, also: { trigger: { kind: "stop", price: 995_000 } } });
    const rests = await broker.place(member, { direction: "fall", price: 101 });
    broker.clock.now = taipeiMidnight(LAST) + 9.5 * HOUR_MS;
    broker.venue.setDay(taipeiMidnight(LAST) + 9 * HOUR_MS, taipeiMidnight(LAST) + 13 * HOUR_MS);
    // Both could trade before the first check of the day.
    broker.venue.set(0, { bids: [[101, 400]], asks: [[101.5, 400]], last: 101, reference: 100 });
    broker.venue.set(0, { bids: [[99, 400]], asks: [[99.5, 400]], last: 99 });
    await broker.tick();
    await broker.settled();
    for (const { orderNo } of [waits, rests]) expect(await status(orderNo)).toMatchObject({ status: "cancelled", filledLots: 0 });
  });

  it("is not opened by an order of the same day when the operator moves the last day to it", async () => {
    await begin(LAST - 1);
    const waits = await broker.place(member, { direction: "fall", price: 99, also: { trigger: { kind: "stop", price: 995_000 } } });
    broker.venue.set(0, { bids: [[100, 3]] });
    const part = await broker.place(member, { direction: "fall", price: 100, lots: 4 });
    expect(part).toMatchObject({ status: "pending", filledLots: 3 });
    await setRule(broker.db.kysely, await readChange(broker.db.kysely, ["shortCover", "coverDays=7"]));
    await broker.sequencer.rules.reload(broker.db.kysely);
    broker.venue.set(0, { bids: [[99, 400]], asks: [[99.5, 400]], last: 99 });
    await expect.poll(async () => (await status(waits.orderNo)).status).toBe("cancelled");
    await broker.tick();
    expect(await status(waits.orderNo)).toMatchObject({ filledLots: 0 });
    expect(await status(part.orderNo)).toMatchObject({ status: "holding", lots: 3 });
    await setRule(broker.db.kysely, await readChange(broker.db.kysely, ["shortCover", "coverDays=6"]));
    await broker.sequencer.rules.reload(broker.db.kysely);
  });

  it("is told with its day, once, and shown before", async () => {
    expect(await days("2330")).toMatchObject([
      { reason: "dividend", lastAt: taipeiMidnight(LAST), againAt: taipeiMidnight(dayOf("2026-07-22")) },
    ]);
    expect(await days(null)).toEqual([]);
    await short();
    expect(await days(null)).toMatchObject([{ code: "2330" }]);
    await begin(dayOf("2026-07-09"));
    await broker.stop();
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    await tellUntold({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now }, new Map());
    const told = async () =>
      (await broker.call("listMessages", member, { cursor: null })).items.filter(({ notice }) => notice?.about === "coverDue");
    expect(await told()).toMatchObject([{ notice: { values: { code: "2330", day: "2026.07.16" } } }]);
    await broker.stop();
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    expect(await told()).toHaveLength(1);
  });

  it("that is left is covered by the broker shortly before the end of the last day, not earlier", async () => {
    const { orderNo } = await short();
    await begin(LAST, 12);
    broker.clock.now = taipeiMidnight(LAST) + 13 * HOUR_MS - 11 * MINUTE_MS;
    await broker.tick();
    expect((await status(orderNo)).status).toBe("holding");
    broker.clock.now += MINUTE_MS;
    await broker.tick();
    expect(await status(orderNo)).toMatchObject({ status: "closed", closeCause: "shortCover" });
  });

  it("that found no seller on the last day is covered on the next", async () => {
    const { orderNo } = await short();
    await begin(LAST, 12);
    broker.venue.set(0, { asks: [] });
    broker.clock.now = taipeiMidnight(LAST) + 13 * HOUR_MS - MINUTE_MS;
    await broker.tick();
    expect(await status(orderNo)).toMatchObject({ status: "readyToClose", closeCause: "shortCover" });
    await begin(LAST + 1, 9.1);
    await broker.tick();
    expect((await status(orderNo)).status).toBe("closed");
  });

  it("of another instrument goes on", async () => {
    broker.venue.set(1, { bids: [[50, 400]], asks: [[50.5, 400]], last: 50, reference: 50 });
    const { orderNo } = await broker.place(member, { direction: "fall", code: "2603", lots: 1 });
    await begin(LAST, 12.95);
    await broker.tick();
    expect((await status(orderNo)).status).toBe("holding");
    expect(taipeiDay(broker.clock.now)).toBe(LAST);
  });
});
