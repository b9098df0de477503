/** Tests exit orders: set on an order, checked against what traded, triggered once, and ended with their order. */
import { describe, expect, it } from "vitest";
import { runCommand } from "#server/ops/run-command.ts";
import { refusalOf } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";
import { exit, openFixture, units } from "./fixture.ts";

const fixture = openFixture();
const { calm, print, place, set, list, read, factTypes } = fixture;

describe("an exit order", () => {
  it.each([
    ["rise", "stop", 98, [99, 98.5], 98],
    ["rise", "takeProfit", 104, [103, 97, 103.5], 104],
    ["rise", "trailing", 2, [101, 103, 101.5], 101],
    ["fall", "stop", 102, [101, 97, 101.5], 102],
    ["fall", "takeProfit", 96, [97, 103], 96],
    ["fall", "trailing", 2, [99, 97, 98.5], 99],
  ] as const)("of a %s, %s at %d, ignores %j and is triggered once at %d", async (direction, kind, at, before, fires) => {
    const { orderNo } = await place({ direction, exits: [exit(kind, at)] });
    for (const price of before) print(price);
    await fixture.broker.settled();
    expect(await list()).toMatchObject([{ kind, status: "waiting", orderNo }]);
    fixture.broker.published.length = 0;
    print(fires);
    print(fires);
    await fixture.broker.settled();
    expect(factTypes()).toEqual(["condition.fired", "order.closeRequested", "order.closed"]);
    expect(await list()).toMatchObject([{ status: "fired", firedPrice: units(fires), endedAt: fixture.broker.clock.now }]);
    expect(await read(orderNo)).toMatchObject({ status: "closed", closeCause: "condition", closedLots: 3 });
  });

  it("detects a trade between two checks", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    fixture.broker.venue.setFresh(false);
    print(97.5);
    fixture.broker.venue.setFresh(true);
    print(100);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
    expect(await list()).toMatchObject([{ status: "fired", firedPrice: units(97.5) }]);
  });

  it("ignores what traded before it was set", async () => {
    const { orderNo } = await place();
    print(95);
    print(100);
    await set(orderNo, [exit("stop", 98)]);
    print(99);
    await fixture.broker.settled();
    expect(await list()).toMatchObject([{ status: "waiting" }]);
  });

  it("cancels only the other exits of its order when it is triggered", async () => {
    const one = await place({ exits: [exit("stop", 98), exit("takeProfit", 104), exit("trailing", 5)] });
    const other = await place({ exits: [exit("takeProfit", 106)] });
    print(104);
    await fixture.broker.settled();
    expect((await list(one.orderNo)).map(({ kind, status }) => [kind, status])).toEqual([
      ["trailing", "cancelled"],
      ["takeProfit", "fired"],
      ["stop", "cancelled"],
    ]);
    expect(await list(other.orderNo)).toMatchObject([{ status: "waiting" }]);
  });

  it("prefers the stop when one check covers both stop and take-profit", async () => {
    const { orderNo } = await place({ exits: [exit("takeProfit", 104), exit("stop", 98)] });
    fixture.broker.venue.setFresh(false);
    print(105);
    print(97);
    fixture.broker.venue.setFresh(true);
    print(100);
    await fixture.broker.settled();
    const ended = await list(orderNo);
    expect(ended.find(({ status }) => status === "fired")).toMatchObject({ kind: "stop", firedPrice: units(97) });
    expect(factTypes().filter((type) => type === "condition.fired")).toHaveLength(1);
  });
});

