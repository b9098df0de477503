/** Tests net settlement: trades of one morning offset each other, purchases are paid from the day's sales, and no cent is lost or lent. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo, RequestId } from "#contract/kernel/id.ts";
import { HOUR_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { settleDue } from "#server/trading/clearing/settle-due.ts";
import { settlesAt } from "#server/trading/clearing/settlement-calendar.ts";
import { randomFrom } from "#tests/server/simulation/random.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { expectConsistentBooks, newTrader, orderOf, ordersOf, place } from "./fixture.ts";

const DEPOSIT = 250_000_000;
/** One lot at 100.00. */
const LOT = 10_000_000;

let broker: TestBroker;
let memberId: number;
beforeAll(async () => {
  broker = await openTestBroker();
  await query(broker.db.kysely, `INSERT INTO rule (part, kind, body) VALUES ('trade', 'stock', '{"settlementDays": 2}')`);
  await broker.sequencer.rules.reload(broker.db.kysely);
});
beforeEach(async () => {
  quote(100);
  nextDay(30);
  memberId = await newTrader(broker, DEPOSIT);
});
afterAll(() => broker.shut());

/** The market buys and sells at one price. */
const quote = (price: number): void => broker.venue.set(0, { bids: [[price, 1000]], asks: [[price, 1000]], last: price });
const nextDay = (days = 1): void => void (broker.clock.now = taipeiMidnight(taipeiDay(broker.clock.now) + days) + 10 * HOUR_MS);
const settle = () =>
  settleDue({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now, report: (fault) => broker.faults.push(fault) });
const money = () => readBalances(broker.db.kysely, memberId);
const due = async () =>
  (await broker.call("listSettlements", memberId, {})).settlements.map(({ kind, amountCents }) => ({ kind, amountCents }));
const proceeds = async () => (await broker.call("readMember", memberId, {})).dayProceeds;

/** Moves the clock to the settlement of today's trades and settles. */
async function settleToday(): Promise<void> {
  broker.clock.now = settlesAt(broker.clock.now, 2);
  await Promise.all([settle(), settle()]);
}

/** Holds `lots` that are paid for, and only `free` cents beside them. */
async function holdLots(lots: number, free: number): Promise<OrderNo> {
  const { orderNo } = await place(broker, memberId, { lots });
  await settleToday();
  const { available } = await money();
  await spend(available - free);
  expect((await money()).available).toBe(free);
  return orderNo;
}

/** Takes available money out of the account. */
async function spend(cents: number): Promise<void> {
  await broker.sequencer.submit({
    memberIds: [memberId],
    decide: (batch) => {
      batch.ledger.post({ memberId, kind: "withdrawal", orderNo: null, moves: [{ from: "available", to: "external", amount: cents }] });
    },
  });
}

const spent = async (): Promise<number> =>
  (
    await query<{ cents: number }>(
      broker.db.kysely,
      `SELECT coalesce(-sum(amount), 0)::bigint AS cents FROM entry JOIN ledger_tx ON ledger_tx.id = tx_id JOIN pocket ON pocket.id = pocket_id
       WHERE ledger_tx.member_id = $1 AND ledger_tx.kind = 'withdrawal' AND pocket.member_id = $1`,
      [memberId],
    )
  )[0]?.cents ?? 0;
const consistent = async (): Promise<void> => expectConsistentBooks(broker, memberId, DEPOSIT - (await spent()));

