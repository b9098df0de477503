/** Conditions: set on an order, judged by what traded, fired once, ended with their order; whatever else happens to it. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Answer } from "#contract/endpoints.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import type { Trigger, TriggerKind } from "#contract/order.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openHouse, refusalOf } from "#tests/support/trading.ts";
import type { House } from "#tests/support/trading.ts";

let house: House;
let member: number;
beforeAll(async () => {
  house = await openHouse();
});
beforeEach(async () => {
  house.venue.setPhase("open");
  house.venue.setFresh(true);
  for (const row of [0, 1, 2, 3, 4, 6]) calm(row);
  await house.settled();
  member = await house.newMember();
  house.published.length = 0;
});
afterAll(async () => {
  expect(house.faults).toEqual([]);
  expect((await auditBooks(house.db.kysely)).differences).toEqual([]);
  await house.shut();
});

const units = (price: number): number => Math.round(price * 10_000);
const uuid = (): RequestId => RequestId.parse(randomUUID());

/** A quiet market at 100 with plenty on both sides. */
function calm(row = 0): void {
  house.venue.set(row, { bids: [[99.5, 400]], asks: [[100, 400]], last: 100, reference: 100 });
}

/** Somebody trades a lot at a price, with the book around it. */
function print(price: number, row = 0): void {
  const volume = house.venue.quote(row).volume + 1;
  house.venue.set(row, { last: price, volume, bids: [[price, 400]], asks: [[price + 0.5, 400]] });
}

/** Place an order; prices in ten-thousandths as the contract has them. */
const place = (over: { exits?: readonly Trigger[]; trigger?: Trigger } & Record<string, unknown> = {}): Promise<Answer<"placeOrder">> =>
  house.call(
    "placeOrder",
    member,
    PlaceOrderBody.parse({ requestId: uuid(), code: "2330", direction: "rise", pricing: "market", price: null, lots: 3, ...over }),
  );

const exit = (kind: TriggerKind, price: number): Trigger => ({ kind, price: units(price) });
const set = (orderNo: OrderNo, exits: Trigger[], requestId = uuid()) => house.call("setConditions", member, { requestId, orderNo, exits });
const list = async (orderNo: OrderNo | null = null) => (await house.call("listConditions", member, { orderNo })).conditions;
const read = async (orderNo: OrderNo) => (await house.call("readOrder", member, { orderNo })).order;
const told = (): string[] => house.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type);

describe("an exit", () => {
  it.each([
    ["rise", "stop", 98, [99, 98.5], 98],
    ["rise", "takeProfit", 104, [103, 97, 103.5], 104],
    ["rise", "trailing", 2, [101, 103, 101.5], 101],
    ["fall", "stop", 102, [101, 97, 101.5], 102],
    ["fall", "takeProfit", 96, [97, 103], 96],
    ["fall", "trailing", 2, [99, 97, 98.5], 99],
  ] as const)("of a %s, %s at %d, waits out %j and fires at %d, once", async (direction, kind, at, before, fires) => {
    const { orderNo } = await place({ direction, exits: [exit(kind, at)] });
    for (const price of before) print(price);
    await house.settled();
    expect(await list()).toMatchObject([{ kind, status: "waiting", orderNo }]);
    house.published.length = 0;
    print(fires);
    print(fires);
    await house.settled();
    expect(told()).toEqual(["condition.fired", "order.closeRequested", "order.closed"]);
    expect(await list()).toMatchObject([{ status: "fired", firedPrice: units(fires), endedAt: house.clock.now }]);
    expect(await read(orderNo)).toMatchObject({ status: "closed", closeCause: "condition", closedLots: 3 });
  });

  it("does not miss a trade between two looks", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    house.venue.setFresh(false);
    print(97.5);
    house.venue.setFresh(true);
    print(100);
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
    expect(await list()).toMatchObject([{ status: "fired", firedPrice: units(97.5) }]);
  });

  it("is not concerned by what traded before it was set", async () => {
    const { orderNo } = await place();
    print(95);
    print(100);
    await set(orderNo, [exit("stop", 98)]);
    print(99);
    await house.settled();
    expect(await list()).toMatchObject([{ status: "waiting" }]);
  });

  it("cancels the others of its order when it fires, and only those", async () => {
    const one = await place({ exits: [exit("stop", 98), exit("takeProfit", 104), exit("trailing", 5)] });
    const other = await place({ exits: [exit("takeProfit", 106)] });
    print(104);
    await house.settled();
    expect((await list(one.orderNo)).map(({ kind, status }) => [kind, status])).toEqual([
      ["trailing", "cancelled"],
      ["takeProfit", "fired"],
      ["stop", "cancelled"],
    ]);
    expect(await list(other.orderNo)).toMatchObject([{ status: "waiting" }]);
  });

  it("stops a loss rather than taking a profit where one look saw both", async () => {
    const { orderNo } = await place({ exits: [exit("takeProfit", 104), exit("stop", 98)] });
    house.venue.setFresh(false);
    print(105);
    print(97);
    house.venue.setFresh(true);
    print(100);
    await house.settled();
    const ended = await list(orderNo);
    expect(ended.find(({ status }) => status === "fired")).toMatchObject({ kind: "stop", firedPrice: units(97) });
    expect(told().filter((type) => type === "condition.fired")).toHaveLength(1);
  });
});

