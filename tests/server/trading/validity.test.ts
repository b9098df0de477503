/** Tests time in force: immediate or cancel, fill or kill, and rest of day. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
const DEPOSIT = 1_000_000_000;

beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  for (const row of [0, 1]) broker.venue.set(row, { bids: [], asks: [], last: 100, reference: 100 });
  await broker.settled();
  member = await broker.newMember();
  broker.published.length = 0;
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const facts = () => broker.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type);
const money = () => broker.call("readMember", member, {});

describe("immediate or cancel", () => {
  const ioc = { validity: "ioc" };

  it("fills what is available and releases the rest", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const order = await broker.place(member, { lots: 5, price: 100, also: ioc });
    expect(order).toMatchObject({ status: "holding", lots: 2, filledLots: 2, heldCents: 0, validity: "ioc" });
    expect(facts()).toEqual(["order.placed", "order.partlyFilled", "order.reduced"]);
    expect((await money()).availableCents).toBe(DEPOSIT - 20_000_000 - 28_500);
  });

  it("leaves nothing when nothing is available", async () => {
    expect(await broker.place(member, { lots: 5, price: 100, also: ioc })).toMatchObject({ status: "cancelled", heldCents: 0 });
    expect(facts()).toEqual(["order.placed", "order.cancelled"]);
    expect((await money()).availableCents).toBe(DEPOSIT);
    broker.venue.set(0, { asks: [[100, 9]] });
    await broker.settled();
    expect(facts()).toHaveLength(2);
  });

  it("closes what it can, and the rest is a position again", async () => {
    broker.venue.set(0, { asks: [[100, 5]] });
    const { orderNo } = await broker.place(member, { lots: 5 });
    broker.venue.set(0, { bids: [[100, 2]], asks: [] });
    expect(await broker.close(member, orderNo, { lots: 4, also: ioc })).toMatchObject({ status: "holding", closedLots: 2, closingLots: 0 });
    expect(facts().slice(2)).toEqual(["order.closeRequested", "order.closePartlyFilled", "order.closeCancelled"]);
  });
});

describe("fill or kill", () => {
  const fok = { validity: "fok" };

  it("is filled completely, over several levels and another member's order", async () => {
    const other = await broker.newMember();
    await broker.place(other, { direction: "fall", lots: 1, price: 100.5 });
    broker.venue.set(0, {
      asks: [
        [100, 2],
        [101, 2],
      ],
    });
    const order = await broker.place(member, { lots: 5, also: fok });
    expect(order).toMatchObject({ status: "holding", filledLots: 5, openCents: 20_000_000 + 10_050_000 + 20_200_000 });
  });

  it("or not at all, without affecting any other order", async () => {
    const other = await broker.newMember();
    const rests = await broker.place(other, { direction: "fall", lots: 1, price: 100.5 });
    broker.venue.set(0, { asks: [[100, 3]] });
    expect(await broker.place(member, { lots: 5, price: 101, also: fok })).toMatchObject({ status: "cancelled", filledLots: 0 });
    expect(facts()).toEqual(["order.placed", "order.cancelled"]);
    expect((await broker.call("readOrder", other, { orderNo: rests.orderNo })).order.status).toBe("pending");
    expect(await broker.place(member, { lots: 4, price: 101, also: fok })).toMatchObject({ status: "holding", filledLots: 4 });
  });
});
