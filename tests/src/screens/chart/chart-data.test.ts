/** Tests a chart's data: what is drawn, when older bars are requested, ticks without redraws, and studies aligned with their bars. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Candle } from "#contract/candle.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { ChartData } from "#src/screens/chart/chart-data.ts";
import type { View } from "#src/screens/chart/view.ts";

const bars = (from: number, to: number): Candle[] =>
  Array.from({ length: to - from }, (_, at) => ({ at: (from + at) * MINUTE_MS, open: 1, high: 1, low: 1, close: 1, volume: 1 }));
const LINE: View = { shape: "line", period: "minute", since: 100 * MINUTE_MS, bars: null };
const LENGTH: View = { shape: "candles", period: "minute5", since: null, bars: 60 };
const RANGE: View = { shape: "candles", period: "day", since: 50 * MINUTE_MS, bars: null };
const SESSION = { opensAt: 100 * MINUTE_MS, closesAt: 370 * MINUTE_MS };

const canvas = { setBars: vi.fn(), setStudies: vi.fn(), form: vi.fn(), show: vi.fn() };
const hooks = { older: vi.fn(), onChange: vi.fn(), onForm: vi.fn() };
beforeEach(() => {
  for (const spy of [...Object.values(canvas), ...Object.values(hooks)]) spy.mockReset();
});
const chartData = (view: View): ChartData => new ChartData(view, SESSION, hooks);

describe("chart data", () => {
  it("is drawn once data and canvas are there, in either order", () => {
    const data = chartData(LENGTH);
    data.apply({ change: "loaded", bars: bars(0, 200), more: true, studies: [] });
    expect(hooks.onChange).toHaveBeenLastCalledWith("ready", 200);
    data.attach(canvas);
    expect(canvas.setBars).toHaveBeenCalledTimes(1);
    expect(canvas.show).toHaveBeenCalledExactlyOnceWith(139.5, 201.5);
  });

  it("applies a tick as one update of the newest bar, never as a redraw", () => {
    const data = chartData(LENGTH);
    data.attach(canvas);
    data.apply({ change: "loaded", bars: bars(0, 100), more: false, studies: [] });
    canvas.setBars.mockClear();
    for (let close = 1; close <= 50; close++) {
      data.apply({ change: "forming", bar: { at: 100 * MINUTE_MS, open: 1, high: 1, low: 1, close, volume: close }, values: [] });
    }
    expect(canvas.setBars).not.toHaveBeenCalled();
    expect(canvas.form).toHaveBeenCalledTimes(50);
    expect(data.bars).toHaveLength(101);
  });

  it("ignores a tick that arrives before the first page", () => {
    const data = chartData(LENGTH);
    data.apply({ change: "forming", bar: { at: 1, open: 1, high: 1, low: 1, close: 1, volume: 1 }, values: [] });
    expect(data.bars).toEqual([]);
  });

  it("prepends older bars without moving the view", () => {
    const data = chartData(LENGTH);
    data.attach(canvas);
    data.apply({ change: "loaded", bars: bars(100, 200), more: true, studies: [] });
    data.nearStart();
    data.nearStart();
    expect(hooks.older).toHaveBeenCalledTimes(1);
    data.apply({ change: "older", bars: bars(0, 100), more: false, studies: [] });
    expect(data.bars).toHaveLength(200);
    expect(canvas.show).toHaveBeenCalledTimes(1);
    data.nearStart();
    expect(hooks.older).toHaveBeenCalledTimes(1);
  });

  it("loads pages automatically until the range is covered, then shows the range", () => {
    const data = chartData(RANGE);
    data.attach(canvas);
    data.apply({ change: "loaded", bars: bars(100, 200), more: true, studies: [] });
    expect(hooks.older).toHaveBeenCalledTimes(1);
    data.apply({ change: "older", bars: bars(0, 100), more: true, studies: [] });
    expect(hooks.older).toHaveBeenCalledTimes(1);
    expect(canvas.show).toHaveBeenLastCalledWith(49.5, 201.5);
  });

  it("shows one session only in the intraday line, with room for its remainder", () => {
    const data = chartData(LINE);
    data.attach(canvas);
    data.apply({ change: "loaded", bars: bars(0, 160), more: false, studies: [] });
    expect(data.bars[0]?.at).toBe(SESSION.opensAt);
    expect(canvas.setBars.mock.calls[0]?.[1]).toHaveLength(270);
    expect(canvas.show).toHaveBeenLastCalledWith(-0.5, 269.5);
    data.nearStart();
    expect(hooks.older).not.toHaveBeenCalled();
  });

  it("reports failure, and recovers from it", () => {
    const data = chartData(LINE);
    data.attach(canvas);
    data.apply({ change: "failed" });
    expect(hooks.onChange).toHaveBeenLastCalledWith("failed", 0);
    data.apply({ change: "loaded", bars: bars(0, 50), more: false, studies: [] });
    expect(hooks.onChange).toHaveBeenLastCalledWith("empty", 0);
    data.apply({ change: "forming", bar: { at: SESSION.opensAt, open: 1, high: 1, low: 1, close: 1, volume: 1 }, values: [] });
    expect(hooks.onChange).toHaveBeenLastCalledWith("ready", 1);
    data.apply({ change: "failed" });
    expect(hooks.onChange).toHaveBeenLastCalledWith("ready", 1);
  });
});

describe("studies aligned with the bars", () => {
  const updates = (...values: number[]) => [{ study: "ma" as const, lines: [{ name: "MA5", values: Float64Array.from(values) }] }];
  const row = (data: ChartData): number[] => [...(data.studies[0]?.lines[0] ?? [])];
  const forming = (at: number, values: number[][]) =>
    ({ change: "forming", bar: { at: at * MINUTE_MS, open: 1, high: 1, low: 1, close: 1, volume: 1 }, values }) as const;

  it("come with the bars, cut to the session like them", () => {
    const data = chartData(LINE);
    data.attach(canvas);
    data.apply({ change: "loaded", bars: bars(98, 102), more: false, studies: updates(1, 2, 3, 4) });
    expect(row(data)).toEqual([3, 4]);
    expect(canvas.setStudies).toHaveBeenLastCalledWith(data.studies);
  });

  it("follow the forming bar; a bar without values has NaN", () => {
    const data = chartData(LENGTH);
    data.attach(canvas);
    data.apply({ change: "loaded", bars: bars(0, 2), more: false, studies: updates(1, 2) });
    data.apply(forming(1, [[2.5]]));
    expect(row(data)).toEqual([1, 2.5]);
    data.apply(forming(2, [[3]]));
    expect(row(data)).toEqual([1, 2.5, 3]);
    data.apply(forming(3, []));
    expect(row(data)).toEqual([1, 2.5, 3, NaN]);
  });

  it("cover all bars again after an older page", () => {
    const data = chartData(LENGTH);
    data.apply({ change: "loaded", bars: bars(2, 4), more: true, studies: updates(3, 4) });
    data.apply({ change: "older", bars: bars(0, 2), more: false, studies: updates(1, 2, 3, 4) });
    expect(row(data)).toEqual([1, 2, 3, 4]);
  });

  it("are dropped when others are requested, and drawn when those arrive", () => {
    const data = chartData(LENGTH);
    data.attach(canvas);
    data.apply({ change: "loaded", bars: bars(0, 2), more: false, studies: updates(1, 2) });
    data.forgetStudies();
    expect(canvas.setStudies).toHaveBeenLastCalledWith([]);
    canvas.setBars.mockClear();
    data.apply({ change: "studied", studies: updates(7, 8) });
    expect(row(data)).toEqual([7, 8]);
    expect(canvas.setBars).not.toHaveBeenCalled();
    expect(hooks.onChange).toHaveBeenLastCalledWith("ready", 2);
  });
});
