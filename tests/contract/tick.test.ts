/** Tests tick sizes, stepping along them and daily limits, with vectors from the real market. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KINDS } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { dayLimits, isUnlimited, onTick, step, tickSize, toTick, usualLimitPercent } from "#contract/tick.ts";

const units = (text: number): number => Math.round(text * PRICE_ONE);
const limited = fc.constantFrom("stock", "preferred", "tdr", "etf", "etn", "reit");
const kind = fc.constantFrom(...KINDS);
const percent = fc.constantFrom(10, 20, 30);
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
  ])("of a stock at %s is %s", (at, tick) => expect(tickSize("stock", units(at))).toBe(units(tick)));

  it.each([
    [49.99, 0.01],
    [50, 0.05],
    [1200, 0.05],
  ])("of a fund at %s is %s", (at, tick) => {
    for (const fund of ["etf", "etn", "reit"] as const) expect(tickSize(fund, units(at))).toBe(units(tick));
  });

  it("rounds any price to a tick and leaves a price on a tick unchanged", () => {
    fc.assert(
      fc.property(kind, reference, (of, at) => {
        const on = toTick(of, at);
        expect(onTick(of, on)).toBe(true);
        expect(toTick(of, on)).toBe(on);
        expect(Math.abs(on - at)).toBeLessThanOrEqual(tickSize(of, at));
      }),
    );
  });

  it("returns to the same price when stepping up and down, including at band edges", () => {
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
    ["stock", 10, 593, 652, 534],
    ["etf", 10, 30.6, 33.66, 27.54],
    ["etf", 10, 18.96, 20.85, 17.07],
    ["stock", 10, 19.69, 21.65, 17.75],
    ["stock", 10, 8.65, 9.51, 7.79],
    ["stock", 10, 31.26, 34.35, 28.15],
    ["stock", 10, 375, 412.5, 337.5],
    ["stock", 10, 839, 922, 756],
    ["stock", 10, 101.3, 111, 91.2],
    ["stock", 10, 62.84, 69.1, 56.6],
    ["stock", 10, 621.25, 683, 560],
    // The tick is that of the raw limit, even if the reference is on the other side of a band edge.
    ["stock", 10, 45.45, 49.95, 40.95],
    ["stock", 10, 45.5, 50, 40.95],
    ["stock", 10, 51.1, 56.2, 46],
    ["stock", 10, 501, 551, 451],
    // Two- and three-times leveraged funds, including a limit across the band edge at 50.
    ["etf", 20, 228, 273.6, 182.4],
    ["etf", 20, 98.43, 118.1, 78.75],
    ["etf", 20, 41.87, 50.2, 33.5],
    ["etn", 30, 38.5, 50.05, 26.95],
    // A limit of less than one tick becomes one tick.
    ["stock", 10, 0.05, 0.06, 0.04],
    ["etf", 20, 0.01, 0.02, 0.01],
  ] as const)("a %s with %d %% limits and reference %s has limits %s and %s", (of, limitPercent, at, up, down) => {
    expect(dayLimits({ kind: of, limitPercent }, units(at))).toEqual({ up: units(up), down: units(down) });
  });

  it("lie on a tick, as far out as the percentage allows, but at least one tick away", () => {
    fc.assert(
      fc.property(limited, percent, reference, (of, limitPercent, at) => {
        const limits = dayLimits({ kind: of, limitPercent }, at);
        if (!limits) throw new Error("expected limits for this kind");
        const { up, down } = limits;
        expect(onTick(of, up)).toBe(true);
        expect(onTick(of, down)).toBe(true);
        expect(up).toBeGreaterThan(at);
        expect(down).toBeLessThanOrEqual(Math.max(at, tickSize(of, at)));
        if (up * 100 > at * (100 + limitPercent)) expect(up).toBe(step(of, at, 1));
        else expect(step(of, up, 1) * 100).toBeGreaterThan(at * (100 + limitPercent));
        if (down * 100 < at * (100 - limitPercent)) expect(down).toBe(step(of, at, -1));
        else if (down > tickSize(of, down)) expect(step(of, down, -1) * 100).toBeLessThan(at * (100 - limitPercent));
      }),
    );
  });

  it("grow with the reference price and with the percentage", () => {
    fc.assert(
      fc.property(limited, percent, reference, reference, (of, limitPercent, one, other) => {
        const low = dayLimits({ kind: of, limitPercent }, Math.min(one, other));
        const high = dayLimits({ kind: of, limitPercent }, Math.max(one, other));
        expect(low?.up).toBeLessThanOrEqual(high?.up ?? 0);
        expect(low?.down).toBeLessThanOrEqual(high?.down ?? 0);
        const wide = dayLimits({ kind: of, limitPercent: 30 }, one);
        const narrow = dayLimits({ kind: of, limitPercent: 10 }, one);
        expect(wide?.up).toBeGreaterThanOrEqual(narrow?.up ?? Infinity);
        expect(wide?.down).toBeLessThanOrEqual(narrow?.down ?? 0);
      }),
    );
  });

  it("are null without a percentage or a reference", () => {
    for (const free of ["index", "crypto", "forex"] as const) expect(usualLimitPercent(free)).toBeNull();
    expect(dayLimits({ kind: "etf", limitPercent: null }, units(100))).toBeNull();
    expect(dayLimits({ kind: "stock", limitPercent: 10 }, 0)).toBeNull();
  });

  it("do not apply in a new listing's first days, nor to an instrument without a percentage", () => {
    const day = 20_000;
    const at = taipeiMidnight(day);
    expect(isUnlimited({ limitPercent: 10, freeUntil: at }, at)).toBe(false);
    expect(isUnlimited({ limitPercent: 10, freeUntil: at + 1 }, at)).toBe(true);
    expect(isUnlimited({ limitPercent: null, freeUntil: 0 }, at)).toBe(true);
  });
});
