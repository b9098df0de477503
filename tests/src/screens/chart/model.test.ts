/** A chart's data from its first page on: what is drawn, when older bars are asked for, that a tick is never a redraw; studies keep beside their bars. */
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
const model = (view: View): ChartData => new ChartData(view, SESSION, hooks);

describe("a chart's data", () => {
  it("is drawn once it and the canvas are there, whichever comes first", () => {
    const one = model(LENGTH);
    one.take({ change: "loaded", bars: bars(0, 200), more: true, studies: [] });
    expect(hooks.onChange).toHaveBeenLastCalledWith("ready", 200);
    one.attach(canvas);
    expect(canvas.setBars).toHaveBeenCalledTimes(1);
    expect(canvas.show).toHaveBeenCalledExactlyOnceWith(139.5, 201.5);
  });

  it("takes a tick as one step of the newest bar, never as a redraw", () => {
    const one = model(LENGTH);
    one.attach(canvas);
    one.take({ change: "loaded", bars: bars(0, 100), more: false, studies: [] });
    canvas.setBars.mockClear();
    for (let close = 1; close <= 50; close++) {
      one.take({ change: "forming", bar: { at: 100 * MINUTE_MS, open: 1, high: 1, low: 1, close, volume: close }, values: [] });
    }
    expect(canvas.setBars).not.toHaveBeenCalled();
    expect(canvas.form).toHaveBeenCalledTimes(50);
    expect(one.bars).toHaveLength(101);
  });

  it("keeps a tick out that came before the first page", () => {
    const one = model(LENGTH);
    one.take({ change: "forming", bar: { at: 1, open: 1, high: 1, low: 1, close: 1, volume: 1 }, values: [] });
    expect(one.bars).toEqual([]);
  });

  it("puts older bars before the others and does not move what is in view", () => {
    const one = model(LENGTH);
    one.attach(canvas);
    one.take({ change: "loaded", bars: bars(100, 200), more: true, studies: [] });
    one.nearStart();
    one.nearStart();
    expect(hooks.older).toHaveBeenCalledTimes(1);
    one.take({ change: "older", bars: bars(0, 100), more: false, studies: [] });
    expect(one.bars).toHaveLength(200);
    expect(canvas.show).toHaveBeenCalledTimes(1);
    one.nearStart();
    expect(hooks.older).toHaveBeenCalledTimes(1);
  });

  it("reads on by itself until the range is covered, then shows the range", () => {
    const one = model(RANGE);
    one.attach(canvas);
    one.take({ change: "loaded", bars: bars(100, 200), more: true, studies: [] });
    expect(hooks.older).toHaveBeenCalledTimes(1);
    one.take({ change: "older", bars: bars(0, 100), more: true, studies: [] });
    expect(hooks.older).toHaveBeenCalledTimes(1);
    expect(canvas.show).toHaveBeenLastCalledWith(49.5, 201.5);
  });

  it("shows one session only in the day's line, with room for the rest of it", () => {
    const one = model(LINE);
    one.attach(canvas);
    one.take({ change: "loaded", bars: bars(0, 160), more: false, studies: [] });
    expect(one.bars[0]?.at).toBe(SESSION.opensAt);
    expect(canvas.setBars.mock.calls[0]?.[1]).toHaveLength(270);
    expect(canvas.show).toHaveBeenLastCalledWith(-0.5, 269.5);
    one.nearStart();
    expect(hooks.older).not.toHaveBeenCalled();
  });

  it("says that nothing came, and gets over it", () => {
    const one = model(LINE);
    one.attach(canvas);
    one.take({ change: "failed" });
    expect(hooks.onChange).toHaveBeenLastCalledWith("failed", 0);
    one.take({ change: "loaded", bars: bars(0, 50), more: false, studies: [] });
    expect(hooks.onChange).toHaveBeenLastCalledWith("empty", 0);
    one.take({ change: "forming", bar: { at: SESSION.opensAt, open: 1, high: 1, low: 1, close: 1, volume: 1 }, values: [] });
    expect(hooks.onChange).toHaveBeenLastCalledWith("ready", 1);
    one.take({ change: "failed" });
    expect(hooks.onChange).toHaveBeenLastCalledWith("ready", 1);
  });
});

describe("studies beside the bars", () => {
  const told = (...values: number[]) => [{ study: "ma" as const, lines: [{ name: "MA5", values: Float64Array.from(values) }] }];
  const row = (one: ChartData): number[] => [...(one.studies[0]?.lines[0] ?? [])];
  const forming = (at: number, values: number[][]) =>
    ({ change: "forming", bar: { at: at * MINUTE_MS, open: 1, high: 1, low: 1, close: 1, volume: 1 }, values }) as const;

  it("come with the bars, cut to the session where the bars are", () => {
    const one = model(LINE);
    one.attach(canvas);
    one.take({ change: "loaded", bars: bars(98, 102), more: false, studies: told(1, 2, 3, 4) });
    expect(row(one)).toEqual([3, 4]);
    expect(canvas.setStudies).toHaveBeenLastCalledWith(one.studies);
  });

  it("are stepped with the forming bar, and a bar without values has none", () => {
    const one = model(LENGTH);
    one.attach(canvas);
    one.take({ change: "loaded", bars: bars(0, 2), more: false, studies: told(1, 2) });
    one.take(forming(1, [[2.5]]));
    expect(row(one)).toEqual([1, 2.5]);
    one.take(forming(2, [[3]]));
    expect(row(one)).toEqual([1, 2.5, 3]);
    one.take(forming(3, []));
    expect(row(one)).toEqual([1, 2.5, 3, NaN]);
  });

  it("are over all bars again after an older page", () => {
    const one = model(LENGTH);
    one.take({ change: "loaded", bars: bars(2, 4), more: true, studies: told(3, 4) });
    one.take({ change: "older", bars: bars(0, 2), more: false, studies: told(1, 2, 3, 4) });
    expect(row(one)).toEqual([1, 2, 3, 4]);
  });

  it("are forgotten when others are asked for, and drawn when those come", () => {
    const one = model(LENGTH);
    one.attach(canvas);
    one.take({ change: "loaded", bars: bars(0, 2), more: false, studies: told(1, 2) });
    one.forgetStudies();
    expect(canvas.setStudies).toHaveBeenLastCalledWith([]);
    canvas.setBars.mockClear();
    one.take({ change: "studied", studies: told(7, 8) });
    expect(row(one)).toEqual([7, 8]);
    expect(canvas.setBars).not.toHaveBeenCalled();
    expect(hooks.onChange).toHaveBeenLastCalledWith("ready", 2);
  });
});
