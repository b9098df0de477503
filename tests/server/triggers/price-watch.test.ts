/** Tests watched prices: against a model, for conditional orders, and through failures and restarts. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { TriggerKind } from "#contract/order.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS } from "#tests/support/trading.ts";
import { exit, openFixture, units } from "./fixture.ts";

const fixture = openFixture();
const { calm, print, place, list, read, factTypes, restart } = fixture;

describe("for any sequence of prices", () => {
  const steps = fc.array(fc.integer({ min: -6, max: 6 }), { minLength: 1, maxLength: 25 });
  const exits = fc.record({
    stop: fc.option(fc.integer({ min: 1, max: 12 })),
    takeProfit: fc.option(fc.integer({ min: 1, max: 12 })),
    trailing: fc.option(fc.integer({ min: 1, max: 12 })),
  });

  it("triggers the first exit that is reached, and none before, as a model predicts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("rise" as const, "fall" as const), exits, steps, async (direction, wanted, moves) => {
        calm();
        await fixture.broker.settled();
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
        await fixture.broker.settled();
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

describe("a failed batch", () => {
  it("loses no price that an exit has seen", async () => {
    const { orderNo } = await place({ exits: [exit("stop", 98)] });
    const broken = vi.spyOn(fixture.broker.db, "transaction").mockRejectedValue(new Error("the database is gone"));
    print(97);
    await fixture.broker.settled();
    broken.mockRestore();
    expect(fixture.broker.faults.splice(0)).not.toEqual([]);
    expect(await read(orderNo)).toMatchObject({ status: "holding" });
    print(100);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed" });
    expect(await list()).toMatchObject([{ status: "fired", firedPrice: units(97) }]);
  });
});

describe("a conditional order", () => {
  it.each([
    ["rise", "stop", 103, [102.5, 98], 103],
    ["rise", "takeProfit", 97, [103, 97.5], 97],
    ["fall", "stop", 97, [103, 97.5], 97],
    ["fall", "takeProfit", 103, [102.5, 98], 103],
  ] as const)("to open a %s by %s at %d ignores %j and is triggered at %d", async (direction, kind, at, before, fires) => {
    const placed = await place({ direction, trigger: exit(kind, at) });
    expect(placed).toMatchObject({ status: "pending", trigger: { kind, price: units(at) } });
    expect(placed.heldCents).toBeGreaterThan(0);
    for (const price of before) print(price);
    await fixture.broker.settled();
    expect(await read(placed.orderNo)).toMatchObject({ status: "pending", filledLots: 0 });
    fixture.broker.published.length = 0;
    print(fires);
    print(fires);
    await fixture.broker.settled();
    expect(factTypes()).toEqual(["order.triggered", "order.filled"]);
    expect(await read(placed.orderNo)).toMatchObject({ status: "holding", filledLots: 3, trigger: null });
  });

  it("has active exits from its first fill", async () => {
    const { orderNo } = await place({ trigger: exit("stop", 103), exits: [exit("stop", 101), exit("trailing", 5)] });
    print(99);
    await fixture.broker.settled();
    expect((await list()).map(({ status, best }) => [status, best])).toEqual([
      ["waiting", null],
      ["waiting", null],
    ]);
    print(103);
    print(102);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "holding" });
    print(101);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "closed", closeCause: "condition" });
  });

  it.each([
    ["has locked trading", () => fixture.broker.call("lockTrading", fixture.member, { hours: 1 })],
    [
      "wants smaller orders",
      () => fixture.broker.call("setRisk", fixture.member, { maxOrderCents: 1_000_000, dailyLossCents: null, slideAboveCents: null }),
    ],
    [
      "has lost too much today",
      async () => {
        await fixture.broker.call("setRisk", fixture.member, { maxOrderCents: null, dailyLossCents: 10_000, slideAboveCents: null });
        await fixture.broker.place(fixture.member, { code: "2603" });
        fixture.broker.venue.set(1, { last: 95 });
      },
    ],
  ])("is cancelled when it is triggered and its member %s", async (_, change) => {
    const { orderNo } = await place({ trigger: exit("stop", 103), exits: [exit("stop", 101)] });
    await change();
    print(103);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "cancelled", filledLots: 0, heldCents: 0 });
    expect(await list(orderNo)).toMatchObject([{ status: "cancelled" }]);
  });

  it("releases its money when it is cancelled", async () => {
    const { orderNo } = await place({ trigger: exit("stop", 103) });
    expect(await fixture.broker.cancel(fixture.member, orderNo)).toMatchObject({ status: "cancelled", heldCents: 0 });
    print(104);
    await fixture.broker.settled();
    expect(await read(orderNo)).toMatchObject({ status: "cancelled" });
  });
});

describe("after a restart", () => {
  it("every waiting order keeps waiting, and trades since then count", async () => {
    const own = await place({ exits: [exit("trailing", 3), exit("stop", 96)] });
    const waiting = await place({ trigger: exit("stop", 108) });
    print(106);
    await fixture.broker.settled();
    await restart();
    expect((await list(own.orderNo)).map(({ status }) => status)).toEqual(["waiting", "waiting"]);
    print(103);
    await fixture.broker.settled();
    expect(await read(own.orderNo)).toMatchObject({ status: "closed", closeCause: "condition" });
    print(108);
    await fixture.broker.settled();
    expect(await read(waiting.orderNo)).toMatchObject({ status: "holding" });
  });

  it("a trailing exit continues from the stored best price", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      await restart();
      const { orderNo } = await place({ exits: [exit("trailing", 3)] });
      print(106);
      await fixture.broker.settled();
      expect(await list()).toMatchObject([{ best: null }]);
      vi.advanceTimersByTime(5_000);
      await fixture.broker.settled();
      expect(await list()).toMatchObject([{ best: units(106), status: "waiting" }]);
      // The member's charts show where it stands.
      expect(factTypes()).toContain("condition.trailed");
      const forgetful = fakeVenue(INSTRUMENTS, () => fixture.broker.clock.now);
      forgetful.set(0, { last: 105, bids: [[105, 400]] });
      await restart(forgetful);
      print(104);
      await fixture.broker.settled();
      expect(await read(orderNo)).toMatchObject({ status: "holding" });
      print(103);
      await fixture.broker.settled();
      expect(await read(orderNo)).toMatchObject({ status: "closed" });
    } finally {
      vi.useRealTimers();
    }
  });
});
