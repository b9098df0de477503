/** An order that comes to rest while the market moves: its quote changed after the decision and before the commit put it into the book. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Ticket, TestBroker } from "#tests/support/trading.ts";
import { openTestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

/** Places an order; the offer moves to 100 in the same batch, before or after it is decided. */
async function placeWhileMoving(ticket: Ticket, moves: "before" | "after"): Promise<string> {
  broker.venue.set(0, { bids: [[98, 50]], asks: [[102, 50]] });
  const member = await broker.newMember();
  const move = (): Promise<void> =>
    broker.sequencer.submit({ memberIds: [member], decide: () => broker.venue.set(0, { bids: [[98, 50]], asks: [[100, 50]] }) });
  const place = (): ReturnType<TestBroker["place"]> => broker.place(member, ticket);
  const [order] = moves === "before" ? [(await Promise.all([move(), place()]))[1]] : await Promise.all([place(), move()]);
  await broker.settled();
  return (await broker.call("readOrder", member, { orderNo: order.orderNo })).order.status;
}

it("is matched once it is committed", async () => {
  expect(await placeWhileMoving({ price: 100, lots: 1 }, "before")).toBe("holding");
  expect(await placeWhileMoving({ price: 100, lots: 1 }, "after")).toBe("holding");
});

it("is matched after the match that its row had queued without it", async () => {
  broker.venue.set(0, { bids: [[98, 50]], asks: [[102, 50]] });
  const [first, member] = [await broker.newMember(), await broker.newMember()];
  const before = await broker.place(first, { price: 100, lots: 1 });
  const move = (): void => broker.venue.set(0, { bids: [[98, 50]], asks: [[100, 50]] });
  const [order] = await Promise.all([
    broker.place(member, { price: 100, lots: 1 }),
    broker.sequencer.submit({ memberIds: [member], decide: move }),
    // The queued match has this order alone, which has nothing left to match.
    broker.cancel(first, before.orderNo),
  ]);
  await broker.settled();
  expect((await broker.call("readOrder", member, { orderNo: order.orderNo })).order.status).toBe("holding");
});

it("is left alone where it still cannot trade", async () => {
  expect(await placeWhileMoving({ price: 99, lots: 1 }, "after")).toBe("pending");
});
