/** Tests that exits whose close ends unfilled with the day protect the position again from the next day on. */
import { describe, expect, it } from "vitest";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { Message } from "#contract/message.ts";
import { price } from "#contract/kernel/money.ts";
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { uuid } from "#tests/support/uuid.ts";
import { exit, openFixture, units } from "./fixture.ts";

const fixture = openFixture();
const { print, place, set, list, read, factTypes } = fixture;

/** Trades one lot at a price, with so many lots to sell to. */
function printThin(at: number, lots: number): void {
  const { venue } = fixture.broker;
  venue.set(0, { last: at, volume: venue.quote(0).volume + 1, bids: lots > 0 ? [[at, lots]] : [], asks: [[at + 0.5, 400]] });
}

/** Begins the next trading day. */
async function nextDay(): Promise<void> {
  const { broker } = fixture;
  broker.clock.now += DAY_MS;
  broker.venue.setDay(broker.clock.now - 1, broker.clock.now + DAY_MS / 2);
  await broker.settled();
}

const statuses = async (orderNo: OrderNo): Promise<string[][]> =>
  (await list(orderNo)).map(({ kind, status }) => [kind, status]).toSorted((a, b) => a.join(" ").localeCompare(b.join(" ")));

/** Reports of the inbox, the newest first. */
async function reports(): Promise<NonNullable<Message["report"]>[]> {
  const { items } = await fixture.broker.call("listMessages", fixture.member, { cursor: null });
  return items.flatMap(({ report }) => report ?? []);
}

describe("an exit that could not close by the day's end", () => {
  it("waits again with those it cancelled, closes the next day, and says so", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98), exit("takeProfit", 104)] });
    printThin(97, 0);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "readyToClose", closeCause: "condition" });
    fixture.broker.published.length = 0;
    await nextDay();
    expect(factTypes()).toEqual(["order.closeCancelled", "condition.rearmed", "condition.rearmed"]);
    expect(await statuses(orderNo)).toEqual([
      ["stop", "waiting"],
      ["takeProfit", "waiting"],
    ]);
    expect(await read(orderNo)).toMatchObject({ status: "holding", closeCause: null });
    expect((await reports()).slice(0, 2)).toMatchObject([
      { kind: "rearmed", exit: "stop", price: units(98), orderNo },
      { kind: "ended", side: "sell", cause: "expired", lots: 3 },
    ]);
    print(97.5);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed", closedLots: 3, closeCause: "condition" });
    expect(await statuses(orderNo)).toEqual([
      ["stop", "fired"],
      ["takeProfit", "cancelled"],
    ]);
  });

  it("waits for its price like any other when the market has recovered", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    printThin(97, 0);
    await fixture.broker.settled();
    await nextDay();
    print(101);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "holding" });
    print(98);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
  });

  it("protects what is left of a close that was partly filled", async () => {
    const { orderNo } = await place({ exits: [exit("trailing", 2)] });
    printThin(97, 1);
    await fixture.broker.settled();
    printThin(97, 0);
    await nextDay();
    expect(await read(orderNo)).toMatchObject({ status: "holding", closedLots: 1 });
    expect(await list(orderNo)).toMatchObject([{ kind: "trailing", status: "waiting", best: units(100), firedPrice: null, endedAt: null }]);
    print(97);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed", closedLots: 3 });
  });

  it("waits again after a restart", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    printThin(97, 0);
    await fixture.broker.settled();
    fixture.broker.clock.now += DAY_MS;
    fixture.broker.venue.setDay(fixture.broker.clock.now - 1, fixture.broker.clock.now + DAY_MS / 2);
    await fixture.restart();
    await fixture.broker.settled();
    expect(await statuses(orderNo)).toEqual([["stop", "waiting"]]);
    print(97);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
  });

  it("moves along with a split of that night", async () => {
    const { broker } = fixture;
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    printThin(97, 0);
    await broker.settled();
    broker.clock.now += DAY_MS;
    const opensAt = broker.clock.now - 1;
    const terms = { cash: price(0), rightsMillionths: 0, rightsPrice: price(0), freeMillionths: 1_000_000 };
    const split: CorporateAction = {
      at: epochMs(opensAt),
      kind: "split",
      ...terms,
      closeBefore: price(units(97)),
      reference: price(units(48.5)),
    };
    const venue = { ...broker.venue, actions: async (code: string) => (code === "2330" ? [split] : []) };
    broker.venue.setDay(opensAt, broker.clock.now + DAY_MS / 2);
    await fixture.restart(venue);
    await fixture.broker.settled();
    expect(await list(orderNo)).toMatchObject([{ status: "waiting", price: units(49) }]);
    expect(await read(orderNo)).toMatchObject({ status: "holding", filledLots: 6 });
  });
});

describe("an exit does not wait again", () => {
  it("beside one of its kind that was set while its close rested", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98), exit("takeProfit", 104)] });
    printThin(97, 0);
    await fixture.broker.settled();
    await set(orderNo, [exit("stop", 95)]);
    await nextDay();
    expect(await statuses(orderNo)).toEqual([
      ["stop", "fired"],
      ["stop", "waiting"],
      ["takeProfit", "cancelled"],
    ]);
    expect((await list(orderNo)).find(({ status }) => status === "waiting")).toMatchObject({ price: units(95) });
    expect((await reports()).slice(0, 1)).toMatchObject([{ kind: "ended", orderNo }]);
  });

  it("of a kind that was set meanwhile, but its others do", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98), exit("takeProfit", 104)] });
    printThin(97, 0);
    await fixture.broker.settled();
    await set(orderNo, [exit("takeProfit", 106)]);
    await nextDay();
    expect(await statuses(orderNo)).toEqual([
      ["stop", "waiting"],
      ["takeProfit", "cancelled"],
      ["takeProfit", "waiting"],
    ]);
  });

  it("when its member cancels the close or had replaced it", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98), exit("takeProfit", 104)] });
    await set(orderNo, [exit("stop", 97.5)]);
    printThin(97, 0);
    await fixture.broker.settled();
    await fixture.broker.call("cancelOrder", fixture.member, { requestId: uuid(), orderNo });
    await nextDay();
    expect(await statuses(orderNo)).toEqual([
      ["stop", "cancelled"],
      ["stop", "fired"],
      ["takeProfit", "cancelled"],
    ]);
    expect((await reports()).map(({ kind }) => kind)).not.toContain("rearmed");
  });
});
