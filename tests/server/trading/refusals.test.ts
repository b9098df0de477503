/** Tests the refusals of the order handlers, in the order of their checks and with their fields. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";

let broker: TestBroker;
let member: number;

beforeAll(async () => {
  broker = await openTestBroker();
  member = await broker.newMember();
});
beforeEach(() => {
  broker.venue.setPhase("open");
  broker.venue.setFresh(true);
  for (const row of [0, 1, 2, 3, 4, 6]) broker.venue.set(row, { bids: [[99.5, 50]], asks: [[100, 50]], last: 100, reference: 100 });
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

const NONE = "K999999999999" as OrderNo;

describe("placing is refused", () => {
  it("to an unverified member, before any check of the market", async () => {
    const unverified = await broker.newMember({ identity: "unverified" });
    broker.venue.setPhase("closed");
    expect(await refusalOf(broker.place(unverified, { code: "IX0001" }))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
  });

  it.each([
    ["loginBanned", "ACC_LOGIN_BANNED"],
    ["banned", "ACC_BANNED"],
    ["disabled", "ACC_DISABLED"],
    ["frozen", "ACC_FROZEN"],
  ] as const)("to a member who is %s, and so is closing", async (restriction, code) => {
    const restricted = await broker.newMember();
    const { orderNo } = await broker.place(restricted);
    await broker.db.kysely
      .updateTable("member")
      .set({ restrictions: [restriction] })
      .where("id", "=", restricted)
      .execute();
    expect(await refusalOf(broker.place(restricted))).toMatchObject({ code });
    expect(await refusalOf(broker.close(restricted, orderNo))).toMatchObject({ code });
  });

  it("to a member barred from trading, who can still close what is held", async () => {
    const barred = await broker.newMember();
    const { orderNo } = await broker.place(barred);
    await broker.db.kysely
      .updateTable("member")
      .set({ restrictions: ["tradeBarred", "withdrawBarred"] })
      .where("id", "=", barred)
      .execute();
    expect(await refusalOf(broker.place(barred))).toMatchObject({ code: "ACC_TRADE_BARRED" });
    expect(await broker.close(barred, orderNo)).toMatchObject({ status: "closed" });
  });

  it.each([
    ["underReview", "ACC_REALNAME_PENDING"],
    ["rejected", "ACC_REALNAME_REJECTED"],
  ] as const)("to a member whose identity is %s", async (identity, code) => {
    expect(await refusalOf(broker.place(await broker.newMember({ identity })))).toMatchObject({ code });
  });

  it("for instruments that are not tradable, unknown or not shortable", async () => {
    expect(await refusalOf(broker.place(member, { code: "IX0001" }))).toMatchObject({ code: "TRD_NOT_TRADABLE", field: "code" });
    expect(await refusalOf(broker.place(member, { code: "9999" }))).toMatchObject({ code: "TRD_NOT_TRADABLE", field: "code" });
    expect(await refusalOf(broker.place(member, { code: "2881", direction: "fall" }))).toMatchObject({ code: "TRD_NOT_SHORTABLE" });
  });

  it("for an instrument that is not listed yet, but not for one listed since", async () => {
    const newcomers = [1, Number.MAX_SAFE_INTEGER].map((tradesFrom, row) => fakeInstrument(row, `K000${row}`, { tradesFrom }));
    const young = await openTestBroker({ venue: fakeVenue(newcomers) });
    for (const { row } of newcomers) young.venue.set(row, { asks: [[100, 50]], last: 100, reference: 100 });
    const someone = await young.newMember();
    expect(await young.place(someone, { code: "K0000" })).toMatchObject({ status: "holding" });
    expect(await refusalOf(young.place(someone, { code: "K0001" }))).toMatchObject({ code: "TRD_NOT_LISTED", field: "code" });
    await young.shut();
  });

  it("when the market is closed, has no price, or is stale", async () => {
    broker.venue.setFresh(false);
    broker.venue.setPhase("closed");
    expect(await refusalOf(broker.place(member))).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
    broker.venue.setPhase("open");
    expect(await refusalOf(broker.place(member))).toMatchObject({ code: "TRD_PRICE_STALE" });
    broker.venue.set(0, { last: 0, reference: 0 });
    expect(await refusalOf(broker.place(member))).toMatchObject({ code: "TRD_STOCK_PRICE_UNAVAILABLE" });
    await signByHand(broker, member, "crypto");
    const coin = () => refusalOf(broker.place(member, { code: "BTC" }));
    expect(await coin()).toMatchObject({ code: "TRD_CRYPTO_PRICE_UNAVAILABLE" });
    broker.venue.setFresh(true);
    broker.venue.set(6, { last: 0, reference: 0 });
    expect(await coin()).toMatchObject({ code: "TRD_CRYPTO_PRICE_UNAVAILABLE" });
  });

  it("outside the daily limits and off the tick", async () => {
    expect(await refusalOf(broker.place(member, { price: 110.5 }))).toMatchObject({ code: "TRD_PRICE_LIMIT_EXCEEDED", field: "price" });
    expect(await refusalOf(broker.place(member, { price: 89.9 }))).toEqual({
      code: "VAL_LIMIT_PRICE_MIN",
      params: { n: "89.9" },
      field: "price",
    });
    expect(await refusalOf(broker.place(member, { price: 89.92 }))).toMatchObject({ code: "TRD_PRICE_LIMIT_EXCEEDED", field: "price" });
    expect(await refusalOf(broker.place(member, { price: 99.55 }))).toEqual({
      code: "TRD_PRICE_OFF_TICK",
      params: { n: "0.1" },
      field: "price",
    });
    expect(await broker.place(member, { price: 90 })).toMatchObject({ status: "pending" });
  });

  it("without enough money, to the cent", async () => {
    const exact = await broker.newMember({ depositCents: 10_000_000 + 14_200 });
    expect(await refusalOf(broker.place(exact, { lots: 2, price: 100 }))).toEqual({
      code: "FUND_AVAILABLE_INSUFFICIENT",
      params: {},
      field: "lots",
    });
    expect(await broker.place(exact, { lots: 1, price: 100 })).toMatchObject({ status: "holding" });
    const short = await broker.newMember({ depositCents: 10_000_000 + 14_199 });
    expect(await refusalOf(broker.place(short, { lots: 1, price: 100 }))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
  });
});

describe("a command on an order is refused", () => {
  it("for another member's order, as if it did not exist", async () => {
    const other = await broker.newMember();
    const { orderNo } = await broker.place(member, { price: 95 });
    const notFound = { code: "TRD_ORDER_NOT_FOUND", params: {}, field: "orderNo" };
    expect(await refusalOf(broker.cancel(other, orderNo))).toEqual(notFound);
    expect(await refusalOf(broker.close(other, orderNo))).toEqual(notFound);
    expect(await refusalOf(broker.call("readOrder", other, { orderNo }))).toEqual(notFound);
    expect(await refusalOf(broker.cancel(member, NONE))).toEqual(notFound);
  });

  it("when the order's status does not allow it", async () => {
    const pending = (await broker.place(member, { price: 95 })).orderNo;
    expect(await refusalOf(broker.close(member, pending))).toMatchObject({ code: "TRD_ORDER_NOT_HOLDING" });
    await broker.cancel(member, pending);
    expect(await refusalOf(broker.cancel(member, pending))).toMatchObject({ code: "TRD_ALREADY_CANCELLED" });
    expect(await refusalOf(broker.close(member, pending))).toMatchObject({ code: "TRD_ALREADY_CANCELLED" });
    const holding = (await broker.place(member, { lots: 2 })).orderNo;
    expect(await refusalOf(broker.cancel(member, holding))).toMatchObject({ code: "TRD_ORDER_NOT_PENDING" });
    await broker.close(member, holding, { price: 105 });
    expect(await refusalOf(broker.close(member, holding))).toMatchObject({ code: "TRD_ORDER_NOT_HOLDING" });
    await broker.cancel(member, holding);
    await broker.close(member, holding, { lots: 2 });
    expect(await refusalOf(broker.cancel(member, holding))).toMatchObject({ code: "TRD_ALREADY_CLOSED" });
    expect(await refusalOf(broker.close(member, holding))).toMatchObject({ code: "TRD_ALREADY_CLOSED" });
  });

  it("for more lots than held, and at invalid prices", async () => {
    const { orderNo } = await broker.place(member, { lots: 2 });
    expect(await refusalOf(broker.close(member, orderNo, { lots: 3 }))).toMatchObject({ code: "TRD_SELL_EXCEEDS", field: "lots" });
    expect(await refusalOf(broker.close(member, orderNo, { price: 111 }))).toMatchObject({
      code: "TRD_PRICE_LIMIT_EXCEEDED",
      field: "price",
    });
    expect(await refusalOf(broker.close(member, orderNo, { price: 101.3 }))).toMatchObject({
      code: "TRD_PRICE_OFF_TICK",
      params: { n: "0.5" },
    });
    broker.venue.setPhase("closed");
    expect(await refusalOf(broker.close(member, orderNo))).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
  });

  it("during a lock: in minutes, in days, or by the operator", async () => {
    const minutes = (await broker.place(member, { code: "2308" })).orderNo;
    expect(await refusalOf(broker.close(member, minutes))).toMatchObject({ code: "TRD_SELL_LOCK_MINUTES", params: { n: 10 } });
    const days = (await broker.place(member, { code: "0050" })).orderNo;
    expect(await refusalOf(broker.close(member, days))).toMatchObject({ code: "TRD_SELL_LOCK_TPLUS", params: { n: 1 } });
    const locked = (await broker.place(member)).orderNo;
    await broker.db.kysely.updateTable("order").set({ locked: true }).where("order_no", "=", locked).execute();
    expect(await refusalOf(broker.close(member, locked))).toMatchObject({ code: "TRD_POSITION_LOCKED" });
    broker.clock.now += 600_000;
    expect(await broker.close(member, minutes)).toMatchObject({ status: "closed" });
  });
});

describe("an enormous limit price where the market has no limits", () => {
  // The largest price that a body may contain, and values that exceed every sum.
  const giants = [9_007_199_254_740_500, 1_000_000_000_000_000, 10_000_000_000_000];
  it.each(giants)("of %i is refused as unaffordable, without an error", async (units) => {
    const asked = (direction: "rise" | "fall") => broker.place(member, { code: "00646", direction, price: units / 10_000, lots: 499 });
    expect(await refusalOf(asked("rise"))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT", field: "lots" });
    expect(await refusalOf(asked("fall"))).toMatchObject({ code: "TRD_NOT_SHORTABLE", field: "direction" });
    broker.venue.set(8, { asks: [[100, 1]] });
    const { orderNo } = await broker.place(member, { code: "00646" });
    expect(await broker.close(member, orderNo, { price: units / 10_000 })).toMatchObject({ status: "readyToClose" });
    expect(await broker.cancel(member, orderNo)).toMatchObject({ status: "holding" });
    expect(broker.faults).toEqual([]);
  });
});

describe("the rate limit of a member", () => {
  it("applies per second, and a repeated request is never too frequent", async () => {
    const paced = await openTestBroker({ db: broker.db, commandsPerSecond: 3, venue: broker.venue });
    const quick = await paced.newMember();
    const requestId = randomUUID();
    await paced.place(quick, { price: 95, requestId });
    await paced.place(quick, { price: 95 });
    await paced.place(quick, { price: 95 });
    expect(await refusalOf(paced.place(quick, { price: 95 }))).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    expect(await paced.place(quick, { price: 95, requestId })).toMatchObject({ status: "pending" });
    paced.clock.now += 999;
    expect(await refusalOf(paced.place(quick, { price: 95 }))).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    paced.clock.now += 1;
    expect(await paced.place(quick, { price: 95 })).toMatchObject({ status: "pending" });
    await paced.stop();
  });

  it("counts the second before each command, not from one full second to the next", async () => {
    const paced = await openTestBroker({ db: broker.db, commandsPerSecond: 3, venue: broker.venue });
    const quick = await paced.newMember();
    const place = () => paced.place(quick, { price: 95 });
    await place();
    paced.clock.now += 600;
    await place();
    await place();
    paced.clock.now += 400;
    expect(await place()).toMatchObject({ status: "pending" });
    expect(await refusalOf(place())).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    paced.clock.now += 600;
    expect(await place()).toMatchObject({ status: "pending" });
    expect(await place()).toMatchObject({ status: "pending" });
    expect(await refusalOf(place())).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    // A refused command does not count: the member may try again at once.
    paced.clock.now += 400;
    expect(await place()).toMatchObject({ status: "pending" });
    await paced.stop();
  });

  it("counts what a member gives up, and no query of an outcome", async () => {
    const paced = await openTestBroker({ db: broker.db, commandsPerSecond: 2, venue: broker.venue });
    const quick = await paced.newMember();
    const ask = (giveUp: boolean) => paced.call("askOutcome", quick, { requestId: uuid(), giveUp });
    for (const giveUp of [false, false, false, true, true]) expect(await ask(giveUp)).toMatchObject({ known: false });
    expect(await refusalOf(ask(true))).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    expect(await ask(false)).toMatchObject({ known: false });
    await paced.stop();
  });

  it("is not shared with other members", async () => {
    const paced = await openTestBroker({ db: broker.db, commandsPerSecond: 1, venue: broker.venue });
    const [one, other] = [await paced.newMember(), await paced.newMember()];
    await paced.place(one, { price: 95 });
    expect(await paced.place(other, { price: 95 })).toMatchObject({ status: "pending" });
    expect(await refusalOf(paced.place(one, { price: 95 }))).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    await paced.stop();
  });
});
