// @vitest-environment happy-dom
/** Tests the chart's accessibility: summary, keyboard cursor, table. */
import { createRef } from "react";
import { Subject } from "rxjs";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Candle } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { StudySettings } from "#contract/preference.ts";
import { ChartCanvas } from "#src/screens/chart/chart-canvas.tsx";
import type { ChartHandle } from "#src/screens/chart/chart-canvas.tsx";
import { USUAL_STUDIES } from "#contract/usual-preference.ts";
import type { CandleUpdate } from "#src/screens/chart/chart-data.ts";
import { planOf } from "#src/screens/chart/study.ts";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

const drawing = vi.hoisted(() => ({
  setBars: vi.fn(),
  setStudies: vi.fn(),
  setPlans: vi.fn(),
  setDay: vi.fn(),
  setMarks: vi.fn(),
  setLines: vi.fn(),
  setCompared: vi.fn(),
  form: vi.fn(),
  show: vi.fn(),
  point: vi.fn(),
  paint: vi.fn(),
  destroy: vi.fn(),
  edge: vi.fn(() => 0),
  visible: vi.fn(() => [0, 2]),
}));
vi.mock("#src/screens/chart/drawing.ts", () => ({
  Drawing: function Drawing() {
    return drawing;
  },
}));

let shown: Shown | null = null;
afterEach(async () => {
  await shown?.gone();
  shown = null;
  vi.clearAllMocks();
});

const DAY = 86_400_000;
const bar = (at: number, close: number): Candle => ({ at: at * DAY, open: 100_000, high: 130_000, low: 90_000, close, volume: 1234 });

const BARS = [bar(0, 110_000), bar(1, 120_000), bar(2, 108_000)];
const updates = (...values: number[]) => [{ study: "kd" as const, lines: [row("K", values), row("D", values)] }];
const row = (name: string, values: number[]) => ({ name, values: Float64Array.from(values) });
const editor = { lines: [], state: "ready" as const, retry: vi.fn(), add: vi.fn(), move: vi.fn(), remove: vi.fn(), watch: vi.fn() };
const dividend = { at: DAY, kind: "dividend", cash: 50_000 } as CorporateAction;

async function mounted(onRetry = vi.fn()) {
  const updates$ = new Subject<CandleUpdate>();
  const handle = createRef<ChartHandle>();
  const study = vi.fn();
  const chart = (settings: StudySettings) => {
    const view = { shape: "candles", period: "day", since: null, bars: 60 } as const;
    const subject = {
      code: "2330",
      name: "台積電 TSMC",
      kind: "stock",
      decimals: 2,
      session: { opensAt: 0, closesAt: DAY },
      reference: null,
      limits: null,
      open: () => ({ updates$, older: vi.fn(), study }),
    } as const;
    return (
      <ChartCanvas
        subject={subject}
        view={view}
        request={{ code: "2330", period: "day", adjustment: "none", studies: ["kd"], settings }}
        plans={[planOf("kd", settings)]}
        actions={[dividend]}
        collapsed={[]}
        onCollapse={vi.fn()}
        compared={null}
        editor={editor}
        onLines={vi.fn()}
        tool={null}
        onTool={vi.fn()}
        own={false}
        maxPanes={2}
        what="Day"
        onRetry={onRetry}
        ref={handle}
      />
    );
  };
  const page = await show(chart(USUAL_STUDIES));
  shown = page;
  await vi.waitFor(() => expect(drawing.setDay).toHaveBeenCalled());
  return { updates$, handle, study, again: (settings: StudySettings) => page.again(chart(settings)), subscribed: () => updates$.observed };
}

const slider = (): HTMLElement => document.querySelector<HTMLElement>("[role=slider]") ?? document.body;
const press = (key: string): Promise<void> =>
  doing(() => slider().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));

