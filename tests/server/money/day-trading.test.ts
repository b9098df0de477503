/** Tests day trading: eligibility for the agreement, the halved tax, the square-off before the end, and positions that become ordinary. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RequestId } from "#contract/kernel/id.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { runCommand } from "#server/ops/run-command.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { orderBecomes, eventually, newTrader, orderOf, pass, place, expectConsistentBooks } from "./fixture.ts";

const DEPOSIT = 1_000_000_000;

let broker: TestBroker;
let memberId: number;
/** End of the current trading day. */
let endsAt: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  memberId = await newTrader(broker, DEPOSIT);
  newDay();
  market(100);
});
afterAll(() => broker.shut());

/** Starts a trading day that began an hour ago and lasts four more hours. */
function newDay(): void {
  pass(broker, 7);
  endsAt = broker.clock.now + 4 * HOUR_MS;
  broker.venue.setDay(broker.clock.now - HOUR_MS, endsAt);
}

function market(at: number, lots = 1_000): void {
  broker.venue.set(0, { bids: lots > 0 ? [[at, lots]] : [], asks: lots > 0 ? [[at, lots]] : [], last: at });
}

const read = (id = memberId) => broker.call("readDayTrading", id, {});
const activate = (id: number) => broker.call("signDayTrading", id, { requestId: randomUUID() as RequestId, agreed: true });
async function sign(id: number) {
  await signByHand(broker, id, "dayTrading");
  return activate(id);
}

