/** Tests what the inbox tells of orders: fills, partial fills as one message, what ended unfilled and why, triggers, forced closes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ExecutionReport } from "#contract/execution-report.ts";
import { announcementOf } from "#contract/announcement.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  broker.venue.setPhase("open");
  broker.venue.setMatching(0, null);
  broker.venue.set(0, { bids: [[99, 100]], asks: [[100, 100]], last: 100, reference: 100 });
  await broker.settled();
  member = await broker.newMember();
  broker.published.length = 0;
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

/** The reports in the inbox, newest first. */
async function reports(of = member): Promise<ExecutionReport[]> {
  const { items } = await broker.call("listMessages", of, { cursor: null });
  return items.flatMap(({ report }) => report ?? []);
}
const unread = async (): Promise<number> => (await broker.call("readMember", member, {})).unread;

describe("the inbox", () => {
  it("tells a fill with its side, lots and price, unread", async () => {
    const { orderNo } = await broker.place(member, { lots: 2 });
    expect(await reports()).toEqual([
      { kind: "filled", orderNo, code: "2330", side: "buy", lots: 2, left: 0, lotShares: 1000, price: 1_000_000, cause: null, exit: null },
    ]);
    // The welcome message is the other one.
    expect(await unread()).toBe(2);
    await broker.close(member, orderNo, { lots: 2 });
    expect(await reports()).toMatchObject([{ kind: "filled", side: "sell", price: 990_000, cause: "member" }, { side: "buy" }]);
    const short = await broker.place(member, { lots: 1, direction: "fall" });
    await broker.close(member, short.orderNo, { lots: 1 });
    expect((await reports()).slice(0, 2).map(({ side }) => side)).toEqual(["cover", "short"]);
  });

  it("tells the partial fills of an order in one message, which is unread again with each", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const { orderNo } = await broker.place(member, { lots: 5, price: 100 });
    expect(await reports()).toMatchObject([{ kind: "partlyFilled", lots: 2, left: 3 }]);
    await broker.call("readAllMessages", member, {});
    broker.venue.set(0, { asks: [[99.5, 1]] });
    await broker.settled();
    expect(await reports()).toMatchObject([{ kind: "partlyFilled", lots: 3, left: 2, price: 1_000_000 }]);
    expect(await unread()).toBe(1);
    broker.venue.set(0, { asks: [[100, 9]] });
    await broker.settled();
    expect(await reports()).toMatchObject([{ kind: "filled", lots: 5, left: 0, orderNo }]);
    broker.venue.set(0, { bids: [[99, 2]] });
    await broker.close(member, orderNo, { lots: 5, price: 99 });
    broker.venue.set(0, { bids: [[99, 3]] });
    await broker.settled();
    expect(await reports()).toMatchObject([{ kind: "filled", side: "sell", lots: 5, left: 0 }, { side: "buy" }]);
  });

  it("tells two closes of one order apart, and leaves out neither when they are one batch", async () => {
    const { orderNo } = await broker.place(member, { lots: 9 });
    broker.venue.set(0, { bids: [[99, 2]] });
    await broker.close(member, orderNo, { lots: 4, price: 99 });
    await broker.cancel(member, orderNo);
    broker.clock.now += 1_000;
    broker.venue.set(0, { bids: [[99, 100]] });
    await broker.close(member, orderNo, { lots: 3, price: 99 });
    expect((await reports()).slice(0, 2)).toMatchObject([
      { kind: "filled", lots: 3, left: 0 },
      { kind: "partlyFilled", lots: 2, left: 2 },
    ]);
    await Promise.all([1, 2].map((lots) => broker.close(member, orderNo, { lots, price: 99 })));
    expect((await reports()).slice(0, 2)).toMatchObject([{ kind: "filled", lots: 3 }, { lots: 3 }]);
    broker.clock.now += 1_000;
  });

  it("keeps another member's messages when an order of theirs is filled in the same batch", async () => {
    const other = await broker.newMember();
    broker.venue.set(0, { asks: [] });
    await Promise.all([broker.place(member, { lots: 3, price: 100 }), broker.place(other, { lots: 2, price: 100 })]);
    broker.venue.set(0, { asks: [[100, 1]] });
    await broker.settled();
    broker.venue.set(0, { asks: [[100, 50]] });
    await broker.settled();
    expect([await reports(), await reports(other)]).toMatchObject([[{ kind: "filled", lots: 3 }], [{ kind: "filled", lots: 2 }]]);
  });

  it("tells what ended unfilled and why, but not what the member cancelled", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    await broker.place(member, { lots: 5, price: 100, also: { validity: "ioc" } });
    expect(await reports()).toMatchObject([
      { kind: "ended", lots: 3, cause: "immediate", side: "buy" },
      { kind: "partlyFilled", lots: 2, left: 3 },
    ]);
    const { orderNo } = await broker.place(member, { lots: 1, price: 95 });
    await broker.cancel(member, orderNo);
    const expiring = await broker.place(member, { lots: 4, price: 95 });
    expect(await reports()).toHaveLength(2);
    broker.venue.setPhase("closed");
    await broker.settled();
    expect((await reports())[0]).toMatchObject({ kind: "ended", orderNo: expiring.orderNo, lots: 4, cause: "expired" });
  });

  it("tells an exit order that fired, and the close it sent", async () => {
    await broker.place(member, { lots: 1, also: { exits: [{ kind: "stop", price: 980_000 }] } });
    broker.venue.set(0, { bids: [[97, 9]], asks: [[98, 9]], last: 97, volume: 10 });
    await broker.settled();
    await expect
      .poll(() => reports())
      .toMatchObject([
        { kind: "filled", side: "sell", cause: "condition", price: 970_000 },
        { kind: "triggered", exit: "stop", price: 970_000, side: null },
        { side: "buy" },
      ]);
  });

  it("agrees with what the client makes of the same facts", async () => {
    const { orderNo } = await broker.place(member, { lots: 2 });
    await broker.close(member, orderNo, { lots: 2 });
    const made = broker.published.flatMap(({ memberId, fact }) => {
      const announcement = memberId === member ? announcementOf(fact) : null;
      return announcement?.kind === "report" ? [announcement.report] : [];
    });
    expect(made.toReversed()).toEqual(await reports());
  });

  it("leads to one message by its number", async () => {
    await broker.place(member, { lots: 1 });
    const [message] = (await broker.call("listMessages", member, { cursor: null })).items;
    const { message: read } = await broker.call("readMessage", member, { id: message?.id ?? "" });
    expect(read).toEqual({ ...message, read: true });
    expect(read).toMatchObject({ kind: "executionReport", alert: null, report: { side: "buy" } });
  });
});
