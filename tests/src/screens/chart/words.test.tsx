// @vitest-environment happy-dom
/** The chart for those who do not see it. */
import { Subject } from "rxjs";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Candle } from "#contract/candle.ts";
import { ChartCanvas } from "#src/screens/chart/chart-canvas.tsx";
import type { CandleNews } from "#src/screens/chart/model.ts";
import { doing, show } from "#tests/src/ui/render.tsx";
import type { Shown } from "#tests/src/ui/render.tsx";

const drawing = vi.hoisted(() => ({
  setBars: vi.fn(),
  form: vi.fn(),
  show: vi.fn(),
  point: vi.fn(),
  paint: vi.fn(),
  setReference: vi.fn(),
  destroy: vi.fn(),
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

async function mounted(onRetry = vi.fn()) {
  const news$ = new Subject<CandleNews>();
  const subject = {
    code: "2330",
    name: "台積電 TSMC",
    decimals: 2,
    session: { opensAt: 0, closesAt: DAY },
    reference: null,
    open: () => ({ news$, older: vi.fn() }),
  };
  const view = { shape: "candles", period: "day", since: null, bars: 60 } as const;
  shown = await show(<ChartCanvas subject={subject} view={view} what="Day" onRetry={onRetry} ref={null} />);
  await vi.waitFor(() => expect(drawing.setReference).toHaveBeenCalled());
  return { news$, subscribed: () => news$.observed };
}

const slider = (): HTMLElement => document.querySelector<HTMLElement>("[role=slider]") ?? document.body;
const press = (key: string): Promise<void> =>
  doing(() => slider().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));

describe("the chart in words", () => {
  it("sums up what is drawn and reads bar by bar with the arrow keys", async () => {
    const { news$ } = await mounted();
    await doing(() => news$.next({ change: "loaded", bars: [bar(0, 110_000), bar(1, 120_000), bar(2, 108_000)], more: false }));
    expect(slider().getAttribute("aria-valuemax")).toBe("2");
    const summary = document.getElementById(slider().getAttribute("aria-describedby") ?? "");
    expect(summary?.textContent).toBe("From 1970.01.01 to 1970.01.03: last 10.80, change +8.00%, high 13.00, low 9.00");
    await press("ArrowLeft");
    expect(slider().getAttribute("aria-valuenow")).toBe("2");
    await press("ArrowLeft");
    expect(slider().getAttribute("aria-valuenow")).toBe("1");
    expect(drawing.point).toHaveBeenLastCalledWith(1);
    await press("Home");
    expect(slider().getAttribute("aria-valuenow")).toBe("0");
    await press("Escape");
    expect(drawing.point).toHaveBeenLastCalledWith(null);
  });

  it("keeps the cursor on its bar when older ones come before it", async () => {
    const { news$ } = await mounted();
    await doing(() => news$.next({ change: "loaded", bars: [bar(1, 110_000), bar(2, 120_000)], more: true }));
    await press("Home");
    await doing(() => news$.next({ change: "older", bars: [bar(0, 100_000)], more: false }));
    expect(slider().getAttribute("aria-valuenow")).toBe("1");
  });

  it("leaves the feed and takes the canvas down when it goes", async () => {
    const { subscribed } = await mounted();
    expect(subscribed()).toBe(true);
    await shown?.gone();
    shown = null;
    expect(subscribed()).toBe(false);
    expect(drawing.destroy).toHaveBeenCalledOnce();
  });

  it("offers a retry when nothing came", async () => {
    const onRetry = vi.fn();
    const { news$ } = await mounted(onRetry);
    await doing(() => news$.next({ change: "failed" }));
    await doing(() => document.querySelector<HTMLElement>("[role=alert] button")?.click());
    expect(onRetry).toHaveBeenCalledOnce();
  });
});