describe("the accessible chart", () => {
  it("summarises what is drawn and reads bar by bar with the arrow keys", async () => {
    const { updates$ } = await mounted();
    await doing(() => updates$.next({ change: "loaded", bars: BARS, more: false, studies: updates(20, 50.5, 80) }));
    expect(slider().getAttribute("aria-valuemax")).toBe("2");
    const summary = document.getElementById(slider().getAttribute("aria-describedby") ?? "");
    expect(summary?.textContent).toBe("From 1970.01.01 to 1970.01.03: last 10.80, change +8.00%, high 13.00, low 9.00");
    await press("ArrowLeft");
    expect(slider().getAttribute("aria-valuenow")).toBe("2");
    await press("ArrowLeft");
    expect(slider().getAttribute("aria-valuenow")).toBe("1");
    expect(drawing.point).toHaveBeenLastCalledWith(1);
    expect(slider().getAttribute("aria-valuetext")).toBe(
      "1970.01.02: open 10.00, high 13.00, low 9.00, close 12.00, change +9.09%, volume 1,234; K 50.50, D 50.50, Ex-dividend 5.00",
    );
    await press("Home");
    expect(slider().getAttribute("aria-valuenow")).toBe("0");
    await press("Escape");
    expect(drawing.point).toHaveBeenLastCalledWith(null);
  });

  it("keeps the cursor on its bar when older bars are prepended", async () => {
    const { updates$ } = await mounted();
    await doing(() => updates$.next({ change: "loaded", bars: [bar(1, 110_000), bar(2, 120_000)], more: true, studies: [] }));
    await press("Home");
    await doing(() => updates$.next({ change: "older", bars: [bar(0, 100_000)], more: false, studies: [] }));
    expect(slider().getAttribute("aria-valuenow")).toBe("1");
  });

  it("closes the candle source and removes the canvas on unmount", async () => {
    const { subscribed } = await mounted();
    expect(subscribed()).toBe(true);
    await shown?.gone();
    shown = null;
    expect(subscribed()).toBe(false);
    expect(drawing.destroy).toHaveBeenCalledOnce();
  });

  it("offers a retry when loading failed", async () => {
    const onRetry = vi.fn();
    const { updates$ } = await mounted(onRetry);
    await doing(() => updates$.next({ change: "failed" }));
    await doing(() => document.querySelector<HTMLElement>("[role=alert] button")?.click());
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it("adds a line at the keyboard cursor's bar", async () => {
    const { updates$ } = await mounted();
    await doing(() => updates$.next({ change: "loaded", bars: BARS, more: false, studies: [] }));
    await press("Enter");
    expect(editor.add).not.toHaveBeenCalled();
    await press("Home");
    await press("Enter");
    expect(editor.add).toHaveBeenCalledExactlyOnceWith(110_000);
  });

  it("returns the visible bars as a table with the studies' columns, newest first", async () => {
    const { updates$, handle } = await mounted();
    await doing(() => updates$.next({ change: "loaded", bars: BARS, more: false, studies: updates(20, NaN, 80) }));
    const table = handle.current?.table();
    expect(table?.columns).toEqual(["K", "D"]);
    expect(table?.rows.map(({ text }) => [text.at, text.close, ...text.values, text.note])).toEqual([
      ["1970.01.03", "10.80", "80.00", "80.00", ""],
      ["1970.01.02", "12.00", "--", "--", "Ex-dividend 5.00"],
      ["1970.01.01", "11.00", "20.00", "20.00", ""],
    ]);
  });

  it("requests other studies from the same source when the member changes them", async () => {
    const { updates$, study, again, subscribed } = await mounted();
    await doing(() => updates$.next({ change: "loaded", bars: BARS, more: false, studies: updates(20, 30, 80) }));
    const other = { ...USUAL_STUDIES, kd: { length: 5, k: 2, d: 2 } };
    await again(other);
    expect(study).toHaveBeenCalledExactlyOnceWith(["kd"], other);
    expect(drawing.setStudies).toHaveBeenLastCalledWith([]);
    expect(subscribed()).toBe(true);
    expect(drawing.destroy).not.toHaveBeenCalled();
  });
});
