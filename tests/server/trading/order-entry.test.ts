/** Tests order entry checks: a member's own risk controls, the instrument's flags, funding entitlement, and minimum and maximum size. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;

const INSTRUMENTS = [
  fakeInstrument(0, "2330"),
  fakeInstrument(1, "2603", { marginable: false, dayTradable: false }),
  fakeInstrument(2, "2881", { watch: "disposition" }),
  fakeInstrument(3, "00632R", { kind: "etn" }),
  fakeInstrument(4, "BTC", { kind: "crypto", lotShares: 1 }),
  fakeInstrument(5, "6789", { freeUntil: Number.MAX_SAFE_INTEGER }),
  fakeInstrument(6, "00646", { kind: "etf", limitPercent: null }),
  fakeInstrument(7, "00631L", { kind: "etf", limitPercent: 20 }),
  fakeInstrument(8, "0050", { kind: "etf" }),
];

beforeAll(async () => {
  broker = await openTestBroker({ venue: fakeVenue(INSTRUMENTS) });
});
beforeEach(async () => {
  broker.venue.setPhase("open");
  for (const { row } of INSTRUMENTS) broker.venue.set(row, { bids: [[99.5, 50]], asks: [[100, 50]], last: 100, reference: 100 });
  await broker.settled();
  member = await broker.newMember();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const trader = (set: Record<string, unknown>) => broker.db.kysely.updateTable("trader").set(set).where("member_id", "=", member).execute();

describe("a member's own risk controls", () => {
  it("are checked before everything about the instrument: first the lock, then the maximum value", async () => {
    await trader({ locked_until: broker.clock.now + 3_600_000, max_order_cents: 10_000_000 });
    expect(await refusalOf(broker.place(member, { code: "9999", lots: 2 }))).toEqual({
      code: "RSK_TRADING_LOCKED",
      params: { n: "2026.07.01 11:00:00" },
      field: undefined,
    });
    await trader({ locked_until: broker.clock.now });
    expect(await refusalOf(broker.place(member, { lots: 2 }))).toEqual({ code: "RSK_ORDER_MAX", params: { n: "100,000" }, field: "lots" });
    expect(await refusalOf(broker.place(member, { lots: 1, price: 100.5 }))).toMatchObject({ code: "RSK_ORDER_MAX" });
    expect(await broker.place(member, { lots: 1, price: 100 })).toMatchObject({ status: "holding" });
  });

  it("never block closing a position", async () => {
    const { orderNo } = await broker.place(member, { lots: 2 });
    await trader({ locked_until: broker.clock.now + 3_600_000, max_order_cents: 1 });
    expect(await broker.close(member, orderNo, { lots: 2 })).toMatchObject({ status: "closed" });
  });
});

describe("funding", () => {
  it("by leverage uses a multiple of the rule, and holds one part of the value", async () => {
    expect(await refusalOf(broker.place(member, { also: { funding: "leverage", leverage: 7 } }))).toEqual({
      code: "TRD_LEVERAGE_NOT_ALLOWED",
      params: {},
      field: "leverage",
    });
    expect(await refusalOf(broker.place(member, { code: "00632R", also: { funding: "leverage", leverage: 2 } }))).toMatchObject({
      code: "TRD_LEVERAGE_NOT_ALLOWED",
    });
    const order = await broker.place(member, { price: 95, lots: 2, also: { funding: "leverage", leverage: 2 } });
    expect(order).toMatchObject({ leverage: 2, heldCents: 9_500_000 + 27_000, terms: { ownPerMillion: 500_000 } });
    await broker.cancel(member, order.orderNo);
  });

  it("by margin needs a margin account and a marginable instrument", async () => {
    const margin = { funding: "margin" };
    expect(await refusalOf(broker.place(member, { also: margin }))).toEqual({ code: "TRD_MARGIN_DISABLED", params: {}, field: "funding" });
    await trader({ margin_status: "approved" });
    expect(await refusalOf(broker.place(member, { code: "2603", also: margin }))).toMatchObject({
      code: "TRD_NOT_MARGINABLE",
      field: "funding",
    });
    expect(await refusalOf(broker.place(member, { price: 100, lots: 50, also: { ...margin, market: "odd" } }))).toMatchObject({
      code: "TRD_NOT_MARGINABLE",
    });
    const order = await broker.place(member, { price: 95, lots: 1, also: margin });
    expect(order).toMatchObject({ heldCents: 3_800_000 + 13_500 });
    await broker.cancel(member, order.orderNo);
  });

  it("of a day trade needs the agreement and a day-tradable instrument", async () => {
    const day = { dayTrade: true };
    expect(await refusalOf(broker.place(member, { also: day }))).toEqual({
      code: "TRD_DAY_TRADING_DISABLED",
      params: {},
      field: "dayTrade",
    });
    await trader({ day_signed_at: 1 });
    expect(await refusalOf(broker.place(member, { code: "2603", also: day }))).toMatchObject({
      code: "TRD_NOT_DAY_TRADABLE",
      field: "dayTrade",
    });
    expect(await broker.place(member, { also: day })).toMatchObject({ dayTrade: true, terms: { taxPerMillion: 1_500, lockSeconds: 0 } });
  });
});

describe("a disposition stock", () => {
  it("is traded in cash only, without short sales or day trades", async () => {
    await trader({ margin_status: "approved", day_signed_at: 1 });
    const code = "2881";
    expect(await refusalOf(broker.place(member, { code, direction: "fall" }))).toMatchObject({
      code: "TRD_NOT_SHORTABLE",
      field: "direction",
    });
    expect(await refusalOf(broker.place(member, { code, also: { funding: "margin" } }))).toMatchObject({ code: "TRD_NOT_MARGINABLE" });
    expect(await refusalOf(broker.place(member, { code, also: { funding: "leverage", leverage: 2 } }))).toMatchObject({
      code: "TRD_LEVERAGE_NOT_ALLOWED",
    });
    expect(await refusalOf(broker.place(member, { code, also: { dayTrade: true } }))).toMatchObject({ code: "TRD_NOT_DAY_TRADABLE" });
    expect(await broker.place(member, { code })).toMatchObject({ status: "holding" });
  });
});

describe("a fund without limits", () => {
  const code = "00646";

  it("requires full payment, at any price", async () => {
    await trader({ margin_status: "approved" });
    expect(await refusalOf(broker.place(member, { code, direction: "fall" }))).toMatchObject({ code: "TRD_NOT_SHORTABLE" });
    expect(await refusalOf(broker.place(member, { code, also: { funding: "margin" } }))).toMatchObject({ code: "TRD_NOT_MARGINABLE" });
    expect(await refusalOf(broker.place(member, { code, also: { funding: "leverage", leverage: 2 } }))).toMatchObject({
      code: "TRD_LEVERAGE_NOT_ALLOWED",
    });
    const far = await broker.place(member, { code, price: 55 });
    expect(far).toMatchObject({ status: "pending" });
    await broker.cancel(member, far.orderNo);
    expect(await broker.place(member, { code, price: 150 })).toMatchObject({ status: "holding", openCents: 10_000_000 });
  });

  it("does not remove the limits of stocks and other funds", async () => {
    expect(await refusalOf(broker.place(member, { code: "0050", price: 89.95 }))).toMatchObject({ code: "VAL_LIMIT_PRICE_MIN" });
    expect(await refusalOf(broker.place(member, { code: "0050", price: 110.05 }))).toMatchObject({ code: "TRD_PRICE_LIMIT_EXCEEDED" });
  });
});

describe("a two-times leveraged fund", () => {
  const code = "00631L";

  it("has twice the daily limit, rounded to the tick", async () => {
    expect(await refusalOf(broker.place(member, { code, price: 79.95 }))).toMatchObject({ code: "VAL_LIMIT_PRICE_MIN" });
    expect(await refusalOf(broker.place(member, { code, price: 120.05 }))).toMatchObject({ code: "TRD_PRICE_LIMIT_EXCEEDED" });
    const order = await broker.place(member, { code, price: 80 });
    expect(order).toMatchObject({ status: "pending", price: 800_000 });
    await broker.cancel(member, order.orderNo);
  });

  it("allows no further leverage, unlike an ordinary fund's multiple of four: one day could cost the whole investment", async () => {
    const by = (leverage: number) => ({ lots: 1, price: 95, also: { funding: "leverage", leverage } });
    expect(await refusalOf(broker.place(member, { code, ...by(2) }))).toEqual({
      code: "TRD_LEVERAGE_NOT_ALLOWED",
      params: {},
      field: "leverage",
    });
    const order = await broker.place(member, { code: "0050", ...by(4) });
    expect(order).toMatchObject({ leverage: 4 });
    await broker.cancel(member, order.orderNo);
  });

  it("can be sold short, at a cost of at most the upper limit", async () => {
    const order = await broker.place(member, { code, direction: "fall", price: 120 });
    expect(order).toMatchObject({ status: "pending" });
    await broker.cancel(member, order.orderNo);
  });
});

describe("a new listing without limits", () => {
  it("requires full payment, so that a price agreed between two members cannot cost the broker", async () => {
    await trader({ margin_status: "approved" });
    const code = "6789";
    expect(await refusalOf(broker.place(member, { code, direction: "fall" }))).toMatchObject({ code: "TRD_NOT_SHORTABLE" });
    expect(await refusalOf(broker.place(member, { code, also: { funding: "margin" } }))).toMatchObject({ code: "TRD_NOT_MARGINABLE" });
    expect(await refusalOf(broker.place(member, { code, also: { funding: "leverage", leverage: 2 } }))).toMatchObject({
      code: "TRD_LEVERAGE_NOT_ALLOWED",
    });
    expect(await broker.place(member, { code })).toMatchObject({ status: "holding" });
  });
});

describe("a short sale", () => {
  it("is refused below the close of a day that ended at its lower limit", async () => {
    broker.venue.setLimitDown(3);
    expect(await refusalOf(broker.place(member, { code: "00632R", direction: "fall", price: 99.9 }))).toEqual({
      code: "TRD_SHORT_AT_LIMIT_DOWN",
      params: { n: "100" },
      field: "price",
    });
    expect(await refusalOf(broker.place(member, { code: "00632R", direction: "fall" }))).toMatchObject({
      code: "TRD_SHORT_AT_LIMIT_DOWN",
      field: "pricing",
    });
    const { orderNo } = await broker.place(member, { code: "00632R", direction: "fall", price: 100 });
    const lower = { requestId: RequestId.parse(randomUUID()), orderNo, lots: null, price: 999_000 };
    expect(await refusalOf(broker.call("amendOrder", member, lower))).toEqual({
      code: "TRD_SHORT_AT_LIMIT_DOWN",
      params: { n: "100" },
      field: "price",
    });
  });
});

describe("the size of an order", () => {
  it("is limited by the rules, for whole lots and odd lots", async () => {
    expect(await refusalOf(broker.place(member, { lots: 500 }))).toEqual({ code: "TRD_LOTS_MAX", params: { n: 499 }, field: "lots" });
    await query(
      broker.db.kysely,
      `INSERT INTO rule (part, code, body) VALUES ('trade', '00632R', '{"maxLots": 2, "minimumCents": 30000000}')`,
    );
    await broker.sequencer.rules.reload(broker.db.kysely);
    expect(await refusalOf(broker.place(member, { code: "00632R", lots: 3 }))).toMatchObject({ code: "TRD_LOTS_MAX", params: { n: 2 } });
    expect(await refusalOf(broker.place(member, { code: "00632R", lots: 2 }))).toEqual({
      code: "TRD_CONTRACT_MIN",
      params: { n: 300_000 },
      field: "lots",
    });
  });

  it("has no minimum value for listed instruments, and one for others", async () => {
    broker.venue.set(0, { last: 0.5, reference: 0.5, asks: [[0.5, 1]] });
    expect(await broker.place(member, { lots: 1 })).toMatchObject({ status: "holding", openCents: 50_000 });
    await signByHand(broker, member, "crypto");
    expect(await refusalOf(broker.place(member, { code: "BTC", lots: 1 }))).toEqual({
      code: "TRD_CONTRACT_MIN",
      params: { n: 1_000 },
      field: "lots",
    });
  });

  it("can be reduced to a single share", async () => {
    const { orderNo } = await broker.place(member, { price: 100, lots: 5, also: { market: "odd" } });
    const fewer = { requestId: RequestId.parse(randomUUID()), orderNo, lots: 1, price: null };
    expect(await broker.call("amendOrder", member, fewer)).toMatchObject({ status: "pending", lots: 1, heldCents: 10_100 });
  });

  it("has no odd lots when a unit is a lot", async () => {
    await signByHand(broker, member, "crypto");
    expect(await refusalOf(broker.place(member, { code: "BTC", price: 100, lots: 20, also: { market: "odd" } }))).toMatchObject({
      code: "TRD_NOT_TRADABLE",
      field: "market",
    });
  });
});
