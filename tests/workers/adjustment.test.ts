/** Tests price adjustment: exact fractions with one rounding, in both directions; lots change only where new shares were issued. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candle } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { price } from "#contract/kernel/money.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { Adjuster } from "#workers/chart/adjustment.ts";
import { action, adjustedBar } from "./ex-event.ts";
import { flatBars, TUESDAY } from "./trading.ts";

const bar = (day: number, close: number, volume = 100): Candle => ({
  at: TUESDAY + day * DAY_MS,
  open: close,
  high: close + 5_000,
  low: close - 5_000,
  close,
  volume,
});
const one = (adjustment: "none" | "forward" | "backward", actions: readonly CorporateAction[], of: Candle): Candle =>
  new Adjuster(adjustment, actions).bar(of);

describe("an ex-dividend date", () => {
  // 103.5 before and 101.3 after: the real case of 6895.
  const dividend = action(3, { closeBefore: price(1_035_000), reference: price(1_013_000), cash: price(22_000) });

  it("scales past prices down when adjusting forward and leaves today's unchanged", () => {
    expect(one("forward", [dividend], bar(2, 1_035_000)).close).toBe(1_013_000);
    expect(one("forward", [dividend], bar(3, 1_013_000))).toEqual(bar(3, 1_013_000));
  });
  it("scales today's prices up when adjusting backward and leaves past ones unchanged", () => {
    expect(one("backward", [dividend], bar(2, 1_035_000))).toEqual(bar(2, 1_035_000));
    expect(one("backward", [dividend], bar(3, 1_013_000)).close).toBe(1_035_000);
  });
  it("leaves lots unchanged", () => {
    expect(one("forward", [dividend], bar(2, 1_035_000)).volume).toBe(100);
    expect(one("backward", [dividend], bar(4, 1_013_000)).volume).toBe(100);
  });
  it("changes nothing without an adjustment or without events", () => {
    expect(new Adjuster("none", [dividend]).idle).toBe(true);
    expect(new Adjuster("forward", []).bars(flatBars([bar(1, 1_000)]))).toEqual(flatBars([bar(1, 1_000)]));
  });
});

describe("a one-to-four split", () => {
  const split = action(3, { kind: "split", freeMillionths: 3_000_000, closeBefore: price(8_000_000), reference: price(2_000_000) });
  it("turns one lot into four, in both directions", () => {
    expect(one("forward", [split], bar(2, 8_000_000))).toMatchObject({ close: 2_000_000, high: 2_001_250, volume: 400 });
    expect(one("backward", [split], bar(3, 2_000_000, 403))).toMatchObject({ close: 8_000_000, volume: 101 });
  });
});

describe("any number of ex-events", () => {
  const event = fc
    .record({
      day: fc.integer({ min: -400, max: 400 }),
      closeBefore: fc.integer({ min: 10_000, max: 30_000_000 }),
      part: fc.double({ min: 0.2, max: 1, noNaN: true }),
      freeMillionths: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000_000 })),
      rightsMillionths: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 500_000 })),
    })
    .map(({ day, closeBefore, part, ...shares }) =>
      action(day, { closeBefore: price(closeBefore), reference: price(Math.max(1, Math.floor(closeBefore * part))), ...shares }),
    );
  const events = fc.uniqueArray(event, { maxLength: 12, selector: ({ at }) => at });
  const days = fc.array(
    fc.record({ day: fc.integer({ min: -420, max: 420 }), close: fc.integer({ min: 10_000, max: 3_000_000 }), lots: fc.nat(1e6) }),
    { minLength: 1, maxLength: 30 },
  );

  it("are multiplied exactly, with one rounding at the end", () => {
    fc.assert(
      fc.property(events, days, fc.constantFrom("forward" as const, "backward" as const), (actions, each, adjustment) => {
        const adjuster = new Adjuster(adjustment, actions);
        const bars = each.map(({ day, close, lots }) => bar(day, close, lots));
        const wanted = bars.map((of) => adjustedBar(of, actions, adjustment));
        expect(bars.map((of) => adjuster.bar(of))).toEqual(wanted);
        expect(adjuster.bars(flatBars(bars))).toEqual(flatBars(wanted));
        for (const of of bars) expect(adjuster.factor(of.at)).toBeCloseTo((wanted[bars.indexOf(of)]?.close ?? 0) / of.close, 3);
      }),
    );
  });

  it("are ignored without prices", () => {
    expect(new Adjuster("forward", [action(3, { closeBefore: price(0) })]).idle).toBe(true);
  });
});
