/** Tests parsing, merging, summarising and formatting bars. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candle } from "#contract/candle.ts";
import { barsOf, barText, form, placeAt, prepended, summaryOf } from "#src/screens/chart/bar.ts";

const bar = (at: number, close = 100_000, more: Partial<Candle> = {}): Candle => ({
  at,
  open: 100_000,
  high: Math.max(100_000, close),
  low: Math.min(100_000, close),
  close,
  volume: 1,
  ...more,
});

describe("bars on the wire", () => {
  it("are parsed whole; an incomplete last one is dropped", () => {
    expect(barsOf([1, 2, 3, 4, 5, 6, 7, 8])).toEqual([{ at: 1, open: 2, high: 3, low: 4, close: 5, volume: 6 }]);
  });
});

describe("merging bars", () => {
  it("keeps each time once and in order, however pages overlap", () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 500 })).map((list) => list.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(times, times, (older, newer) => {
        const all = prepended(
          older.map((at) => bar(at)),
          newer.map((at) => bar(at)),
        ).map(({ at }) => at);
        expect(all).toEqual([...new Set(all)].toSorted((a, b) => a - b));
        expect(all.slice(all.length - newer.length)).toEqual(newer);
      }),
    );
  });

  it("replaces the newest bar, appends a newer one and ignores an older one", () => {
    const bars = [bar(10), bar(20)];
    expect(form(bars, bar(20, 110_000))).toBe(true);
    expect(bars).toHaveLength(2);
    expect(form(bars, bar(30))).toBe(true);
    expect(bars.map(({ at }) => at)).toEqual([10, 20, 30]);
    expect(form(bars, bar(15))).toBe(false);
    expect(bars).toHaveLength(3);
  });

  it("finds the first bar at or after a time", () => {
    const bars = [bar(10), bar(20), bar(30)];
    expect([0, 10, 11, 30, 31].map((at) => placeAt(bars, at))).toEqual([0, 0, 1, 2, 3]);
  });
});

describe("summary and text of bars", () => {
  it("summarises against the previous close, or the first open", () => {
    const bars = [bar(1, 110_000), bar(2, 90_000)];
    expect(summaryOf(bars, null)).toEqual({ from: 1, to: 2, high: 110_000, low: 90_000, last: 90_000, changeBasisPoints: -1000 });
    expect(summaryOf(bars, 80_000)?.changeBasisPoints).toBe(1250);
    expect(summaryOf([], null)).toBeNull();
  });

  it("formats the time by period and the change with its sign", () => {
    const noon = Date.UTC(2026, 7, 12, 4, 5);
    const text = barText(bar(noon, 101_000), 100_000, "minute5", 2);
    expect(text).toMatchObject({ at: "2026.08.12 12:05", close: "10.10", change: "+0.10", percent: "+1.00%", sign: 1 });
    expect(barText(bar(noon, 99_000), 100_000, "day", 2)).toMatchObject({ at: "2026.08.12", percent: "−1.00%", sign: -1 });
    expect(barText(bar(noon), null, "day", 2).percent).toBe("0.00%");
  });
});
