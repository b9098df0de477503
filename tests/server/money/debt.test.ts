/**
 * Tests debts: the unpaid part of a loss is the member's, and is paid from every permitted pocket, then by later money and by sales of
 * other positions.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RequestId } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { settleDue } from "#server/trading/clearing/settle-due.ts";
import { query } from "#server/db/database.ts";
import { charge } from "#server/trading/clearing/charges.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { orderBecomes, eventually, newTrader, orderOf, pass, place, expectConsistentBooks } from "./fixture.ts";

const DEPOSIT = 100_000_000;
/** None of these rows has a limiting price band: the reference moves with the price. */
const ROWS = { "2454": 7, "2330": 0, "2603": 1 } as const;
type Listed = keyof typeof ROWS;

let broker: TestBroker;
let memberId: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  memberId = await newTrader(broker, DEPOSIT);
  for (const code of Object.keys(ROWS) as Listed[]) market(code, 100);
});
afterAll(() => broker.shut());

function market(code: Listed, at: number, lots = 10_000): void {
  const levels: [number, number][] = lots > 0 ? [[at, lots]] : [];
  broker.venue.set(ROWS[code], { bids: levels, asks: levels, last: at, reference: at });
}

const balances = () => readBalances(broker.db.kysely, memberId);
const owes = (owedCents: number): Promise<void> => eventually(async () => expect((await balances()).debt).toBe(0 - owedCents));
const factsOf = (type: string) =>
  broker.published.filter((one) => one.memberId === memberId && one.fact.type === type).map(({ fact }) => fact);
/** A leveraged long of 15 lots: 500,005 of own money, about 1,000,000 borrowed. */
const leveraged = () => place(broker, memberId, { code: "2454", funding: "leverage", leverage: 3, lots: 15 });
const park = (lots: number) => place(broker, memberId, { code: "2330", price: 95, lots });
const paid = async (amount: number): Promise<void> => {
  await broker.sequencer.submit({ memberIds: [memberId], decide: (batch) => batch.ledger.deposit(memberId, cents(amount)) });
};

