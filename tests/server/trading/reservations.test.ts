/** Tests orders reserved while the market is closed: kept for the next session, changed, and sent to its opening call or refused. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { HOUR_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { price } from "#contract/kernel/money.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readChange, setRule } from "#server/rules/change.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker, Ticket } from "#tests/support/trading.ts";

/** 17:00 in Taipei, the day's session, and when the next one first accepts orders. */
const EVENING = Date.UTC(2026, 6, 1, 9);
const OPENED = Date.UTC(2026, 6, 1, 1);
const CLOSED = OPENED + 4.5 * HOUR_MS;
const NEXT = Date.UTC(2026, 6, 2, 0, 30);
const NEXT_OPEN = NEXT + 30 * MINUTE_MS;

let broker: TestBroker;
let member: number;

beforeEach(async () => {
  broker = await openTestBroker({ clock: { now: OPENED + HOUR_MS } });
  broker.venue.setDay(OPENED, CLOSED);
  broker.venue.set(0, { bids: [[99, 9]], asks: [[100, 9]], last: 100, reference: 100 });
  member = await broker.newMember();
  await broker.settled();
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

function closeMarket(): void {
  broker.clock.now = EVENING;
  broker.venue.setPhase("closed", NEXT);
}

/** The next session begins to accept orders. */
async function nextSession({ reference = 100, phase = "preOpen" as const, at = NEXT } = {}): Promise<void> {
  broker.clock.now = at;
  broker.venue.set(0, { reference, last: reference });
  broker.venue.setPhase(phase);
  broker.venue.setDay(NEXT, NEXT_OPEN + 4.5 * HOUR_MS);
  await broker.settled();
}

const reserve = (ticket: Ticket = {}, who = member) =>
  broker.place(who, { price: 100, ...ticket, also: { reserve: true, ...ticket.also } });
const read = async (orderNo: OrderNo, who = member) => broker.call("readOrder", who, { orderNo });
const available = async (who = member): Promise<number> => (await broker.call("readMember", who, {})).availableCents;
const amend = (orderNo: OrderNo, body: { lots?: number; price?: number }) =>
  broker.call("amendOrder", member, {
    requestId: RequestId.parse(randomUUID()),
    orderNo,
    lots: body.lots ?? null,
    price: body.price === undefined ? null : price(body.price * 10_000),
  });
const reports = async () => (await broker.call("listMessages", member, { cursor: null })).items.flatMap(({ report }) => report ?? []);

async function openingCall(): Promise<void> {
  broker.clock.now = NEXT_OPEN;
  broker.venue.setPhase("open");
  broker.venue.call("opening");
  await broker.settled();
}

describe("while the market is closed", () => {
  beforeEach(closeMarket);

  it("refuses an order that does not say it is to be reserved", async () => {
    expect(await refusalOf(broker.place(member, { price: 100 }))).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
  });

  it("keeps a reserved order for the next session, with its money held, and out of the book", async () => {
    const before = await available();
    const order = await reserve({ lots: 2 });
    expect(order).toMatchObject({ status: "pending", reservedFor: NEXT, filledLots: 0 });
    expect(before - (await available())).toBe(order.heldCents);
    expect(order.heldCents).toBeGreaterThanOrEqual(20_000_000);
    expect(broker.sequencer.orderBook.size).toBe(0);
    broker.venue.set(0, { asks: [[90, 9]] });
    await broker.settled();
    expect((await read(order.orderNo)).order).toMatchObject({ status: "pending", reservedFor: NEXT });
  });

  it.each([
    ["at market", { price: null }, "pricing"],
    ["immediate or cancel", { also: { validity: "ioc" } }, "validity"],
    ["with a trigger", { also: { trigger: { kind: "stop", price: 1_050_000 } } }, "validity"],
  ])("refuses one %s: the opening call would", async (_how, ticket, field) => {
    expect(await refusalOf(reserve(ticket))).toMatchObject({ code: "TRD_AUCTION_LIMIT_ONLY", field });
  });

  it("refuses odd lots and a price off the tick", async () => {
    expect(await refusalOf(reserve({ also: { market: "odd" } }))).toMatchObject({ code: "TRD_NON_TRADING_HOURS", field: "market" });
    expect(await refusalOf(reserve({ price: 100.3 }))).toMatchObject({ code: "TRD_PRICE_OFF_TICK", field: "price" });
  });

  it("refuses a price that no day's limits reach", async () => {
    expect(await refusalOf(reserve({ price: 49.9 }))).toMatchObject({
      code: "VAL_LIMIT_PRICE_MIN",
      field: "price",
      params: { n: "49.95" },
    });
    expect(await refusalOf(reserve({ price: 200.5 }))).toMatchObject({ code: "TRD_PRICE_LIMIT_EXCEEDED", field: "price" });
    const order = await reserve({ price: 50 });
    expect(order).toMatchObject({ reservedFor: NEXT });
    expect(await refusalOf(amend(order.orderNo, { price: 0.01 }))).toMatchObject({ code: "VAL_LIMIT_PRICE_MIN" });
  });

  it("refuses one in the break before after-hours trading", async () => {
    broker.venue.setPhase("closed", CLOSED + 10 * MINUTE_MS);
    expect(await refusalOf(reserve())).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
  });

  it("lets it be amended and cancelled, and gives its money back", async () => {
    const before = await available();
    const order = await reserve({ lots: 3 });
    const fewer = await amend(order.orderNo, { lots: 2 });
    expect(fewer).toMatchObject({ lots: 2, reservedFor: NEXT });
    expect(fewer.heldCents).toBeLessThan(order.heldCents);
    const dearer = await amend(order.orderNo, { price: 105 });
    expect(dearer).toMatchObject({ price: 1_050_000, reservedFor: NEXT });
    expect(before - (await available())).toBe(dearer.heldCents);
    const gone = await broker.cancel(member, order.orderNo);
    expect(gone.status).toBe("cancelled");
    expect(gone.reservedFor).toBeUndefined();
    expect(await available()).toBe(before);
    await nextSession();
    expect((await read(order.orderNo)).order.status).toBe("cancelled");
  });

  it("survives a restart, and is sent once", async () => {
    const order = await reserve();
    await broker.stop();
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    expect((await read(order.orderNo)).order).toMatchObject({ status: "pending", reservedFor: NEXT });
    await nextSession();
    await broker.stop();
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    await broker.settled();
    const { order: sent, events } = await read(order.orderNo);
    expect(sent.reservedFor).toBeUndefined();
    expect(events.filter(({ type }) => type === "order.entered")).toHaveLength(1);
  });
});

describe("when the next session begins", () => {
  it("enters the opening call in the order of arrival, before orders of the day", async () => {
    closeMarket();
    const other = await broker.newMember();
    const first = await reserve({ lots: 2 });
    const second = await reserve({ lots: 2 }, other);
    await nextSession();
    const late = await broker.newMember();
    const third = await broker.place(late, { price: 100, lots: 2 });
    expect(broker.sequencer.orderBook.queue(0, "buy").map(({ orderNo }) => orderNo)).toEqual([
      first.orderNo,
      second.orderNo,
      third.orderNo,
    ]);
    broker.venue.setCall(0, { asks: [[99, 3]], anchor: 100 });
    await openingCall();
    expect((await read(first.orderNo)).fills).toMatchObject([{ price: 1_000_000, lots: 2, reason: "auction" }]);
    expect((await read(second.orderNo, other)).order).toMatchObject({ filledLots: 1 });
    expect((await read(third.orderNo, late)).order).toMatchObject({ filledLots: 0 });
  });

  it("is an order of that day: it expires with it", async () => {
    closeMarket();
    const order = await reserve({ price: 95 });
    await nextSession();
    expect((await read(order.orderNo)).order).toMatchObject({ status: "pending" });
    broker.clock.now = NEXT_OPEN + 4.5 * HOUR_MS;
    broker.venue.setPhase("closed");
    await broker.settled();
    expect((await read(order.orderNo)).order.status).toBe("cancelled");
    expect(await reports()).toMatchObject([{ kind: "ended", cause: "expired" }]);
  });

  it("is refused outside the limits of its day, with the reason in the inbox, and its money comes back", async () => {
    closeMarket();
    const before = await available();
    const order = await reserve({ price: 109 });
    await nextSession({ reference: 90 });
    expect((await read(order.orderNo)).order).toMatchObject({ status: "cancelled" });
    expect(await available()).toBe(before);
    const refusal = { code: "TRD_PRICE_LIMIT_EXCEEDED" };
    expect(broker.published.at(-1)?.fact).toMatchObject({ type: "order.cancelled", ended: { cause: "notAccepted", refusal } });
    expect(await reports()).toMatchObject([{ kind: "ended", cause: "notAccepted", refusal, orderNo: order.orderNo }]);
  });

  it("holds what a short needs at the new limits, with the tax of the day it is sent on", async () => {
    closeMarket();
    const short = await reserve({ direction: "fall", price: 100 });
    await setRule(broker.db.kysely, await readChange(broker.db.kysely, ["trade", "kind=stock", "taxPerMillion=9000"]));
    await broker.sequencer.rules.reload(broker.db.kysely);
    await nextSession({ reference: 95 });
    const direct = await broker.place(member, { direction: "fall", price: 100 });
    const { order } = await read(short.orderNo);
    expect(order.status).toBe("pending");
    expect(order.heldCents).toBe(direct.heldCents);
  });

  it("is refused when its funding or direction is not allowed any more", async () => {
    closeMarket();
    const leveraged = await reserve({ also: { funding: "leverage", leverage: 2 } });
    const short = await reserve({ direction: "fall" });
    const cash = await reserve();
    Object.assign(broker.venue.instruments[0] ?? {}, { watch: "disposition" });
    try {
      await nextSession();
    } finally {
      Object.assign(broker.venue.instruments[0] ?? {}, { watch: "none" });
    }
    expect(await reports()).toMatchObject([{ refusal: { code: "TRD_NOT_SHORTABLE" } }, { refusal: { code: "TRD_LEVERAGE_NOT_ALLOWED" } }]);
    expect((await read(leveraged.orderNo)).order.status).toBe("cancelled");
    expect((await read(short.orderNo)).order.status).toBe("cancelled");
    expect((await read(cash.orderNo)).order.status).toBe("pending");
  });

  it("waits while its price is not known, and is sent as soon as it is", async () => {
    closeMarket();
    const order = await reserve();
    broker.venue.setFresh(false);
    await nextSession();
    expect((await read(order.orderNo)).order.reservedFor).toBe(NEXT);
    broker.venue.setFresh(true);
    await broker.tick();
    await broker.settled();
    expect((await read(order.orderNo)).order.reservedFor).toBeUndefined();
  });

  it("trades at the book when the server returns in the middle of the session, and expires when it is over", async () => {
    closeMarket();
    const order = await reserve({ price: 102 });
    await broker.stop();
    broker.venue.set(0, { asks: [[101, 5]], last: 101 });
    broker.venue.setDay(NEXT, NEXT_OPEN + 4.5 * HOUR_MS);
    broker.clock.now = NEXT_OPEN + HOUR_MS;
    broker.venue.setPhase("open");
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    await broker.settled();
    expect((await read(order.orderNo)).fills).toMatchObject([{ price: 1_010_000, lots: 1 }]);
  });

  it("expires unsent when the server was down for the whole session", async () => {
    closeMarket();
    const order = await reserve({ price: 102 });
    await broker.stop();
    broker.venue.setDay(NEXT, NEXT_OPEN + 4.5 * HOUR_MS);
    broker.clock.now = NEXT_OPEN + 8 * HOUR_MS;
    broker.venue.setPhase("closed");
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    await broker.settled();
    expect((await read(order.orderNo)).order.status).toBe("cancelled");
    expect(await reports()).toMatchObject([{ kind: "ended", cause: "expired" }]);
  });
});

describe("selling what is held", () => {
  it("is reserved, amended, cancelled and sent like a purchase", async () => {
    const held = await broker.place(member, { lots: 3, price: 100 });
    expect(held.status).toBe("holding");
    closeMarket();
    const also = { reserve: true };
    expect(await refusalOf(broker.close(member, held.orderNo, { price: 99 }))).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
    const closing = await broker.close(member, held.orderNo, { lots: 2, price: 99, also });
    expect(closing).toMatchObject({ status: "readyToClose", closingLots: 2, reservedFor: NEXT });
    expect((await amend(held.orderNo, { price: 98 })).closePrice).toBe(980_000);
    expect((await broker.cancel(member, held.orderNo)).status).toBe("holding");
    await broker.close(member, held.orderNo, { lots: 2, price: 98, also });
    await nextSession();
    expect((await read(held.orderNo)).order.reservedFor).toBeUndefined();
    broker.venue.setCall(0, { bids: [[99, 5]], anchor: 100 });
    await openingCall();
    expect((await read(held.orderNo)).order).toMatchObject({ status: "holding", closedLots: 2 });
  });

  it("is reserved by position, and refused with a notice when the limits leave it behind", async () => {
    const held = await broker.place(member, { lots: 1, price: 100 });
    closeMarket();
    const body = { code: held.code, direction: "rise", funding: "cash", dayTrade: false, shares: 1000 } as const;
    const more = { pricing: "limit", price: price(910_000), validity: "rod", fixed: false, reserve: true } as const;
    const { orders } = await broker.call("closePosition", member, {
      requestId: RequestId.parse(randomUUID()),
      ...body,
      ...more,
      orderNos: [],
    });
    expect(orders).toMatchObject([{ status: "readyToClose", reservedFor: NEXT }]);
    await nextSession({ reference: 110 });
    expect((await read(held.orderNo)).order).toMatchObject({ status: "holding", closingLots: 0 });
    expect((await reports()).at(0)).toMatchObject({ side: "sell", cause: "notAccepted", refusal: { code: "VAL_LIMIT_PRICE_MIN" } });
  });
});

describe("a day trade", () => {
  it("is one of the day it is sent on: it stays a day trade until that day is over", async () => {
    await broker.db.kysely.updateTable("trader").set({ day_signed_at: broker.clock.now }).where("member_id", "=", member).execute();
    closeMarket();
    const order = await reserve({ price: 95, also: { dayTrade: true } });
    await nextSession();
    await broker.tick();
    await broker.settled();
    expect((await read(order.orderNo)).order).toMatchObject({ status: "pending", dayTrade: true });
  });
});

describe("when the market's clock was corrected in the night", () => {
  it.each([
    ["earlier", -2_000],
    ["later", 2_000],
  ])("goes to a session that begins %s than was foreseen", async (_how, byMs) => {
    closeMarket();
    const order = await reserve();
    broker.clock.now = NEXT + byMs;
    broker.venue.setPhase("preOpen");
    broker.venue.setDay(NEXT + byMs, NEXT_OPEN + 4.5 * HOUR_MS);
    await broker.settled();
    const { order: sent } = await read(order.orderNo);
    expect(sent.status).toBe("pending");
    expect(sent.reservedFor).toBeUndefined();
    expect(broker.sequencer.orderBook.size).toBe(1);
  });
});

describe("while the market is open", () => {
  it("meets the better offers of other members, as any order does", async () => {
    const other = await broker.newMember();
    broker.venue.set(0, { bids: [[98, 9]], asks: [[100, 9]] });
    const offer = await broker.place(other, { direction: "fall", price: 99 });
    expect(offer.status).toBe("pending");
    const order = await reserve({ price: 100 });
    expect((await read(order.orderNo)).fills).toMatchObject([{ price: 990_000, reason: "member" }]);
    expect((await read(offer.orderNo, other)).order.filledLots).toBe(1);
  });

  it("reserves nothing: the order is an ordinary one", async () => {
    const order = await reserve();
    expect(order).toMatchObject({ status: "holding" });
    expect(order.reservedFor).toBeUndefined();
  });
});