describe("a day trade", () => {
  it("that gains frees the purchase money at once, and only the difference is due", async () => {
    const { orderNo } = await place(broker, memberId, { lots: 10 });
    expect(await money()).toMatchObject({ owing: 10 * LOT });
    quote(101);
    await broker.close(memberId, orderNo, { lots: 10 });
    const sold = 101_000_000 - 143_900 - 303_000;
    expect(await money()).toMatchObject({ owing: 0, unsettled: sold - 10 * LOT, available: DEPOSIT - 142_500 });
    expect(await due()).toEqual([
      { kind: "trade", amountCents: -10 * LOT },
      { kind: "trade", amountCents: sold },
    ]);
    await consistent();
    await settleToday();
    expect(await money()).toMatchObject({ owing: 0, unsettled: 0, available: DEPOSIT - 142_500 + sold - 10 * LOT });
    const moved = await query<{ amount: number }>(
      broker.db.kysely,
      `SELECT amount FROM entry JOIN ledger_tx ON ledger_tx.id = tx_id JOIN pocket ON pocket.id = pocket_id
       WHERE ledger_tx.member_id = $1 AND ledger_tx.kind = 'settle' AND ledger_tx.at = $2 AND pocket.kind = 'available'`,
      [memberId, broker.clock.now],
    );
    expect(moved).toEqual([{ amount: sold - 10 * LOT }]);
    expect(await due()).toEqual([]);
    await consistent();
  });

  it("that loses owes the loss, and the rest is free at once", async () => {
    const { orderNo } = await place(broker, memberId, { lots: 10 });
    quote(99);
    await broker.close(memberId, orderNo, { lots: 10 });
    const sold = 99_000_000 - 141_000 - 297_000;
    const loss = 10 * LOT - sold;
    expect(await money()).toMatchObject({ owing: loss, unsettled: 0, available: DEPOSIT - 142_500 - loss });
    await consistent();
    await settleToday();
    expect(await money()).toMatchObject({ owing: 0, unsettled: 0, available: DEPOSIT - 142_500 - loss });
    await consistent();
  });

  it.each([
    [95, { unsettled: 5_000_000 - 135_300, owing: 0 }],
    [104, { unsettled: 0, owing: 4_000_000 }],
  ])("sold first and covered at %i frees the member's own part, and the difference waits", async (price, waits) => {
    const before = await money();
    const { orderNo, terms } = await place(broker, memberId, { lots: 10, direction: "fall" });
    expect(terms.settlementDays).toBe(2);
    const opening = before.available - (await money()).available - (await money()).held;
    quote(price);
    await broker.close(memberId, orderNo, { lots: 10 });
    expect(await money()).toMatchObject({ collateral: 0, held: 0, ...waits });
    const { open_fee_cents: fee, open_tax_cents: tax } = await orderOf(broker, orderNo);
    expect(opening).toBeGreaterThan(fee + tax);
    const paidNow = price > 100 ? 4_000_000 + 148_200 : 0;
    expect((await money()).available).toBe(DEPOSIT - fee - tax - paidNow);
    await consistent();
    await settleToday();
    expect(await money()).toMatchObject({ unsettled: 0, owing: 0, available: DEPOSIT - fee - tax - paidNow + waits.unsettled });
    await consistent();
  });

  it("of another day does not net", async () => {
    const { orderNo } = await place(broker, memberId, { lots: 10 });
    nextDay();
    await broker.close(memberId, orderNo, { lots: 10 });
    expect(await money()).toMatchObject({ owing: 10 * LOT, unsettled: 10 * LOT - 142_500 - 300_000 });
    await consistent();
  });

  it("that began before trades netted is still paid in two parts", async () => {
    const { orderNo } = await place(broker, memberId, { lots: 10 });
    await query(broker.db.kysely, "UPDATE settlement SET nets = false WHERE member_id = $1", [memberId]);
    await broker.close(memberId, orderNo, { lots: 10 });
    expect(await money()).toMatchObject({ owing: 10 * LOT, unsettled: 10 * LOT - 142_500 - 300_000 });
    await settleToday();
    expect(await money()).toMatchObject({ owing: 0, unsettled: 0, available: DEPOSIT - 142_500 * 2 - 300_000 });
    await consistent();
  });
});