describe("money held by orders that open positions", () => {
  it("pays for a liquidation in the same batch, from the largest orders first and from no more than necessary", async () => {
    const small = await park(1);
    const large = await park(3);
    const order = await leveraged();
    const batches: string[][] = [];
    const stop = broker.sequencer.onBatch((batch) => {
      const mine = batch.facts.filter((one) => one.memberId === memberId).map(({ fact }) => fact.type);
      if (mine.length > 0) batches.push(mine);
    });
    // 1,500,000 became 600,000: 400,000 of the loan remain, and about 100,000 are available.
    market("2454", 40);
    await orderBecomes(broker, order.orderNo, { status: "closed", close_cause: "liquidation" });
    stop();
    expect(batches).toContainEqual(["order.closeRequested", "order.closed", "order.cancelled", "debt.incurred"]);
    expect((await orderOf(broker, large.orderNo)).status).toBe("cancelled");
    expect((await orderOf(broker, small.orderNo)).status).toBe("pending");
    expect((await balances()).debt).toBe(0);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
    await broker.cancel(memberId, small.orderNo);
  });

  it("is released with a reason in the fact and in the inbox", async () => {
    const parked = await park(4);
    const order = await leveraged();
    market("2454", 40);
    await orderBecomes(broker, order.orderNo, { status: "closed" });
    const { items } = await broker.call("listMessages", memberId, { cursor: null });
    const told = items.find(({ kind }) => kind === "debt");
    expect(told).toMatchObject({ kind: "debt", read: false, debt: { cancelled: [parked.orderNo], owedCents: 0 } });
    expect(told?.debt?.incurredCents).toBeGreaterThan(0);
    expect(factsOf("debt.incurred")).toMatchObject([{ owedCents: 0, message: told }]);
  });

  it("pays the cost of the member's own close", async () => {
    const parked = await park(4);
    const { orderNo } = await leveraged();
    // Bids are far below a last price at which nothing is liquidated.
    broker.venue.set(ROWS["2454"], { bids: [[40, 10_000]], last: 100, reference: 44 });
    expect(await broker.close(memberId, orderNo, { lots: 15 })).toMatchObject({ status: "closed", closeCause: "member" });
    expect((await orderOf(broker, parked.orderNo)).status).toBe("cancelled");
    expect((await balances()).debt).toBe(0);
  });

  it("of a conditional order pays too, and a partially filled order pays what it still holds", async () => {
    market("2330", 95, 1);
    const half = await park(4);
    expect(half).toMatchObject({ status: "pending", filledLots: 1 });
    market("2330", 100);
    const order = await leveraged();
    market("2454", 40);
    await orderBecomes(broker, order.orderNo, { status: "closed" });
    expect(await orderOf(broker, half.orderNo)).toMatchObject({ status: "holding", lots: 1, held_cents: 0 });
    await owes(0);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("pays a dividend owed by a short before its collateral does, and the collateral pays the rest", async () => {
    const short = await place(broker, memberId, { code: "2603", direction: "fall", lots: 4 });
    const parked = await park(5);
    const { available, held } = await balances();
    const { collateral_cents: before } = await orderOf(broker, short.orderNo);
    const owed = available + held + 1_000;
    await broker.sequencer.submit({
      memberIds: [memberId],
      orderNos: [short.orderNo],
      decide: (batch) => {
        const order = batch.order(memberId, short.orderNo);
        if (!order) throw new Error("no order");
        charge(batch, order, "dividend", "issuers", owed);
        order.dividend_cents -= owed;
        batch.emitOrderFact("order.adjusted", order);
      },
    });
    expect((await orderOf(broker, parked.orderNo)).status).toBe("cancelled");
    expect(await balances()).toMatchObject({ available: 0, held: 0, debt: 0, collateral: before - 1_000 });
    expect((await orderOf(broker, short.orderNo)).collateral_cents).toBe(before - 1_000);
  });
});

describe("the remaining debt", () => {
  /** A member without money who owes about 200,000. */
  const lose = async (): Promise<number> => {
    memberId = await newTrader(broker, 51_000_000);
    const { orderNo } = await leveraged();
    market("2454", 53);
    await orderBecomes(broker, orderNo, { status: "closed" });
    await eventually(async () => expect((await balances()).debt).toBeLessThan(0));
    return 0 - (await balances()).debt;
  };

  it("blocks new positions until it is paid, and the next deposit pays it first", async () => {
    const owed = await lose();
    expect(await broker.call("readMember", memberId, {})).toMatchObject({ debtCents: owed, availableCents: 0, totalCents: 0 - owed });
    const refused = await refusalOf(place(broker, memberId, { code: "2330" }));
    expect(refused).toMatchObject({ code: "FUND_DEBT_UNPAID" });
    await paid(owed - 100);
    expect(await balances()).toMatchObject({ available: 0, debt: -100 });
    expect(factsOf("debt.repaid")).toMatchObject([{ owedCents: 100 }]);
    expect((await refusalOf(place(broker, memberId, { code: "2330" }))).params).toEqual({ n: "1.00" });
    await paid(20_000_100);
    expect(await balances()).toMatchObject({ available: 20_000_000, debt: 0 });
    expect(factsOf("debt.repaid")).toMatchObject([{ owedCents: 100 }, { owedCents: 0 }]);
    expect((await place(broker, memberId, { code: "2330" })).status).toBe("holding");
  });

  it("is paid from the proceeds of a close before the member receives them, and reported", async () => {
    memberId = await newTrader(broker, 61_500_000);
    // It cannot be sold while it is not traded, so the debt remains.
    const held = await place(broker, memberId, { code: "2330" });
    broker.venue.setMatching(ROWS["2330"], "none");
    const { orderNo } = await leveraged();
    market("2454", 63);
    await orderBecomes(broker, orderNo, { status: "closed" });
    await eventually(async () => expect((await balances()).debt).toBeLessThan(0));
    const owed = 0 - (await balances()).debt;
    broker.venue.setMatching(ROWS["2330"], null);
    market("2330", 100);
    await orderBecomes(broker, held.orderNo, { status: "closed", close_cause: "debt" });
    const costs = 14_200 + 30_000;
    expect(await balances()).toMatchObject({ debt: 0, available: 10_000_000 - costs - owed });
    expect(factsOf("debt.repaid")).toMatchObject([{ owedCents: 0 }]);
  });

  it("is paid by selling the smallest sufficient position, and no other", async () => {
    memberId = await newTrader(broker, 101_000_000);
    const one = await place(broker, memberId, { code: "2330" });
    const three = await place(broker, memberId, { code: "2330", lots: 3 });
    const another = await place(broker, memberId, { code: "2603" });
    const { orderNo } = await leveraged();
    // About 200,000 are owed: one lot is not enough.
    market("2454", 54);
    await orderBecomes(broker, orderNo, { status: "closed" });
    await orderBecomes(broker, three.orderNo, { status: "closed", close_cause: "debt" });
    await broker.settled();
    expect([(await orderOf(broker, one.orderNo)).status, (await orderOf(broker, another.orderNo)).status]).toEqual(["holding", "holding"]);
    expect((await balances()).debt).toBe(0);
    await expectConsistentBooks(broker, memberId, 101_000_000);
  });

  it("waits for the proceeds of a sale that settles later, without selling anything else", async () => {
    await query(broker.db.kysely, `INSERT INTO rule (part, code, member_id, body) VALUES ('trade', '2603', $1, '{"settlementDays": 2}')`, [
      memberId,
    ]);
    await broker.sequencer.rules.reload(broker.db.kysely);
    const sold = await place(broker, memberId, { code: "2603", lots: 3 });
    const kept = await place(broker, memberId, { code: "2330", lots: 1 });
    // On the same day the sale would pay for the purchase.
    pass(broker, 1);
    await broker.close(memberId, sold.orderNo, { lots: 3 });
    const { orderNo } = await leveraged();
    // Less than the unsettled 300,000.
    market("2454", 55);
    await orderBecomes(broker, orderNo, { status: "closed" });
    await broker.settled();
    const { debt, unsettled } = await balances();
    expect(debt).toBeLessThan(0);
    expect(unsettled + debt).toBeGreaterThan(0);
    expect((await orderOf(broker, kept.orderNo)).status).toBe("holding");
    pass(broker, 6);
    await settleDue({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
    expect((await balances()).debt).toBe(0);
    expect(factsOf("debt.repaid")).toHaveLength(1);
    expect((await orderOf(broker, kept.orderNo)).status).toBe("holding");
  });

  it("is paid from margin deposited on a call, even for another position", async () => {
    memberId = await newTrader(broker, 120_000_000);
    const financed = await place(broker, memberId, { code: "2603", funding: "margin", lots: 10 });
    const { orderNo } = await leveraged();
    market("2603", 77);
    await eventually(async () => expect((await broker.call("readMargin", memberId, {})).account.call?.status).toBe("due"));
    const { available } = await balances();
    await broker.call("payMargin", memberId, { requestId: randomUUID() as RequestId, amount: Math.floor(available / 100) });
    const { margin } = await balances();
    market("2454", 60);
    await orderBecomes(broker, orderNo, { status: "closed" });
    expect((await balances()).margin).toBeLessThan(margin);
    expect(factsOf("debt.incurred")).toHaveLength(1);
    expect((await balances()).debt).toBe(0);
    expect((await orderOf(broker, financed.orderNo)).status).toBe("holding");
    await expectConsistentBooks(broker, memberId, 120_000_000);
  });

  it("is not paid from the collateral of a position that is charged for something else", async () => {
    memberId = await newTrader(broker, 90_000_000);
    const short = await place(broker, memberId, { code: "2603", direction: "fall", lots: 4 });
    // It cannot be sold for the debt.
    broker.venue.setMatching(ROWS["2603"], "none");
    const { orderNo } = await leveraged();
    market("2454", 40);
    await orderBecomes(broker, orderNo, { status: "closed" });
    await eventually(async () => expect((await balances()).debt).toBeLessThan(0));
    const { debt, collateral } = await balances();
    await broker.sequencer.submit({
      memberIds: [memberId],
      orderNos: [short.orderNo],
      decide: (batch) => {
        const order = batch.order(memberId, short.orderNo);
        if (!order) throw new Error("no order");
        for (const amount of [1_000, 500]) {
          charge(batch, order, "dividend", "issuers", amount);
          order.dividend_cents -= amount;
        }
        batch.emitOrderFact("order.adjusted", order);
      },
    });
    expect(await balances()).toMatchObject({ debt, collateral: collateral - 1_500 });
    expect((await orderOf(broker, short.orderNo)).collateral_cents).toBe(collateral - 1_500);
    await expectConsistentBooks(broker, memberId, 90_000_000);
    broker.venue.setMatching(ROWS["2603"], null);
  });

  it("is collected after a restart", async () => {
    memberId = await newTrader(broker, 61_500_000);
    const held = await place(broker, memberId, { code: "2330" });
    broker.venue.setMatching(ROWS["2330"], "none");
    const { orderNo } = await leveraged();
    market("2454", 63);
    await orderBecomes(broker, orderNo, { status: "closed" });
    await broker.stop();
    broker.venue.setMatching(ROWS["2330"], null);
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    await orderBecomes(broker, held.orderNo, { status: "closed", close_cause: "debt" });
  });
});