describe("the agreement", () => {
  it("is refused to a young account without executed orders, and the unmet requirements are returned", async () => {
    const id = await broker.newMember();
    expect(await read(id)).toMatchObject({ signedAt: null, lacks: ["accountAge", "executedOrders"], executedOrders: 0, accountDays: 0 });
    expect(await refusalOf(activate(id))).toMatchObject({ code: "ACC_AGREEMENT_UNSIGNED" });
    expect(await refusalOf(sign(id))).toMatchObject({ code: "TRD_DAY_TRADING_LACKS", params: { n1: 90, n2: 10 } });
    expect(await refusalOf(place(broker, id, { dayTrade: true }))).toMatchObject({ code: "TRD_DAY_TRADING_DISABLED" });
  });

  it("is signed once by a member whose account is old enough and who has traded enough", async () => {
    const id = await broker.newMember();
    await query(broker.db.kysely, "UPDATE member SET created_at = $2 WHERE id = $1", [id, broker.clock.now - 90 * DAY_MS]);
    for (let n = 0; n < 10; n += 1) {
      expect((await read(id)).lacks).toEqual(["executedOrders"]);
      await place(broker, id);
    }
    expect(await read(id)).toMatchObject({ lacks: [], executedOrders: 10, accountDays: 90 });
    const { signedAt } = await sign(id);
    expect(signedAt).toBe(broker.clock.now);
    broker.clock.now += 1_000;
    expect((await sign(id)).signedAt).toBe(signedAt);
    expect((await place(broker, id, { dayTrade: true })).dayTrade).toBe(true);
  });

  it("requires only a verified name of a member with a margin account", async () => {
    const id = await broker.newMember();
    await query(broker.db.kysely, "UPDATE trader SET margin_status = 'approved' WHERE member_id = $1", [id]);
    expect((await read(id)).lacks).toEqual([]);
    expect((await sign(id)).signedAt).toBe(broker.clock.now);
    const unverified = await broker.newMember({ identity: "unverified" });
    expect(await refusalOf(activate(unverified))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
  });

  it("returns the loss at which the member is warned: the broker's default or the member's own", async () => {
    expect((await read()).warningPercent).toBe(5);
    expect((await broker.call("setDayTradingWarning", memberId, { percent: 12 })).warningPercent).toBe(12);
    expect((await read()).warningPercent).toBe(12);
  });
});

describe("a day trade", () => {
  it("pays half the tax, and has no lock-up", async () => {
    const order = await place(broker, memberId, { lots: 10, dayTrade: true });
    expect(order.terms).toMatchObject({ taxPerMillion: 1_500, lockSeconds: 0 });
    const closed = await broker.close(memberId, order.orderNo, { lots: 10 });
    expect(closed).toMatchObject({ status: "closed", closeTaxCents: 150_000 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("is squared off by the broker before the end of trading, and its pending rest is cancelled", async () => {
    const bought = await place(broker, memberId, { lots: 10, dayTrade: true });
    const sold = await place(broker, memberId, { lots: 3, dayTrade: true, direction: "fall" });
    const waiting = await place(broker, memberId, { lots: 1, dayTrade: true, price: 95 });
    const ordinary = await place(broker, memberId, { lots: 1 });
    const { squareOffAt } = await read();
    expect(squareOffAt).toBe(endsAt - 300 * SECOND_MS);
    broker.clock.now = (squareOffAt ?? 0) - 1;
    market(100);
    await broker.settled();
    expect((await orderOf(broker, bought.orderNo)).status).toBe("holding");
    broker.clock.now += 1;
    market(100);
    await orderBecomes(broker, bought.orderNo, { status: "closed", close_cause: "squareOff", day_trade: true });
    await orderBecomes(broker, sold.orderNo, { status: "closed", close_cause: "squareOff" });
    await orderBecomes(broker, waiting.orderNo, { status: "cancelled", held_cents: 0 });
    expect((await orderOf(broker, ordinary.orderNo)).status).toBe("holding");
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("that is locked buys no more when it should be squared off, and is closed when it is unlocked", async () => {
    market(100, 4);
    const { orderNo } = await place(broker, memberId, { lots: 10, dayTrade: true, price: 100 });
    expect(await orderOf(broker, orderNo)).toMatchObject({ status: "pending", filled_lots: 4 });
    expect(await runCommand(broker.db, ["order", orderNo, "lock"], () => undefined)).toBe(0);
    broker.venue.set(0, { asks: [] });
    broker.clock.now = endsAt - 300 * SECOND_MS;
    await orderBecomes(broker, orderNo, { status: "holding", lots: 4, filled_lots: 4, closed_lots: 0, held_cents: 0 });
    expect(await runCommand(broker.db, ["order", orderNo, "unlock"], () => undefined)).toBe(0);
    broker.venue.set(0, { bids: [[100, 9]] });
    await orderBecomes(broker, orderNo, { status: "closed", close_cause: "squareOff" });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("is refused when there is no time left to square it off", async () => {
    broker.clock.now = endsAt - 300 * SECOND_MS;
    market(100);
    expect(await refusalOf(place(broker, memberId, { dayTrade: true }))).toMatchObject({
      code: "TRD_NON_TRADING_HOURS",
      field: "dayTrade",
    });
    expect((await place(broker, memberId)).status).toBe("holding");
    broker.venue.setPhase("closingAuction");
    expect(await refusalOf(place(broker, memberId, { dayTrade: true, price: 100 }))).toMatchObject({
      code: "TRD_NON_TRADING_HOURS",
      field: "dayTrade",
    });
    broker.venue.setPhase("open");
  });

  it("that could not be squared off becomes an ordinary position on the next day, and its sale is taxed in full", async () => {
    const order = await place(broker, memberId, { lots: 10, dayTrade: true });
    await broker.close(memberId, order.orderNo, { lots: 4 });
    market(100, 0);
    newDay();
    await orderBecomes(broker, order.orderNo, { status: "holding", day_trade: false });
    expect((await orderOf(broker, order.orderNo)).terms.taxPerMillion).toBe(3_000);
    market(100);
    const closed = await broker.close(memberId, order.orderNo, { lots: 6 });
    // Four lots were sold on the first day, at the reduced rate.
    expect(closed.closeTaxCents).toBe(60_000 + 180_000);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("sold short that could not be squared off owes the saved tax on its open part", async () => {
    const order = await place(broker, memberId, { lots: 10, dayTrade: true, direction: "fall" });
    expect(order.openTaxCents).toBe(150_000);
    await broker.close(memberId, order.orderNo, { lots: 4 });
    market(100, 0);
    newDay();
    await orderBecomes(broker, order.orderNo, { status: "holding", day_trade: false, open_tax_cents: 150_000 + 90_000 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
    market(100);
    await broker.close(memberId, order.orderNo, { lots: 6 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("becomes ordinary after a restart too", async () => {
    const order = await place(broker, memberId, { lots: 10, dayTrade: true });
    await broker.stop();
    newDay();
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    await orderBecomes(broker, order.orderNo, { status: "holding", day_trade: false });
    await eventually(async () => expect(broker.faults).toEqual([]));
  });
});
