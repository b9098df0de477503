/** Tests the comparison of a chart with its index: closes at the chart's own times, both as percent since the left edge. */
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Candle } from "#contract/candle.ts";
import { alongside, Comparison, percentSince } from "#src/screens/chart/compare.ts";

afterEach(() => vi.useRealTimers());

const bar = (at: number, close = at): Candle => ({ at, open: 1, high: 1, low: 1, close, volume: 1 });

describe("the index at the chart's times", () => {
  it("has its newest close at or before each bar, and none before its first", () => {
    expect(alongside([bar(5), bar(10), bar(12), bar(30)], [bar(10, 100), bar(20, 200), bar(40, 400)])).toEqual([null, 100, 100, 200]);
    expect(alongside([], [bar(1)])).toEqual([]);
    expect(alongside([bar(1)], [])).toEqual([null]);
  });
});

describe("percent since the left edge", () => {
  it("counts from the first known close", () => {
    expect(percentSince([100, 200, 210], 1, 2)).toBe(500);
    expect(percentSince([null, null, 200, 190], 0, 3)).toBe(-500);
    expect(percentSince([100], -3, 0)).toBe(0);
  });

  it("is null where either value is missing", () => {
    expect(percentSince([null, null], 0, 1)).toBeNull();
    expect(percentSince([100, null], 0, 1)).toBeNull();
    expect(percentSince([], 0, 0)).toBeNull();
    // No percentage before the edge.
    expect(percentSince([100, 200], 1, 0)).toBeNull();
  });
});

describe("the index's own bars", () => {
  it("grow by pages and by the forming bar", () => {
    const comparison = new Comparison(vi.fn());
    expect(comparison.newest).toBeNull();
    expect(comparison.apply({ change: "loaded", bars: [bar(20), bar(30)], more: true, studies: [] })).toBe(true);
    expect(comparison.apply({ change: "older", bars: [bar(10)], more: false, studies: [] })).toBe(true);
    expect(comparison.apply({ change: "forming", bar: bar(40, 44), values: [] })).toBe(false);
    expect(comparison.newest).toBe(44);
    expect(comparison.beside([bar(10), bar(25), bar(41)])).toEqual([10, 20, 44]);
  });

  it("are requested once where the chart reaches further back", () => {
    const older = vi.fn();
    const comparison = new Comparison(older);
    comparison.apply({ change: "loaded", bars: [bar(20)], more: true, studies: [] });
    comparison.beside([bar(20)]);
    expect(older).not.toHaveBeenCalled();
    comparison.beside([bar(5), bar(20)]);
    comparison.beside([bar(5), bar(20)]);
    expect(older).toHaveBeenCalledTimes(1);
    comparison.apply({ change: "older", bars: [bar(10)], more: false, studies: [] });
    comparison.beside([bar(5), bar(20)]);
    expect(older).toHaveBeenCalledTimes(1);
  });

  it("are requested again, ever later, until the page arrives or the comparison ends", () => {
    vi.useFakeTimers();
    const older = vi.fn();
    const comparison = new Comparison(older);
    comparison.apply({ change: "loaded", bars: [bar(20)], more: true, studies: [] });
    comparison.beside([bar(5), bar(20)]);
    vi.advanceTimersByTime(1_900);
    expect(older).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
    expect(older).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(3_800);
    expect(older).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(200);
    expect(older).toHaveBeenCalledTimes(3);

    comparison.apply({ change: "older", bars: [bar(10)], more: true, studies: [] });
    vi.advanceTimersByTime(120_000);
    expect(older).toHaveBeenCalledTimes(3);
    // The page did not reach far enough: the next one is requested, and retried, in the same way.
    comparison.beside([bar(5), bar(20)]);
    vi.advanceTimersByTime(2_000);
    expect(older).toHaveBeenCalledTimes(5);
    comparison.stopRetrying();
    vi.advanceTimersByTime(120_000);
    expect(older).toHaveBeenCalledTimes(5);
  });
});
