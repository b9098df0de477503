/** Tests ex-events on positions: value and profit are kept to the cent, and each event applies once, before the day's first trade. */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { PRICE_ONE, price, worth } from "#contract/kernel/money.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { DAY_MS, HOUR_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import type { Direction, Trigger } from "#contract/order.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import { KIND_OF } from "#server/trading/clearing/corporate-action.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";
import { EVENTS, MILLION, action, units } from "./ex-terms.ts";
import type { ExTerms } from "./ex-terms.ts";

let broker: TestBroker;
let venue: FakeVenue;
let member: number;
/** The traded instrument; a test uses its own when positions of other tests would interfere. */
let traded = { code: "2330", row: 0 };
/** Ex-events that the venue announces from their ex-date on. */
const announced = new Map<string, CorporateAction[]>();
const START = Date.UTC(2026, 6, 1, 2, 0, 0);

const clock = { now: START };
const today = (): number => taipeiDay(clock.now);

/** Starts the venue's next trading day with its ex-events. */
async function nextDay(...actions: CorporateAction[]): Promise<void> {
  announced.set(traded.code, [...(announced.get(traded.code) ?? []), ...actions]);
  // The day starts at the reference prices after the events; nothing has traded yet.
  const reference = actions.at(-1)?.reference;
  if (reference) venue.set(traded.row, { reference: reference / PRICE_ONE });
  clock.now = taipeiMidnight(today() + 1) + HOUR_MS;
  venue.setDay(taipeiMidnight(today()), taipeiMidnight(today() + 1));
  await broker.settled();
}
const tomorrow = (kind: CorporateAction["kind"], terms: ExTerms): CorporateAction => action(kind, terms, today() + 1);

function calm(at: number): void {
  venue.set(traded.row, { bids: [[at, 4000]], asks: [[at, 4000]], last: at, reference: at });
}