describe("a partially filled order", () => {
  it("has no active exits before its first fill", async () => {
    fixture.broker.venue.set(0, { asks: [[101, 400]] });
    await place({ pricing: "limit", price: units(99), exits: [exit("stop", 98)] });
    // The price passes the stop, but no trade has reached this order.
    fixture.broker.venue.set(0, { last: 97, asks: [[101, 400]] });
    await fixture.broker.settled();
    expect(await list()).toMatchObject([{ status: "waiting" }]);
  });

  it("is cancelled as far as it is pending, and its filled lots are closed", async () => {
    fixture.broker.venue.set(0, { asks: [[100, 2]] });
    const { orderNo } = await place({ pricing: "limit", price: units(100), lots: 5, exits: [exit("stop", 98)] });
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "pending", filledLots: 2 });
    fixture.broker.published.length = 0;
    fixture.broker.venue.set(0, { last: 98, volume: fixture.broker.venue.quote(0).volume + 1, bids: [[97.5, 400]], asks: [] });
    await fixture.broker.settled();
    // The trade below its price has reached one lot more of it.
    expect(factTypes()).toEqual(["order.partlyFilled", "condition.fired", "order.reduced", "order.closeRequested", "order.closed"]);
    expect(await read(orderNo)).toMatchObject({ status: "closed", lots: 3, closedLots: 3, heldCents: 0 });
  });

  it("has a resting close order at another price replaced", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    await fixture.broker.close(fixture.member, orderNo, { lots: 3, price: 105 });
    fixture.broker.published.length = 0;
    print(98);
    await fixture.broker.settled();
    expect(factTypes()).toEqual(["condition.fired", "order.closeCancelled", "order.closeRequested", "order.closed"]);
  });

  it("is closed as far as the market takes it; the rest stays as a market order for the day", async () => {
    const { orderNo } = await place({ lots: 5, exits: [exit("stop", 98)] });
    fixture.broker.venue.set(0, { last: 98, volume: fixture.broker.venue.quote(0).volume + 1, bids: [[97.5, 2]], asks: [] });
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "readyToClose", closedLots: 2, closingLots: 3, closeCause: "condition" });
    fixture.broker.venue.set(0, { bids: [[97, 400]] });
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed", closedLots: 5 });
  });

  it("keeps its exits for the lots left after a partial close", async () => {
    const { orderNo } = await place({ lots: 5, exits: [exit("stop", 98)] });
    await fixture.broker.close(fixture.member, orderNo, { lots: 2 });
    expect(await list()).toMatchObject([{ status: "waiting" }]);
    print(97);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed", closedLots: 5 });
  });
});

describe("exit orders end with their order", () => {
  it("when the member closes all of it", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98), exit("takeProfit", 104)] });
    fixture.broker.published.length = 0;
    await fixture.broker.close(fixture.member, orderNo, { lots: 3 });
    expect(factTypes()).toEqual(["order.closeRequested", "order.closed", "condition.cancelled", "condition.cancelled"]);
    print(90);
    await fixture.broker.settled();
    expect((await list(orderNo)).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  });

  it("when the member cancels it", async () => {
    fixture.broker.venue.set(0, { asks: [] });
    const { orderNo } = await place({ pricing: "limit", price: units(95), exits: [exit("stop", 90)] });
    await fixture.broker.cancel(fixture.member, orderNo);
    expect(await list()).toMatchObject([{ status: "cancelled", firedPrice: null }]);
  });
});

describe("a position that cannot be closed", () => {
  it("temporarily delays the exit, which is triggered if its condition still holds afterwards", async () => {
    calm(3);
    const { orderNo } = await place({ code: "2308", exits: [exit("stop", 98)] });
    print(97, 3);
    await fixture.broker.settled();
    expect(await list()).toMatchObject([{ status: "waiting" }]);
    print(99, 3);
    fixture.broker.clock.now += 600_000;
    print(99.5, 3);
    await fixture.broker.settled();
    expect(await list()).toMatchObject([{ status: "waiting" }]);
    print(98, 3);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
  });

  it("by the broker delays the exit too, so that the position is protected when it is unlocked", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98), exit("takeProfit", 104)] });
    expect(await runCommand(fixture.broker.db, ["order", orderNo, "lock"], () => undefined)).toBe(0);
    print(97);
    print(96);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "holding" });
    const waiting = [
      { kind: "takeProfit", status: "waiting" },
      { kind: "stop", status: "waiting" },
    ];
    expect(await list(orderNo)).toMatchObject(waiting);
    expect(await runCommand(fixture.broker.db, ["order", orderNo, "unlock"], () => undefined)).toBe(0);
    fixture.broker.clock.now += 60_000;
    print(99);
    await fixture.broker.settled();
    expect(await list(orderNo)).toMatchObject(waiting);
    print(97.5);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed", closeCause: "condition" });
    expect(await list(orderNo)).toMatchObject([
      { kind: "takeProfit", status: "cancelled" },
      { kind: "stop", status: "fired", firedPrice: units(97.5) },
    ]);
  });

  it("because the market is closed or stale triggers nothing until the open", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    fixture.broker.venue.setFresh(false);
    print(97);
    fixture.broker.venue.setFresh(true);
    for (const phase of ["preOpen", "closingAuction", "closed", "halted"] as const) {
      fixture.broker.venue.setPhase(phase);
      print(97);
    }
    await fixture.broker.settled();
    expect(await list()).toMatchObject([{ status: "waiting" }]);
    fixture.broker.venue.setPhase("open");
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
  });
});

