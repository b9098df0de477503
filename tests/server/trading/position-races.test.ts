/** Tests acts on many orders against what happens at the same time: fills, exit orders, other devices, and calls beyond the rate limit. */
import { randomUUID } from "node:crypto";
import type { KyselyPlugin } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Code, OrderNo, RequestId } from "#contract/kernel/id.ts";
import { price } from "#contract/kernel/money.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { Database } from "#server/db/database.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
let other: number;
let statements = 0;

/** The database, counting the statements that it carries out. */
function counting(db: Database): Database {
  const count: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      // What is sent together is answered by the rows of each.
      const { rows } = result;
      statements += Array.isArray(rows[0]) ? rows.length : 1;
      return result;
    },
  };
  const counted = {
    kysely: db.kysely.withPlugin(count),
    transaction: <Result>(work: Parameters<typeof db.transaction<Result>>[0]) => db.transaction((tx) => work(tx.withPlugin(count))),
  };
  return { ...db, ...counted };
}

async function open(commandsPerSecond?: number): Promise<void> {
  broker = await openTestBroker({
    db: counting(await openTestDatabase()),
    ...(commandsPerSecond === undefined ? {} : { commandsPerSecond }),
  });
  broker.venue.set(0, { bids: [[99, 900]], asks: [[100, 900]], last: 100, reference: 100 });
  member = await broker.newMember();
  other = await broker.newMember();
}
beforeEach(() => open());
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const key = { code: Code.parse("2330"), direction: "rise", funding: "cash", dayTrade: false } as const;
const id = () => RequestId.parse(randomUUID());
const bodyOf = () => ({ requestId: id(), ...key });
const close = { pricing: "market", price: null, validity: "rod", fixed: false, orderNos: [] as OrderNo[] } as const;

/** One lot held, two that rest, and a call by which another member fills the two. */
async function aboutToBeFilled() {
  const held = await broker.place(member, { lots: 1 });
  broker.venue.set(0, { bids: [[98, 900]], asks: [[101, 900]] });
  await broker.settled();
  const resting = await broker.place(member, { lots: 2, price: 100 });
  expect(resting.status).toBe("pending");
  return { held, resting, fill: () => broker.place(other, { direction: "fall", lots: 2, price: 100 }) };
}

describe("an order that is filled just before an act on its position", () => {
  it("is reversed with it", async () => {
    const { held, resting, fill } = await aboutToBeFilled();
    const [, answer] = await Promise.all([fill(), broker.call("reversePosition", member, bodyOf())]);
    expect(answer.closed.map(({ orderNo }) => orderNo)).toEqual([held.orderNo, resting.orderNo]);
    expect(answer.opened).toMatchObject({ direction: "fall", lots: 3, filledLots: 3 });
  });

  it("gets the exit orders that all of it gets", async () => {
    const { held, resting, fill } = await aboutToBeFilled();
    const exits = [{ kind: "stop", price: price(90 * 10_000) } as const];
    const [, answer] = await Promise.all([fill(), broker.call("setPositionConditions", member, { ...bodyOf(), exits })]);
    expect(answer.conditions.map(({ orderNo }) => orderNo)).toEqual([held.orderNo, resting.orderNo]);
  });

  it("is closed with all others, and by a close of as many shares", async () => {
    const { held, resting, fill } = await aboutToBeFilled();
    const [, answer] = await Promise.all([fill(), broker.call("closePosition", member, { ...bodyOf(), ...close, shares: 3_000 })]);
    expect(answer.orders.map(({ orderNo }) => orderNo)).toEqual([held.orderNo, resting.orderNo]);
    const again = await aboutToBeFilled();
    const [, all] = await Promise.all([again.fill(), broker.call("closeOrders", member, { requestId: id(), code: key.code })]);
    expect(all.orders.map(({ orderNo }) => orderNo)).toEqual([again.held.orderNo, again.resting.orderNo]);
  });

  it("is not cancelled with those that rest, and no part of the position before it is filled as a whole", async () => {
    const { resting, fill } = await aboutToBeFilled();
    const [, cancelled] = await Promise.all([fill(), broker.call("cancelOrders", member, { requestId: id(), code: null })]);
    expect(cancelled).toEqual({ orders: [], refused: [] });
    expect((await broker.call("readOrder", member, { orderNo: resting.orderNo })).order.status).toBe("holding");
    const half = await aboutToBeFilled();
    const part = broker.place(other, { direction: "fall", lots: 1, price: 100 });
    const [, answer] = await Promise.all([part, broker.call("reversePosition", member, bodyOf())]);
    expect(answer.closed.map(({ orderNo }) => orderNo)).not.toContain(half.resting.orderNo);
    expect((await broker.call("readOrder", member, { orderNo: half.resting.orderNo })).order).toMatchObject({
      status: "pending",
      filledLots: 1,
    });
  });
});