describe("a purchase from the day's sales", () => {
  it.each([
    ["is paid by them to the cent", 28_400],
    ["needs every cent", 28_399],
  ])("%s", async (_what, free) => {
    const orderNo = await holdLots(1, free);
    await broker.close(memberId, orderNo, { lots: 1 });
    // Less the fee and the tax; at 99.7 a lot costs 9,970,000 and a fee of 14,200.
    const sold = LOT - 14_200 - 30_000;
    expect(await proceeds()).toEqual([{ settlementDays: 2, cents: sold }]);
    quote(99.7);
    const asked = place(broker, memberId, { lots: 1, price: 99.7 });
    if (free < 28_400) {
      expect(await refusalOf(asked)).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT", field: "lots" });
      expect(await money()).toMatchObject({ available: free, unsettled: sold, held: 0 });
    } else {
      expect((await asked).status).toBe("holding");
      expect(await money()).toMatchObject({ available: 0, held: 0, unsettled: 0, owing: 14_200 });
      expect(await proceeds()).toEqual([]);
      expect(await due()).toEqual([
        { kind: "trade", amountCents: sold },
        { kind: "trade", amountCents: 0 - sold },
        { kind: "trade", amountCents: sold - 9_984_200 + 14_200 },
      ]);
    }
    await consistent();
    await settleToday();
    expect((await money()).available).toBe(free < 28_400 ? free + sold : 0);
    await consistent();
  });

  it("gives them back to their settlement when it is cancelled or made smaller", async () => {
    const orderNo = await holdLots(2, 0);
    await broker.close(memberId, orderNo, { lots: 2 });
    const sold = (await money()).unsettled;
    const order = await place(broker, memberId, { lots: 1, price: 95 });
    const { heldCents } = order;
    expect(await money()).toMatchObject({ available: 0, held: heldCents, unsettled: sold - heldCents });
    expect(await due()).toContainEqual({ kind: "hold", amountCents: 0 - heldCents });
    await consistent();
    const id = (): RequestId => randomUUID() as RequestId;
    const more = await broker.call("amendOrder", memberId, {
      requestId: id(),
      orderNo: order.orderNo,
      price: 960_000,
      lots: null,
      trigger: null,
    });
    expect(await money()).toMatchObject({ available: 0, held: more.heldCents, unsettled: sold - more.heldCents });
    const less = await broker.call("amendOrder", memberId, {
      requestId: id(),
      orderNo: order.orderNo,
      price: 900_000,
      lots: null,
      trigger: null,
    });
    expect(await money()).toMatchObject({ available: 0, held: less.heldCents, unsettled: sold - less.heldCents });
    await consistent();
    await broker.cancel(memberId, order.orderNo);
    expect(await money()).toMatchObject({ available: 0, held: 0, unsettled: sold });
    expect(await proceeds()).toEqual([{ settlementDays: 2, cents: sold }]);
    await consistent();
    await settleToday();
    expect(await money()).toMatchObject({ available: sold, unsettled: 0 });
  });

  it("cannot be borrowed for, sold short on, or made on another day", async () => {
    const orderNo = await holdLots(2, 0);
    await broker.close(memberId, orderNo, { lots: 2 });
    for (const also of [{ funding: "margin" }, { direction: "fall" }, { funding: "leverage", leverage: 2 }] as const) {
      expect(await refusalOf(place(broker, memberId, { lots: 1, ...also }))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
    }
    nextDay();
    expect(await proceeds()).toEqual([expect.objectContaining({ settlementDays: 1 })]);
    expect(await refusalOf(place(broker, memberId, { lots: 1 }))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
    await consistent();
  });

  it("of an order that lasts beyond midnight takes nothing of the next day's sales", async () => {
    const orderNo = await holdLots(2, 0);
    await broker.close(memberId, orderNo, { lots: 1 });
    const working = await place(broker, memberId, { lots: 1, price: 90 });
    // In the same session, whose trades now settle a day later.
    const { state } = broker.venue;
    const { opensAt } = state(broker.clock.now);
    broker.venue.state = (at) => ({ ...state(at), opensAt });
    try {
      nextDay();
      await broker.close(memberId, orderNo, { lots: 1 });
      const body = { requestId: randomUUID() as RequestId, orderNo: working.orderNo, price: 1_000_000, lots: null, trigger: null };
      expect(await refusalOf(broker.call("amendOrder", memberId, body))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
      await consistent();
    } finally {
      broker.venue.state = state;
    }
  });

  it("uses them once, however many orders ask at the same time", async () => {
    const orderNo = await holdLots(2, 0);
    await broker.close(memberId, orderNo, { lots: 2 });
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => place(broker, memberId, { lots: 1, price: 95 })));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    await consistent();
  });

  it("goes on after a restart, and what its order holds is not paid out meanwhile", async () => {
    const orderNo = await holdLots(2, 0);
    await broker.close(memberId, orderNo, { lots: 2 });
    const { orderNo: working } = await place(broker, memberId, { lots: 2, price: 95 });
    await broker.stop();
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    await settle();
    expect((await money()).available).toBe(0);
    quote(95);
    await broker.settled();
    expect((await orderOf(broker, working)).status).toBe("holding");
    expect(await money()).toMatchObject({ available: 0, held: 0, owing: 0 });
    await consistent();
    await settleToday();
    expect(await due()).toEqual([]);
    await consistent();
  });
});

describe("any days of trading", () => {
  it("keep the books exact, and the broker never pays", async () => {
    const seed = Number(process.env["NET_SEED"] ?? 20_261_128);
    const random = randomFrom(seed);
    let fromSales = 0;
    for (let step = 0; step < 220; step += 1) {
      const orders = await ordersOf(broker, memberId);
      const open = orders.filter(({ status }) => status === "holding");
      const working = orders.filter(({ status }) => status === "pending");
      const one = <Row>(rows: Row[]): Row | undefined => rows[random.int(0, rows.length - 1)];
      const what = random.int(0, 9);
      const order = what < 6 ? one(open) : one(working);
      const price = random.int(92, 108);
      if (what === 9) {
        nextDay(random.int(1, 2));
        await settle();
      } else if (what < 3) {
        const { available } = await money();
        const lots = Math.max(1, Math.floor((available / LOT) * random.int(0, 3)));
        const direction = random.int(0, 4) === 0 ? ("fall" as const) : ("rise" as const);
        const funding = random.int(0, 4) === 0 ? ("margin" as const) : ("cash" as const);
        await place(broker, memberId, { lots, price, direction, funding }).catch(() => undefined);
        fromSales += (await due()).filter(({ kind }) => kind === "hold").length;
      } else if (what < 6 && order) {
        await broker
          .close(memberId, order.order_no as OrderNo, { lots: random.int(1, order.filled_lots - order.closed_lots) })
          .catch(() => undefined);
      } else if (what < 8 && order) await broker.cancel(memberId, order.order_no as OrderNo).catch(() => undefined);
      else quote(random.int(93, 107));
      await broker.settled();
      const { owing, unsettled } = await money();
      const mornings = await query<{ dues: number }>(
        broker.db.kysely,
        "SELECT count(DISTINCT due_at) AS dues FROM settlement WHERE member_id = $1 AND settled_at IS NULL",
        [memberId],
      );
      if (Number(mornings[0]?.dues) === 1) expect(Math.min(owing, unsettled), `seed ${seed}, step ${step}`).toBe(0);
      if (step % 10 === 0) await consistent();
    }
    await consistent();
    expect(fromSales).toBeGreaterThan(0);
  });
});