describe("setting exit orders", () => {
  it("replaces the waiting ones but keeps identical ones", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98), exit("trailing", 3)] });
    print(104);
    await fixture.broker.settled();
    const before = await list();
    fixture.broker.published.length = 0;
    const { order, conditions } = await set(orderNo, [exit("trailing", 3), exit("takeProfit", 110)]);
    expect(order.orderNo).toBe(orderNo);
    expect(factTypes()).toEqual(["condition.cancelled", "condition.set"]);
    expect(conditions.map(({ kind, price }) => [kind, price])).toEqual([
      ["trailing", units(3)],
      ["takeProfit", units(110)],
    ]);
    expect(conditions[0]?.conditionNo).toBe(before.find(({ kind }) => kind === "trailing")?.conditionNo);
    // The best price is still 104, not the price at which the exit was set again.
    print(101);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
  });

  it("acts once per request, and an empty list cancels all", async () => {
    const { orderNo } = await place();
    const requestId = uuid();
    const first = await set(orderNo, [exit("stop", 98)], requestId);
    expect(await set(orderNo, [exit("stop", 98)], requestId)).toEqual(first);
    expect((await refusalOf(set(orderNo, [exit("stop", 97)], requestId))).code).toBe("GEN_REQUEST_REUSED");
    expect((await set(orderNo, [])).conditions).toEqual([]);
    expect(await list()).toMatchObject([{ status: "cancelled" }]);
  });

  it.each([
    ["TRD_TRIGGER_TWICE", [exit("stop", 98), exit("stop", 97)]],
    ["TRD_PRICE_OFF_TICK", [exit("stop", 98.03)]],
    ["TRD_PRICE_OFF_TICK", [exit("trailing", 0.3)]],
    ["VAL_TRIGGER_POSITIVE", [exit("trailing", 100)]],
    ["TRD_TRIGGER_PASSED", [exit("stop", 100)]],
    ["TRD_TRIGGER_PASSED", [exit("takeProfit", 99)]],
  ] as const)("is refused with %s", async (code, exits) => {
    const { orderNo } = await place();
    expect((await refusalOf(set(orderNo, [...exits]))).code).toBe(code);
    expect((await refusalOf(place({ exits: [...exits] }))).code).toBe(code);
    expect(await list()).toEqual([]);
  });

  it("is refused for ended orders and for those of other members", async () => {
    const { orderNo } = await place();
    await fixture.broker.close(fixture.member, orderNo, { lots: 3 });
    expect((await refusalOf(set(orderNo, [exit("stop", 98)]))).code).toBe("TRD_ALREADY_CLOSED");
    const stranger = await fixture.broker.newMember();
    const asked = fixture.broker.call("setConditions", stranger, { requestId: uuid(), orderNo, exits: [] });
    expect((await refusalOf(asked)).code).toBe("TRD_ORDER_NOT_FOUND");
    expect((await refusalOf(fixture.broker.call("listConditions", stranger, { orderNo }))).code).toBe("TRD_ORDER_NOT_FOUND");
  });
});