describe("whatever the market does", () => {
  const steps = fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 25 });
  const exits = fc.record({
    stop: fc.option(fc.integer({ min: 1, max: 12 })),
    takeProfit: fc.option(fc.integer({ min: 1, max: 12 })),
    trailing: fc.option(fc.integer({ min: 1, max: 12 })),
  });

  it("the first exit that is reached fires, and nothing before, whoever counts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("rise" as const, "fall" as const), exits, steps, async (direction, wanted, moves) => {
        calm();
        await house.settled();
        const sign = direction === "rise" ? 1 : -1;
        const half = (n: number): number => n / 2;
        const triggers = [
          ...(wanted.stop === null ? [] : [exit("stop", 100 - sign * half(wanted.stop))]),
          ...(wanted.takeProfit === null ? [] : [exit("takeProfit", 100 + sign * half(wanted.takeProfit))]),
          ...(wanted.trailing === null ? [] : [exit("trailing", half(wanted.trailing))]),
        ];
        const { orderNo } = await place({ direction, exits: triggers });
        let expected: { kind: TriggerKind; firedPrice: number } | null = null;
        let best = 100;
        let at = 100;
        for (const move of moves) {
          at = Math.min(108, Math.max(92, at + half(move)));
          print(at);
          const lost = sign * (best - at);
          const gone = sign * (at - 100);
          const kind: TriggerKind | null =
            wanted.stop !== null && gone <= -half(wanted.stop)
              ? "stop"
              : wanted.trailing !== null && lost >= half(wanted.trailing)
                ? "trailing"
                : wanted.takeProfit !== null && gone >= half(wanted.takeProfit)
                  ? "takeProfit"
                  : null;
          if (kind !== null) expected ??= { kind, firedPrice: units(at) };
          best = sign * at > sign * best ? at : best;
        }
        await house.settled();
        const ended = await list(orderNo);
        const fired = ended.filter(({ status }) => status === "fired");
        if (expected) {
          expect(fired).toMatchObject([expected]);
          expect(ended.filter(({ status }) => status === "cancelled")).toHaveLength(triggers.length - 1);
          expect(await read(orderNo)).toMatchObject({ status: "closed", closeCause: "condition" });
        } else {
          expect(ended.filter(({ status }) => status === "waiting")).toHaveLength(triggers.length);
          expect(await read(orderNo)).toMatchObject({ status: "holding" });
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("an order that is only partly there", () => {
  it("is not guarded before it holds something", async () => {
    house.venue.set(0, { asks: [[101, 400]] });
    await place({ pricing: "limit", price: units(99), exits: [exit("stop", 98)] });
    // The market goes through the stop, but not where this order would have traded.
    house.venue.set(0, { last: 97, volume: house.venue.quote(0).volume + 1, asks: [[101, 400]] });
    await house.settled();
    expect(await list()).toMatchObject([{ status: "waiting" }]);
  });

  it("is withdrawn as far as it rests, and all it holds is closed", async () => {
    house.venue.set(0, { asks: [[100, 2]] });
    const { orderNo } = await place({ pricing: "limit", price: units(100), lots: 5, exits: [exit("stop", 98)] });
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "pending", filledLots: 2 });
    house.published.length = 0;
    house.venue.set(0, { last: 98, volume: house.venue.quote(0).volume + 1, bids: [[97.5, 400]], asks: [] });
    await house.settled();
    expect(told()).toEqual(["condition.fired", "order.reduced", "order.closeRequested", "order.closed"]);
    expect(await read(orderNo)).toMatchObject({ status: "closed", lots: 2, closedLots: 2, heldCents: 0 });
  });

  it("takes back a close that rests at another price", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    await house.close(member, orderNo, { lots: 3, price: 105 });
    house.published.length = 0;
    print(98);
    await house.settled();
    expect(told()).toEqual(["condition.fired", "order.closeCancelled", "order.closeRequested", "order.closed"]);
  });

  it("is closed as far as the market takes it; the rest waits at market for the day", async () => {
    const { orderNo } = await place({ lots: 5, exits: [exit("stop", 98)] });
    house.venue.set(0, { last: 98, volume: house.venue.quote(0).volume + 1, bids: [[97.5, 2]], asks: [] });
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "readyToClose", closedLots: 2, closingLots: 3, closeCause: "condition" });
    house.venue.set(0, { bids: [[97, 400]] });
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed", closedLots: 5 });
  });

  it("is guarded for what is left after a part was closed", async () => {
    const { orderNo } = await place({ lots: 5, exits: [exit("stop", 98)] });
    await house.close(member, orderNo, { lots: 2 });
    expect(await list()).toMatchObject([{ status: "waiting" }]);
    print(97);
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed", closedLots: 5 });
  });
});