beforeAll(async () => {
  const plain = fakeVenue(INSTRUMENTS, () => clock.now);
  venue = { ...plain, actions: async (code) => (announced.get(code) ?? []).filter(({ at }) => at <= plain.state(clock.now).opensAt) };
  venue.setDay(taipeiMidnight(today()), taipeiMidnight(today() + 1));
  broker = await openTestBroker({ venue, clock });
  // Prices do not follow the ex-events here, so margin calls of shorts from other tests are disabled.
  await query(broker.db.kysely, `UPDATE rule SET body = body || '{"callPercent": 1, "liquidationPercent": 1}' WHERE part = 'margin'`);
  await broker.sequencer.rules.reload(broker.db.kysely);
});
beforeEach(async () => {
  traded = { code: "2330", row: 0 };
  announced.clear();
  calm(100);
  member = await broker.newMember();
  broker.published.length = 0;
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const open = (lots: number, direction: Direction = "rise", exits: Trigger[] = []) =>
  broker.call(
    "placeOrder",
    member,
    PlaceOrderBody.parse({ requestId: uuid(), code: traded.code, direction, pricing: "market", price: null, lots, exits }),
  );
const read = (orderNo: OrderNo) => broker.call("readOrder", member, { orderNo });
const overview = () => broker.call("readMember", member, {});
const factTypes = () => broker.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type);
const close = (orderNo: OrderNo, lots: number) =>
  broker.call("closeOrder", member, { requestId: uuid(), orderNo, pricing: "market", price: null, lots, validity: "rod", fixed: false });

/** Closes everything at 97: whole lots on the board, odd lots in the odd-lot auction. */
async function closeAll(orderNo: OrderNo): Promise<void> {
  calm(97);
  const { order } = await read(orderNo);
  const shares = (order.filledLots - order.closedLots) * order.lotShares;
  if (shares >= 1000) await close(orderNo, Math.floor(shares / 1000) * (1000 / order.lotShares));
  const { order: rest } = await read(orderNo);
  if (rest.status === "closed") return;
  const lots = rest.filledLots - rest.closedLots;
  expect(lots).toBeLessThan(1000);
  const body = { requestId: uuid(), orderNo, pricing: "limit", price: 970_000, lots, validity: "rod", fixed: false } as const;
  expect(await broker.call("closeOrder", member, body)).toMatchObject({ status: "readyToClose", closingLots: lots });
  venue.setCall(traded.row, { bids: [[97, 999]], asks: [[97, 999]] }, true);
  venue.call("odd");
  await broker.settled();
}

describe.each(["rise", "fall"] as const)("a %s", (direction) => {
  const sign = direction === "rise" ? 1 : -1;

  it.each(EVENTS)("goes through %s with its account value and profit unchanged", async (_, kind, terms) => {
    const { orderNo } = await open(3, direction);
    await open(2, direction);
    calm(100);
    const before = await overview();
    const event = tomorrow(kind, terms);
    await nextDay(event);
    const { order, adjustments } = await read(orderNo);
    expect(adjustments).toMatchObject([{ at: event.at, kind: KIND_OF[kind], fromLots: 3, fromLotShares: 1000 }]);
    expect(adjustments[0]).toMatchObject({ toLots: order.filledLots, toLotShares: order.lotShares, cashCents: order.dividendCents });
    expect(order.lots).toBe(order.filledLots);
    // Valued as if it traded at the reference price, which need not be on a tick.
    const shares = order.filledLots * order.lotShares;
    expect(Math.abs(worth(event.reference, shares) + sign * order.dividendCents - worth(event.closeBefore, 3000))).toBeLessThanOrEqual(80);
    expect(factTypes().filter((type) => type === "order.adjusted")).toHaveLength(2);
    const at = profitAt(heldOf(order), event.reference).profitCents;
    const was = profitAt(
      { ...heldOf(order), lots: 3, filledLots: 3, lotShares: 1000, dividendCents: 0 as typeof order.dividendCents },
      event.closeBefore,
    );
    // The cost of closing is slightly lower at a lower value.
    expect(Math.abs(at - was.profitCents)).toBeLessThan(100_000);
    const paid = (await dividends()).reduce((sum, amount) => sum + amount, 0);
    expect(paid).toBe((await positions()).reduce((sum, one) => sum + one.dividendCents, 0));
    expect((await overview()).availableCents).toBe(before.availableCents + paid);
  });

  const positions = async () => (await broker.call("listPositions", member, {})).positions;
  const dividends = async (): Promise<number[]> => {
    const { items } = await broker.call("listFlows", member, { kinds: ["dividend"], from: null, until: null, cursor: null });
    return items.map(({ amountCents }) => amountCents);
  };

  it.each([
    ["whole lots", 8, 4, { freeMillionths: 250_000, cash: units(1.5) }],
    ["single shares", 7, 3, { freeMillionths: 77_000, cash: units(2.35) }],
    ["cash only", 7, 3, { cash: units(1.01) }],
  ] as const)(
    "partly closed before keeps its realised profit, and its final profit equals the money it moved: %s",
    async (_, lots, first, terms) => {
      const start = (await overview()).availableCents;
      const { orderNo } = await open(lots, direction);
      calm(103);
      const part = await close(orderNo, first);
      await nextDay(tomorrow("stockDividend", terms));
      const { order } = await read(orderNo);
      expect(order.profitCents).toBe(part.profitCents);
      // The rest cost what it cost before, to the cent.
      const before = profitAt(heldOf(part), price(0));
      const after = profitAt(heldOf(order), price(0));
      expect(Math.abs(after.openCents - before.openCents)).toBeLessThanOrEqual(1);
      expect(Math.abs(after.openCostCents - before.openCostCents)).toBeLessThanOrEqual(1);
      await closeAll(orderNo);
      const { order: final } = await read(orderNo);
      expect(final.status).toBe("closed");
      expect((await overview()).availableCents - start).toBe(final.profitCents);
      expect((await overview()).realisedCents).toBe(final.profitCents);
    },
  );
});

describe("an ex-event", () => {
  it("applies to a position once, and not again after a restart", async () => {
    const { orderNo } = await open(2);
    await nextDay(tomorrow("dividend", { cash: units(3) }));
    await nextDay();
    await broker.stop();
    await broker.settled();
    broker = await openTestBroker({ db: broker.db, venue, clock });
    expect((await read(orderNo)).adjustments).toHaveLength(1);
    expect((await read(orderNo)).order.dividendCents).toBe(600_000);
  });

  it("that was missed while the server was down is applied at the start, in order", async () => {
    const { orderNo } = await open(3);
    await broker.stop();
    await broker.settled();
    const first = tomorrow("split", { freeMillionths: MILLION });
    const second = action("dividend", { cash: units(1) }, today() + 3, 50);
    announced.set("2330", [first, second]);
    clock.now += 4 * DAY_MS;
    venue.setDay(taipeiMidnight(today()), taipeiMidnight(today() + 1));
    broker = await openTestBroker({ db: broker.db, venue, clock });
    const { order, adjustments } = await read(orderNo);
    expect(adjustments.map(({ kind, toLots, cashCents }) => [kind, toLots, cashCents])).toEqual([
      ["split", 6, 0],
      ["dividend", 6, 600_000],
    ]);
    expect(order).toMatchObject({ filledLots: 6, lotShares: 1000, dividendCents: 600_000 });
  });

  it("does not apply to positions bought on its date or sold before", async () => {
    const sold = await open(1);
    await close(sold.orderNo, 1);
    await nextDay(tomorrow("dividend", { cash: units(3) }));
    const bought = await open(1);
    await nextDay();
    expect((await read(sold.orderNo)).adjustments).toEqual([]);
    expect((await read(bought.orderNo)).adjustments).toEqual([]);
  });

  it("is applied before the first command of its day", async () => {
    const { orderNo } = await open(2);
    announced.set("2330", [tomorrow("split", { freeMillionths: 3 * MILLION })]);
    clock.now = taipeiMidnight(today() + 1) + HOUR_MS;
    const asked: Promise<unknown>[] = [];
    const stop = venue.onPhase(() => asked.push(close(orderNo, 8)));
    venue.setDay(taipeiMidnight(today()), taipeiMidnight(today() + 1));
    stop();
    expect(await Promise.all(asked)).toMatchObject([{ status: "closed", closedLots: 8, filledLots: 8, lotShares: 1000 }]);
  });

  it("cancels the resting orders of the day before, and adjusts the prices of exit orders", async () => {
    venue.set(0, { asks: [[100, 2]] });
    const exits: Trigger[] = [
      { kind: "stop", price: units(96) },
      { kind: "takeProfit", price: units(110) },
      { kind: "trailing", price: units(6) },
    ];
    const placed = await broker.call(
      "placeOrder",
      member,
      PlaceOrderBody.parse({ requestId: uuid(), code: "2330", direction: "rise", pricing: "limit", price: units(100), lots: 5, exits }),
    );
    expect(placed).toMatchObject({ status: "pending", filledLots: 2 });
    await nextDay(tomorrow("split", { freeMillionths: MILLION }));
    const { order } = await read(placed.orderNo);
    expect(order).toMatchObject({ status: "holding", lots: 4, filledLots: 4, heldCents: 0 });
    const { conditions } = await broker.call("listConditions", member, { orderNo: placed.orderNo });
    expect(conditions.map(({ kind, price: at, status }) => [kind, at, status])).toEqual([
      ["trailing", units(3), "waiting"],
      ["takeProfit", units(55), "waiting"],
      ["stop", units(48), "waiting"],
    ]);
    expect(factTypes().filter((type) => type === "condition.adjusted")).toHaveLength(3);
    calm(50);
    await broker.settled();
    expect((await read(placed.orderNo)).order.status).toBe("holding");
    venue.set(0, { last: 48, volume: venue.quote(0).volume + 1, bids: [[48, 400]] });
    await broker.settled();
    expect((await read(placed.orderNo)).order).toMatchObject({ status: "closed", closeCause: "condition" });
  });

  it("leaves odd lots beside whole lots, and an exit order closes both one after the other", async () => {
    const { orderNo } = await open(3, "rise", [{ kind: "stop", price: units(85) }]);
    await nextDay(tomorrow("stockDividend", { freeMillionths: 100_000 }));
    expect((await read(orderNo)).order).toMatchObject({ filledLots: 3300, lotShares: 1 });
    // The market first takes one of the three lots.
    venue.set(0, { last: 77, volume: venue.quote(0).volume + 1, bids: [[77, 1]], asks: [], reference: 80 });
    await broker.settled();
    expect((await read(orderNo)).order).toMatchObject({ status: "readyToClose", closedLots: 1000, closingLots: 2000 });
    venue.set(0, { bids: [[77, 50]] });
    await broker.settled();
    expect((await read(orderNo)).order).toMatchObject({
      status: "readyToClose",
      closedLots: 3000,
      closingLots: 300,
      closeCause: "condition",
    });
    venue.setCall(0, { bids: [[77, 999]] }, true);
    venue.call("odd");
    await broker.settled();
    expect((await read(orderNo)).order).toMatchObject({ status: "closed", closedLots: 3300 });
  });

  it("is paid by a short from its collateral if its member has no money left", async () => {
    const deposit = 27_132_700;
    member = await broker.newMember({ depositCents: deposit });
    const { orderNo, collateralCents } = await open(3, "fall");
    expect((await overview()).availableCents).toBe(0);
    await nextDay(tomorrow("dividend", { cash: units(3.25) }));
    expect((await read(orderNo)).order).toMatchObject({ dividendCents: -975_000, collateralCents: collateralCents - 975_000 });
    await closeAll(orderNo);
    const { order } = await read(orderNo);
    expect((await overview()).availableCents).toBe(deposit + order.profitCents);
  });

  it("or several, between partial closes, keep the profit equal to the money moved", async () => {
    const terms = fc.record({
      cash: fc.integer({ min: 0, max: 400 }).map((n) => n * 100),
      freeMillionths: fc.oneof(
        fc.constant(0),
        fc.integer({ min: 1, max: 400 }).map((n) => n * 1000),
        fc.constant(MILLION),
      ),
      rightsMillionths: fc.oneof(fc.constant(0), fc.constant(150_000)),
      rightsPrice: fc.constant(units(70)),
    });
    const story = fc.record({
      direction: fc.constantFrom("rise" as const, "fall" as const),
      lots: fc.integer({ min: 1, max: 12 }),
      days: fc.array(fc.record({ terms, closing: fc.integer({ min: 0, max: 4 }) }), { minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ direction, lots, days }) => {
        member = await broker.newMember();
        traded = { code: "2603", row: 1 };
        announced.clear();
        calm(100);
        const before = await overview();
        const { orderNo } = await open(lots, direction);
        for (const day of days) {
          const { order } = await read(orderNo);
          const whole = Math.floor(((order.filledLots - order.closedLots) * order.lotShares) / 1000);
          const some = Math.min(day.closing, whole - 1);
          if (some > 0) await close(orderNo, some * (1000 / order.lotShares));
          const { profitCents } = (await read(orderNo)).order;
          await nextDay(tomorrow("stockDividend", day.terms));
          calm(100);
          expect((await read(orderNo)).order.profitCents).toBe(profitCents);
        }
        await closeAll(orderNo);
        const { order } = await read(orderNo);
        expect(order).toMatchObject({ status: "closed", heldCents: 0, collateralCents: 0, dividendCents: 0 });
        const after = await overview();
        expect(after.totalCents - before.totalCents).toBe(order.profitCents);
        expect(after.availableCents).toBe(after.totalCents);
      }),
      { numRuns: 40 },
    );
  });

  it("that fails for one position locks it, and the others can still trade", async () => {
    traded = { code: "2308", row: 3 };
    calm(100);
    const broken = await open(1);
    const well = await open(2);
    await broker.db.kysely
      .updateTable("order")
      .set({ lots: 2_000_000_000, filled_lots: 2_000_000_000 })
      .where("order_no", "=", broken.orderNo)
      .execute();
    await nextDay(tomorrow("split", { freeMillionths: MILLION }));
    expect(broker.faults.splice(0)).toHaveLength(1);
    expect((await read(well.orderNo)).order).toMatchObject({ filledLots: 4 });
    expect((await read(broken.orderNo)).adjustments).toEqual([]);
    const { locked } = await broker.db.kysely
      .selectFrom("order")
      .select("locked")
      .where("order_no", "=", broken.orderNo)
      .executeTakeFirstOrThrow();
    expect(locked).toBe(true);
    await broker.db.kysely.updateTable("order").set({ lots: 1, filled_lots: 1 }).where("order_no", "=", broken.orderNo).execute();
  });
});