describe("acts at once", () => {
  it("of two devices close or reverse a position once", async () => {
    await broker.place(member, { lots: 3 });
    const acts = [
      broker.call("reversePosition", member, bodyOf()),
      broker.call("reversePosition", member, bodyOf()),
      broker.call("closePosition", member, { ...bodyOf(), ...close, shares: 3_000 }),
      broker.call("closeOrders", member, { requestId: id(), code: null }),
    ];
    const outcomes = await Promise.allSettled(acts);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    const { positions } = await broker.call("listPositions", member, {});
    expect(positions).toMatchObject([{ direction: "fall", filledLots: 3 }]);
  });

  it("of a stop that fires and a reversal sell every lot once", async () => {
    await broker.place(member, { lots: 2 });
    const exits = [{ kind: "stop", price: price(95 * 10_000) } as const];
    await broker.call("setPositionConditions", member, { ...bodyOf(), exits });
    broker.venue.set(0, { bids: [[94, 900]], asks: [[95, 900]], last: 94 });
    const reversal = broker.call("reversePosition", member, bodyOf()).catch((error: unknown) => error);
    await reversal;
    await broker.settled();
    const { positions } = await broker.call("listPositions", member, {});
    const sold = (await broker.call("listOrders", member, { statuses: ["closed"], cursor: null })).items;
    expect(sold).toMatchObject([{ direction: "rise", closedLots: 2 }]);
    expect(positions.every(({ direction, filledLots }) => direction === "fall" && filledLots === 2)).toBe(true);
    const waiting = (await broker.call("listConditions", member, { orderNo: null })).conditions.filter(
      ({ status }) => status === "waiting",
    );
    expect(waiting).toEqual([]);
  });
});

describe("orders that are named", () => {
  it("are the member's own, or the whole close is refused", async () => {
    const own = await broker.place(member, { lots: 1 });
    const theirs = await broker.place(other, { lots: 1 });
    for (const orderNo of [theirs.orderNo, OrderNo.parse("K999999999999")]) {
      const asked = { ...bodyOf(), ...close, shares: 1_000, orderNos: [own.orderNo, orderNo] };
      expect(await refusalOf(broker.call("closePosition", member, asked))).toMatchObject({ code: "TRD_ORDER_NOT_FOUND" });
    }
    expect((await broker.call("readOrder", other, { orderNo: theirs.orderNo })).order.version).toBe(theirs.version);
    const many = { ...bodyOf(), ...close, shares: 1_000, orderNos: Array.from({ length: 500 }, () => own.orderNo) };
    expect((await broker.call("closePosition", member, many)).orders).toHaveLength(1);
  });
});

describe("a call beyond the rate limit", () => {
  it("on many orders costs the database less than one on a single order", async () => {
    await broker.shut();
    await open(1);
    await broker.place(member);
    // Nothing else asks the database from now on.
    await broker.stop();
    await broker.sequencer.idle();
    const cost = async (call: () => Promise<unknown>): Promise<number> => {
      const before = statements;
      expect(await refusalOf(call())).toMatchObject({ code: "GEN_TOO_FREQUENT" });
      return statements - before;
    };
    const single = await cost(() => broker.cancel(member, OrderNo.parse("K000000000001")));
    const all = { requestId: id(), code: null };
    expect(await cost(() => broker.call("cancelOrders", member, all))).toBeLessThan(single);
    expect(await cost(() => broker.call("closeOrders", member, all))).toBeLessThan(single);
    expect(await cost(() => broker.call("closePosition", member, { ...bodyOf(), ...close, shares: 1_000 }))).toBeLessThan(single);
    expect(await cost(() => broker.call("reversePosition", member, bodyOf()))).toBeLessThan(single);
    expect(await cost(() => broker.call("setPositionConditions", member, { ...bodyOf(), exits: [] }))).toBeLessThan(single);
    // It may act as soon as the limit allows it.
    broker.clock.now += 1_000;
    expect((await broker.call("closeOrders", member, all)).orders).toHaveLength(1);
  });
});
