/** Tests idempotency: a request never acts twice, whether repeated later, at the same time, after a restart or after a failure. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { schemaName } from "#tests/support/run.ts";
import { openKeptDatabase } from "#tests/support/test-database.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;

beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  broker.venue.set(0, { bids: [[99.5, 50]], asks: [[100, 50]] });
  await broker.settled();
  member = await broker.newMember();
});
afterAll(async () => {
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const countOrders = async (): Promise<number> =>
  (await broker.db.kysely.selectFrom("order").select("order_no").where("member_id", "=", member).execute()).length;

describe("a repeated request", () => {
  it("gets the same answer, with the order's current state", async () => {
    const requestId = randomUUID();
    const first = await broker.place(member, { price: 95, requestId });
    await broker.cancel(member, first.orderNo);
    const again = await broker.place(member, { price: 95, requestId: requestId.toUpperCase() });
    expect(again).toMatchObject({ orderNo: first.orderNo, status: "cancelled" });
    expect(await countOrders()).toBe(1);
  });

  it("acts once when sent ten times at once", async () => {
    const requestId = randomUUID();
    const orders = await Promise.all(Array.from({ length: 10 }, () => broker.place(member, { requestId })));
    expect(new Set(orders.map(({ orderNo }) => orderNo)).size).toBe(1);
    expect(await countOrders()).toBe(1);
  });

  it("is refused with another body, and for another command", async () => {
    const requestId = randomUUID();
    const { orderNo } = await broker.place(member, { price: 95, requestId });
    expect(await refusalOf(broker.place(member, { price: 95, lots: 2, requestId }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
    expect(await refusalOf(broker.cancel(member, orderNo, requestId))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
  });

  it("is independent of another member's request with the same id", async () => {
    const requestId = randomUUID();
    const other = await broker.newMember();
    const mine = await broker.place(member, { requestId });
    const theirs = await broker.place(other, { requestId });
    expect(theirs.orderNo).not.toBe(mine.orderNo);
  });

  it("covers cancelling and closing too", async () => {
    const { orderNo } = await broker.place(member, { lots: 3 });
    const requestId = randomUUID();
    expect(await broker.close(member, orderNo, { requestId })).toMatchObject({ closedLots: 1 });
    expect(await broker.close(member, orderNo, { requestId })).toMatchObject({ closedLots: 1 });
    const pending = (await broker.place(member, { price: 95 })).orderNo;
    const cancelId = randomUUID();
    await broker.cancel(member, pending, cancelId);
    expect(await broker.cancel(member, pending, cancelId)).toMatchObject({ status: "cancelled" });
  });

  it("can be queried, even while the command is queued", async () => {
    const requestId = randomUUID();
    const asked = RequestId.parse(requestId);
    expect(await broker.call("askOutcome", member, { requestId: asked, giveUp: false })).toEqual({
      known: false,
      order: null,
      answer: null,
    });
    const placing = broker.place(member, { requestId });
    const outcome = await broker.call("askOutcome", member, { requestId: asked, giveUp: false });
    expect(outcome).toEqual({ known: true, order: await placing, answer: null });
  });

  it("never acts after the client gave it up, even if it arrives late", async () => {
    const requestId = RequestId.parse(randomUUID());
    const nothing = { known: false, order: null, answer: null };
    expect(await broker.call("askOutcome", member, { requestId, giveUp: true })).toEqual(nothing);
    expect(await refusalOf(broker.place(member, { requestId }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
    expect(await broker.call("askOutcome", member, { requestId, giveUp: false })).toEqual(nothing);
    // A command that has already arrived cannot be given up.
    const order = await broker.place(member);
    expect(await broker.call("askOutcome", member, { requestId: order.requestId, giveUp: true })).toEqual({
      known: true,
      order,
      answer: null,
    });
  });

  it("may be tried again if it was refused", async () => {
    const requestId = randomUUID();
    broker.venue.setPhase("closed");
    await refusalOf(broker.place(member, { requestId }));
    expect(await broker.call("askOutcome", member, { requestId: RequestId.parse(requestId), giveUp: false })).toEqual({
      known: false,
      order: null,
      answer: null,
    });
    broker.venue.setPhase("open");
    expect(await broker.place(member, { requestId })).toMatchObject({ status: "holding" });
  });
});

describe("a failed transaction", () => {
  it("does not affect the other commands of its batch", async () => {
    const broken = await broker.newMember();
    broker.published.length = 0;
    // Makes the transaction fail: this member's next fact number is taken.
    await query(broker.db.kysely, "INSERT INTO fact (member_id, n, at, type, body) VALUES ($1, 1, 0, 'order.placed', '{}')", [broken]);
    const [bad, good] = await Promise.allSettled([broker.place(broken), broker.place(member)]);
    expect(bad.status).toBe("rejected");
    expect(good).toMatchObject({ status: "fulfilled", value: { status: "holding" } });
    expect(broker.faults).toHaveLength(1);
    expect(broker.published.map((one) => one.memberId)).toEqual([member, member]);
    await query(broker.db.kysely, "DELETE FROM fact WHERE member_id = $1", [broken]);
    expect(await broker.place(broken)).toMatchObject({ status: "holding" });
  });
});

describe("a restart", () => {
  it("reloads resting orders and matches them", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "restart-"));
    const schema = schemaName();
    const open = () => openKeptDatabase({ dataDir, schema });
    const before = await openTestBroker({ db: await open() });
    const someone = await before.newMember();
    before.venue.set(0, { asks: [[100, 9]] });
    const resting = await before.place(someone, { price: 95 });
    const holding = await before.place(someone, { lots: 2 });
    await before.close(someone, holding.orderNo, { price: 105 });
    await before.shut();

    const after = await openTestBroker({ db: await open() });
    after.venue.set(0, { asks: [[95, 9]] });
    await after.settled();
    after.venue.set(0, { bids: [[106, 9]], asks: [] });
    await after.settled();
    const { items } = await after.call("listOrders", someone, { statuses: ["holding"], cursor: null });
    expect(items.map(({ orderNo, closedLots }) => [orderNo, closedLots])).toEqual([
      [holding.orderNo, 1],
      [resting.orderNo, 0],
    ]);
    const repeated = await after.place(someone, { price: 95, requestId: resting.requestId });
    expect(repeated).toMatchObject({ orderNo: resting.orderNo, status: "holding" });
    if (after.db.kind === "postgres") await after.db.kysely.schema.dropSchema(schema).cascade().execute();
    await after.shut();
    await rm(dataDir, { recursive: true });
  });
});
