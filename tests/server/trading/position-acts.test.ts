/** Tests acts on a whole position, exit orders and reversal: on all of its orders in one command, or on none. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;

beforeEach(async () => {
  broker = await openTestBroker();
  broker.venue.set(0, { bids: [[100, 900]], asks: [[100, 900]], last: 100, reference: 100 });
  member = await broker.newMember();
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const key = { code: Code.parse("2330"), direction: "rise", funding: "cash", dayTrade: false } as const;
const bodyOf = () => ({ requestId: RequestId.parse(randomUUID()), ...key });
const stop = (at: number) => ({ kind: "stop", price: price(at * 10_000) }) as const;
const waiting = async () =>
  (await broker.call("listConditions", member, { orderNo: null })).conditions
    .filter(({ status }) => status === "waiting")
    .map((one) => `${one.orderNo} ${one.kind} ${one.price}`)
    .toSorted();
const now = async ({ orderNo }: Pick<Order, "orderNo">, of = member) => (await broker.call("readOrder", of, { orderNo })).order;

async function two(of = member): Promise<[Order, Order]> {
  const first = await broker.place(of, { lots: 1 });
  broker.clock.now += 1_000;
  return [first, await broker.place(of, { lots: 2 })];
}

describe("exit orders of a position", () => {
  it("replace those of each of its orders, and of no other position", async () => {
    const [first, second] = await two();
    const short = await broker.place(member, { direction: "fall" });
    await broker.call("setConditions", member, { requestId: RequestId.parse(randomUUID()), orderNo: second.orderNo, exits: [stop(91)] });
    const body = { ...bodyOf(), exits: [stop(95)] };
    const answer = await broker.call("setPositionConditions", member, body);
    expect(answer.orders.map(({ orderNo }) => orderNo)).toEqual([first.orderNo, second.orderNo]);
    const expected = [first, second].map(({ orderNo }) => `${orderNo} stop 950000`);
    expect(await waiting()).toEqual(expected);
    expect((await now(short)).version).toBe(short.version);
    // Acts once, with one answer.
    expect(await broker.call("setPositionConditions", member, body)).toEqual(answer);
    const outcome = await broker.call("askOutcome", member, { requestId: body.requestId, giveUp: false });
    expect(outcome).toEqual({ known: true, order: null, answer });
    await broker.call("setPositionConditions", member, { ...bodyOf(), exits: [] });
    expect(await waiting()).toEqual([]);
  });

  it("change nothing when one is refused", async () => {
    await two();
    await broker.call("setPositionConditions", member, { ...bodyOf(), exits: [stop(95)] });
    const before = await waiting();
    const refused = (exits: ReturnType<typeof stop>[]) => refusalOf(broker.call("setPositionConditions", member, { ...bodyOf(), exits }));
    expect(await refused([stop(105)])).toMatchObject({ code: "TRD_TRIGGER_PASSED", field: "exits" });
    expect(await refused([stop(95), stop(94)])).toMatchObject({ code: "TRD_TRIGGER_TWICE" });
    expect(await refusalOf(broker.call("setPositionConditions", member, { ...bodyOf(), dayTrade: true, exits: [] }))).toMatchObject({
      code: "TRD_ORDER_NOT_FOUND",
      field: "code",
    });
    expect(await waiting()).toEqual(before);
  });
});

describe("reversing a position", () => {
  it("closes every order and opens their lots the other way with one order", async () => {
    const [first, second] = await two();
    const body = bodyOf();
    const answer = await broker.call("reversePosition", member, body);
    expect(answer.closed).toMatchObject([
      { orderNo: first.orderNo, status: "closed", closedLots: 1 },
      { orderNo: second.orderNo, status: "closed", closedLots: 2 },
    ]);
    expect(answer.opened).toMatchObject({ direction: "fall", status: "holding", filledLots: 3, funding: "cash" });
    expect(await broker.call("reversePosition", member, body)).toEqual(answer);
    const outcome = await broker.call("askOutcome", member, { requestId: body.requestId, giveUp: false });
    expect(outcome).toEqual({ known: true, order: null, answer });
    const { positions } = await broker.call("listPositions", member, {});
    expect(positions.map(({ orderNo }) => orderNo)).toEqual([answer.opened.orderNo]);
  });

  it("is paid for with what all of its orders bring together", async () => {
    // 30,200 of the deposit stay available: the short of three lots needs what the three orders bring.
    const tight = await broker.newMember({ depositCents: 30_200_000 });
    for (const lots of [1, 1, 1]) await broker.place(tight, { lots });
    expect((await broker.call("readMember", tight, {})).availableCents).toBeLessThan(1_000_000);
    const answer = await broker.call("reversePosition", tight, bodyOf());
    expect(answer.closed.map(({ status }) => status)).toEqual(["closed", "closed", "closed"]);
    expect(answer.opened).toMatchObject({ status: "holding", direction: "fall", filledLots: 3 });
  });

  it("changes nothing when one order cannot be closed, or the new one not be opened", async () => {
    const [first, second] = await two();
    await broker.close(member, second.orderNo, { lots: 1, price: 105 });
    const before = [await now(first), await now(second)];
    expect(await refusalOf(broker.call("reversePosition", member, bodyOf()))).toMatchObject({
      code: "TRD_ORDER_NOT_HOLDING",
      field: "code",
    });
    expect([await now(first), await now(second)]).toEqual(before);
    const poor = await broker.newMember({ depositCents: 30_200_000 });
    const held = await two(poor);
    broker.venue.set(0, { bids: [[100, 1]], asks: [[110, 9]] });
    expect(await refusalOf(broker.call("reversePosition", poor, bodyOf()))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
    for (const order of held) expect(await now(order, poor)).toEqual(order);
  });
});
