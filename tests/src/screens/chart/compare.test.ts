/** A chart beside its index: closes at the chart's own moments, both as percent since the left edge. */
import { describe, expect, it, vi } from "vitest";
import type { Candle } from "#contract/candle.ts";
import { alongside, Comparison, percentSince } from "#src/screens/chart/compare.ts";

const bar = (at: number, close = at): Candle => ({ at, open: 1, high: 1, low: 1, close, volume: 1 });

describe("the index at the chart's moments", () => {
  it("has its newest close at or before each bar, and none before its first", () => {
    expect(alongside([bar(5), bar(10), bar(12), bar(30)], [bar(10, 100), bar(20, 200), bar(40, 400)])).toEqual([null, 100, 100, 200]);
    expect(alongside([], [bar(1)])).toEqual([]);
    expect(alongside([bar(1)], [])).toEqual([null]);
  });
});

describe("percent since the left edge", () => {
  it("counts from the first close known there", () => {
    expect(percentSince([100, 200, 210], 1, 2)).toBe(500);
    expect(percentSince([null, null, 200, 190], 0, 3)).toBe(-500);
    expect(percentSince([100], -3, 0)).toBe(0);
  });

  it("says nothing where one of the two is missing", () => {
    expect(percentSince([null, null], 0, 1)).toBeNull();
    expect(percentSince([100, null], 0, 1)).toBeNull();
    expect(percentSince([], 0, 0)).toBeNull();
    // Before the edge nothing is counted from it.
    expect(percentSince([100, 200], 1, 0)).toBeNull();
  });
});

describe("the index's own bars", () => {
  it("grow by pages and by the forming bar", () => {
    const one = new Comparison(vi.fn());
    expect(one.newest).toBeNull();
    expect(one.take({ change: "loaded", bars: [bar(20), bar(30)], more: true, studies: [] })).toBe(true);
    expect(one.take({ change: "older", bars: [bar(10)], more: false, studies: [] })).toBe(true);
    expect(one.take({ change: "forming", bar: bar(40, 44), values: [] })).toBe(false);
    expect(one.newest).toBe(44);
    expect(one.beside([bar(10), bar(25), bar(41)])).toEqual([10, 20, 44]);
  });

  it("are asked for once where the chart reaches further back", () => {
    const older = vi.fn();
    const one = new Comparison(older);
    one.take({ change: "loaded", bars: [bar(20)], more: true, studies: [] });
    one.beside([bar(20)]);
    expect(older).not.toHaveBeenCalled();
    one.beside([bar(5), bar(20)]);
    one.beside([bar(5), bar(20)]);
    expect(older).toHaveBeenCalledTimes(1);
    one.take({ change: "older", bars: [bar(10)], more: false, studies: [] });
    one.beside([bar(5), bar(20)]);
    expect(older).toHaveBeenCalledTimes(1);
  });
});
