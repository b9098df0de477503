/** Tests commission: its minimum applies once per order sent to the market, and the displayed fee is the charged fee. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { price } from "#contract/kernel/money.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { closingOf } from "#src/screens/ticket/closing.ts";
import { closedLines, openLines } from "#src/screens/quote/profit-lines.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
/** A lot at 5.00 is worth 5,000: its commission of 7 is raised to the minimum of 20. */
const EACH = price(50_000);
const LEAST = 2_000;

beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  market(100, 100);
  member = await broker.newMember();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

/** Sets the lots bid and offered at 5.00. */
function market(bids: number, asks: number): void {
  broker.venue.set(0, { bids: bids > 0 ? [[5, bids]] : [], asks: asks > 0 ? [[5, asks]] : [], last: 5, reference: 5 });
}
const read = (orderNo: OrderNo) => broker.call("readOrder", member, { orderNo });

describe.each(["rise", "fall"] as const)("of a %s", (direction) => {
  it("six closes of one lot each pay six minimum fees, as each review shows", async () => {
    let order = await broker.place(member, { direction, lots: 6 });
    expect(order.openFeeCents).toBe(4_200);
    for (let n = 0; n < 6; n += 1) {
      const review = closingOf(order, 1, EACH);
      expect(review.feeCents).toBe(LEAST);
      const closed = await broker.close(member, order.orderNo);
      expect(closed.closeFeeCents - order.closeFeeCents).toBe(LEAST);
      expect(closed.closeTaxCents - order.closeTaxCents).toBe(review.taxCents);
      expect(closed.profitCents - order.profitCents).toBe(review.profitCents);
      order = closed;
    }
    expect(order).toMatchObject({ status: "closed", closeFeeCents: 6 * LEAST });
    const lines = closedLines(order);
    expect(lines.find(({ part }) => part === "closeFee")?.cents).toBe(-6 * LEAST);
    expect(lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(order.profitCents);
  });

  it("one close that fills in three parts pays one fee, and the displayed remaining cost is right in between", async () => {
    const { orderNo } = await broker.place(member, { direction, lots: 3 });
    market(0, 0);
    await broker.close(member, orderNo, { price: 5, lots: 3 });
    const fees: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const before = (await read(orderNo)).order;
      const displayed = profitAt(heldOf(before), EACH);
      expect(openLines([before], displayed).find(({ part }) => part === "closeFee")?.cents).toBe(-(n === 0 ? 2_100 : 100));
      market(direction === "rise" ? 1 : 0, direction === "rise" ? 0 : 1);
      await broker.settled();
      const { order, fills } = await read(orderNo);
      expect(order.closedLots).toBe(n + 1);
      fees.push(fills.at(-1)?.feeCents ?? -1);
    }
    expect(fees).toEqual([LEAST, 0, 100]);
    expect((await read(orderNo)).order).toMatchObject({ status: "closed", closeFeeCents: 2_100 });
  });

  it("a close that is cancelled after a partial fill has paid its fee; the next close pays another", async () => {
    const { orderNo } = await broker.place(member, { direction, lots: 3 });
    market(direction === "rise" ? 1 : 0, direction === "rise" ? 0 : 1);
    expect(await broker.close(member, orderNo, { price: 5, lots: 3 })).toMatchObject({ closedLots: 1, closeFeeCents: LEAST });
    const held = await broker.cancel(member, orderNo);
    expect(closingOf(held, 2, EACH).feeCents).toBe(LEAST);
    expect(profitAt(heldOf(held), EACH).closeFeeCents).toBe(LEAST);
    market(100, 100);
    expect(await broker.close(member, orderNo, { lots: 2 })).toMatchObject({ status: "closed", closeFeeCents: 2 * LEAST });
  });

  it("an amended close stays the same order", async () => {
    const { orderNo } = await broker.place(member, { direction, lots: 3 });
    market(direction === "rise" ? 1 : 0, direction === "rise" ? 0 : 1);
    await broker.close(member, orderNo, { price: 5, lots: 3 });
    const amended = { requestId: RequestId.parse(randomUUID()), orderNo, lots: 1, price: direction === "rise" ? 51_000 : 49_000 };
    expect(await broker.call("amendOrder", member, amended)).toMatchObject({ status: "readyToClose", closingLots: 1 });
    broker.venue.set(0, { bids: [[5.1, 1]], asks: [[4.9, 1]] });
    await broker.settled();
    expect((await read(orderNo)).order).toMatchObject({ status: "holding", closedLots: 2, closeFeeCents: LEAST });
  });

  it("a reversal pays for one closing and one opening order", async () => {
    const { orderNo } = await broker.place(member, { direction, lots: 3 });
    await broker.close(member, orderNo);
    const { closed, opened } = await broker.call("reverseOrder", member, { requestId: RequestId.parse(randomUUID()), orderNo });
    expect(closed).toMatchObject({ status: "closed", closeFeeCents: 2 * LEAST });
    expect(opened).toMatchObject({ status: "holding", filledLots: 2, openFeeCents: LEAST });
  });

  it("an opening order that fills in parts pays one minimum fee", async () => {
    market(0, 0);
    const { orderNo } = await broker.place(member, { direction, price: 5, lots: 2 });
    for (let n = 0; n < 2; n += 1) {
      market(direction === "rise" ? 0 : 1, direction === "rise" ? 1 : 0);
      await broker.settled();
    }
    const { order, fills } = await read(orderNo);
    expect(order).toMatchObject({ status: "holding", openFeeCents: LEAST });
    expect(fills.map(({ feeCents }) => feeCents)).toEqual([LEAST, 0]);
  });
});