describe("a fault of the house", () => {
  it("costs no exit what it has seen", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    const broken = vi.spyOn(house.db, "transaction").mockRejectedValue(new Error("the database is gone"));
    print(97);
    await house.settled();
    broken.mockRestore();
    expect(house.faults.splice(0)).not.toEqual([]);
    expect(await read(orderNo)).toMatchObject({ status: "holding" });
    print(100);
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
    expect(await list()).toMatchObject([{ status: "fired", firedPrice: units(97) }]);
  });
});

describe("conditions end with their order", () => {
  it("when the member closes all of it", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98), exit("takeProfit", 104)] });
    house.published.length = 0;
    await house.close(member, orderNo, { lots: 3 });
    expect(told()).toEqual(["order.closeRequested", "order.closed", "condition.cancelled", "condition.cancelled"]);
    print(90);
    await house.settled();
    expect((await list(orderNo)).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  });

  it("when the member cancels it", async () => {
    house.venue.set(0, { asks: [] });
    const { orderNo } = await place({ pricing: "limit", price: units(95), exits: [exit("stop", 90)] });
    await house.cancel(member, orderNo);
    expect(await list()).toMatchObject([{ status: "cancelled", firedPrice: null }]);
  });
});

describe("what keeps a position from being closed", () => {
  it("is waited for when it ends by itself: the exit fires if it is still true then", async () => {
    calm(3);
    const { orderNo } = await place({ code: "2308", exits: [exit("stop", 98)] });
    print(97, 3);
    await house.settled();
    expect(await list()).toMatchObject([{ status: "waiting" }]);
    print(99, 3);
    house.clock.now += 600_000;
    print(99.5, 3);
    await house.settled();
    expect(await list()).toMatchObject([{ status: "waiting" }]);
    print(98, 3);
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
  });

  it("makes it fail where only the house lifts it", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98), exit("takeProfit", 104)] });
    await house.db.kysely.updateTable("order").set({ locked: true }).where("order_no", "=", orderNo).execute();
    print(97);
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "holding" });
    const failed = { kind: "stop", status: "failed", refusal: "TRD_POSITION_LOCKED", firedPrice: units(97) };
    expect(await list(orderNo)).toMatchObject([{ kind: "takeProfit", status: "waiting" }, failed]);
  });

  it("is the market's end: prices of a closed or silent market fire nothing, the open's do", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    house.venue.setFresh(false);
    print(97);
    house.venue.setFresh(true);
    for (const phase of ["preOpen", "closingAuction", "closed", "halted"] as const) {
      house.venue.setPhase(phase);
      print(97);
    }
    await house.settled();
    expect(await list()).toMatchObject([{ status: "waiting" }]);
    house.venue.setPhase("open");
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
  });
});

describe("setting conditions", () => {
  it("replaces what waited, but keeps what is the same", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98), exit("trailing", 3)] });
    print(104);
    await house.settled();
    const before = await list();
    house.published.length = 0;
    const { order, conditions } = await set(orderNo, [exit("trailing", 3), exit("takeProfit", 110)]);
    expect(order.orderNo).toBe(orderNo);
    expect(told()).toEqual(["condition.cancelled", "condition.set"]);
    expect(conditions.map(({ kind, price }) => [kind, price])).toEqual([
      ["trailing", units(3)],
      ["takeProfit", units(110)],
    ]);
    expect(conditions[0]?.conditionNo).toBe(before.find(({ kind }) => kind === "trailing")?.conditionNo);
    // It went on from 104, not from where it was set again.
    print(101);
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
  });

  it("acts once for one request, and takes all away when asked for none", async () => {
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

  it("is refused for what is over, and for what is another's", async () => {
    const { orderNo } = await place();
    await house.close(member, orderNo, { lots: 3 });
    expect((await refusalOf(set(orderNo, [exit("stop", 98)]))).code).toBe("TRD_ALREADY_CLOSED");
    const stranger = await house.newMember();
    const asked = house.call("setConditions", stranger, { requestId: uuid(), orderNo, exits: [] });
    expect((await refusalOf(asked)).code).toBe("TRD_ORDER_NOT_FOUND");
    expect((await refusalOf(house.call("listConditions", stranger, { orderNo }))).code).toBe("TRD_ORDER_NOT_FOUND");
  });
});

