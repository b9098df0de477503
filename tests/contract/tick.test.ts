/** Proof of the price ladder: tick sizes, steps along them and the day's limits, on vectors of the real market. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KINDS } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { dayLimits, onTick, step, tickSize, toTick } from "#contract/tick.ts";

const units = (text: number): number => Math.round(text * PRICE_ONE);
const limited = fc.constantFrom("stock", "preferred", "tdr", "etf", "etn", "reit");
const kind = fc.constantFrom(...KINDS);
const reference = fc.integer({ min: 100, max: units(9000) });

describe("tick sizes", () => {
  it.each([
    [9.99, 0.01],
    [10, 0.05],
    [49.95, 0.05],
    [50, 0.1],
    [99.9, 0.1],
    [100, 0.5],
    [499.5, 0.5],
    [500, 1],
    [999, 1],
    [1000, 5],
  ])("a stock at %s moves by %s", (at, tick) => expect(tickSize("stock", units(at))).toBe(units(tick)));

  it.each([
    [49.99, 0.01],
    [50, 0.05],
    [1200, 0.05],
  ])("a fund at %s moves by %s", (at, tick) => {
    for (const fund of ["etf", "etn", "reit"] as const) expect(tickSize(fund, units(at))).toBe(units(tick));
  });

  it("puts any price on its ladder, and keeps one that is on it", () => {
    fc.assert(
      fc.property(kind, reference, (of, at) => {
        const on = toTick(of, at);
        expect(onTick(of, on)).toBe(true);
        expect(toTick(of, on)).toBe(on);
        expect(Math.abs(on - at)).toBeLessThanOrEqual(tickSize(of, at));
      }),
    );
  });

  it("comes back by stepping up and down, band edges included", () => {
    const edges = [10, 50, 100, 500, 1000].map((edge) => fc.constant(units(edge)));
    fc.assert(
      fc.property(kind, fc.oneof(reference, ...edges), (of, at) => {
        const from = toTick(of, at);
        const up = step(of, from, 1);
        expect(up).toBeGreaterThan(from);
        expect(onTick(of, up)).toBe(true);
        expect(step(of, up, -1)).toBe(from);
      }),
    );
  });

  it("never steps below one tick", () => expect(step("stock", units(0.01), -1)).toBe(units(0.01)));
});

describe("daily limits", () => {
  it.each([
    ["stock", 593, 652, 534],
    ["etf", 30.6, 33.66, 27.54],
    ["etf", 18.96, 20.85, 17.07],
    ["stock", 19.69, 21.65, 17.75],
    ["stock", 8.65, 9.51, 7.79],
    ["stock", 31.26, 34.35, 28.15],
    ["stock", 375, 412.5, 337.5],
    ["stock", 839, 922, 756],
    ["stock", 101.3, 111, 91.2],
    ["stock", 62.84, 69.1, 56.6],
    ["stock", 621.25, 683, 560],
  ] as const)("a %s with reference %s may rise to %s and fall to %s", (of, at, up, down) => {
    expect(dayLimits(of, units(at))).toEqual({ up: units(up), down: units(down) });
  });

  it("lie on the ladder, and within ten percent unless one tick is more", () => {
    fc.assert(
      fc.property(limited, reference, (of, at) => {
        const limits = dayLimits(of, at);
        if (!limits) throw new Error("this kind is limited");
        const { up, down } = limits;
        expect(onTick(of, up)).toBe(true);
        expect(onTick(of, down)).toBe(true);
        expect(up).toBeGreaterThan(at);
        expect(down).toBeLessThanOrEqual(Math.max(at, tickSize(of, at)));
        if (up * 10 > at * 11) expect(up).toBe(step(of, at, 1));
        if (down * 10 < at * 9) expect(down).toBe(step(of, at, -1));
      }),
    );
  });

  it("grow with the reference price", () => {
    fc.assert(
      fc.property(limited, reference, reference, (of, one, other) => {
        const low = dayLimits(of, Math.min(one, other));
        const high = dayLimits(of, Math.max(one, other));
        expect(low?.up).toBeLessThanOrEqual(high?.up ?? 0);
        expect(low?.down).toBeLessThanOrEqual(high?.down ?? 0);
      }),
    );
  });

  it("are none for indices, digital and foreign currencies, or without a reference", () => {
    for (const free of ["index", "crypto", "forex"] as const) expect(dayLimits(free, units(100))).toBeNull();
    expect(dayLimits("stock", 0)).toBeNull();
  });
});