describe("a waiting order", () => {
  it.each([
    ["rise", "stop", 103, [102.5, 98], 103],
    ["rise", "takeProfit", 97, [103, 97.5], 97],
    ["fall", "stop", 97, [103, 97.5], 97],
    ["fall", "takeProfit", 103, [102.5, 98], 103],
  ] as const)("to open a %s by %s at %d waits out %j and is set off at %d", async (direction, kind, at, before, fires) => {
    const placed = await place({ direction, trigger: exit(kind, at) });
    expect(placed).toMatchObject({ status: "pending", trigger: { kind, price: units(at) } });
    expect(placed.heldCents).toBeGreaterThan(0);
    for (const price of before) print(price);
    await house.settled();
    expect(await read(placed.orderNo)).toMatchObject({ status: "pending", filledLots: 0 });
    house.published.length = 0;
    print(fires);
    print(fires);
    await house.settled();
    expect(told()).toEqual(["order.triggered", "order.filled"]);
    expect(await read(placed.orderNo)).toMatchObject({ status: "holding", filledLots: 3, trigger: null });
  });

  it("is guarded by its exits from when it was filled", async () => {
    const { orderNo } = await place({ trigger: exit("stop", 103), exits: [exit("stop", 101), exit("trailing", 5)] });
    print(99);
    await house.settled();
    expect((await list()).map(({ status, best }) => [status, best])).toEqual([
      ["waiting", null],
      ["waiting", null],
    ]);
    print(103);
    print(102);
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "holding" });
    print(101);
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed", closeCause: "condition" });
  });

  it.each([
    ["has locked trading", () => house.call("lockTrading", member, { hours: 1 })],
    [
      "wants smaller orders",
      () => house.call("setRisk", member, { maxOrderCents: 1_000_000, dailyLossCents: null, slideAboveCents: null }),
    ],
    [
      "has lost too much today",
      async () => {
        await house.call("setRisk", member, { maxOrderCents: null, dailyLossCents: 10_000, slideAboveCents: null });
        await house.place(member, { code: "2603" });
        house.venue.set(1, { last: 95 });
      },
    ],
  ])("is cancelled when it is set off and its member %s", async (_, change) => {
    const { orderNo } = await place({ trigger: exit("stop", 103), exits: [exit("stop", 101)] });
    await change();
    print(103);
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "cancelled", filledLots: 0, heldCents: 0 });
    expect(await list(orderNo)).toMatchObject([{ status: "cancelled" }]);
  });

  it("gives its money back when it is cancelled", async () => {
    const { orderNo } = await place({ trigger: exit("stop", 103) });
    expect(await house.cancel(member, orderNo)).toMatchObject({ status: "cancelled", heldCents: 0 });
    print(104);
    await house.settled();
    expect(await read(orderNo)).toMatchObject({ status: "cancelled" });
  });
});

describe("after a restart", () => {
  /** Let another server take over, with a market of its own if one is given. */
  async function restart(venue = house.venue): Promise<void> {
    house.stop();
    await house.settled();
    expect(house.faults).toEqual([]);
    house = await openHouse({ db: house.db, venue, clock: house.clock });
  }

  it("whatever waited waits on, and what traded meanwhile counts", async () => {
    const own = await place({ exits: [exit("trailing", 3), exit("stop", 96)] });
    const waiting = await place({ trigger: exit("stop", 108) });
    print(106);
    await house.settled();
    await restart();
    expect((await list(own.orderNo)).map(({ status }) => status)).toEqual(["waiting", "waiting"]);
    print(103);
    await house.settled();
    expect(await read(own.orderNo)).toMatchObject({ status: "closed", closeCause: "condition" });
    print(108);
    await house.settled();
    expect(await read(waiting.orderNo)).toMatchObject({ status: "holding" });
  });

  it("a trailing exit goes on from the best price that was written down", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      await restart();
      const { orderNo } = await place({ exits: [exit("trailing", 3)] });
      print(106);
      await house.settled();
      expect(await list()).toMatchObject([{ best: null }]);
      vi.advanceTimersByTime(5_000);
      await house.settled();
      expect(await list()).toMatchObject([{ best: units(106), status: "waiting" }]);
      const forgetful = fakeVenue(INSTRUMENTS, () => house.clock.now);
      forgetful.set(0, { last: 105, bids: [[105, 400]] });
      await restart(forgetful);
      print(104);
      await house.settled();
      expect(await read(orderNo)).toMatchObject({ status: "holding" });
      print(103);
      await house.settled();
      expect(await read(orderNo)).toMatchObject({ status: "closed" });
    } finally {
      vi.useRealTimers();
    }
  });
});
