// @vitest-environment happy-dom
/** Tests that a comparison measures everything over the prices from one base, against a slow reference. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Candle } from "#contract/candle.ts";
import { USUAL_STUDIES } from "#contract/usual-preference.ts";
import { Drawing } from "#src/screens/chart/drawing.ts";
import { planOf } from "#src/screens/chart/study.ts";
import type { Palette } from "#src/screens/chart/palette.ts";

type Row = Record<string, number>;
/** A series as the library is told to draw it. */
interface FakeSeries {
  kind: string;
  rows: Row[];
  priceLines: { price: number }[];
}

const library = vi.hoisted(() => ({
  series: [] as unknown[],
  range: { from: 0, to: 9 },
  onRange: (_range: { from: number; to: number }): void => {},
}));
vi.mock("lightweight-charts", async (original) => {
  const addSeries = (kind: string): object => {
    const made: FakeSeries & Record<string, unknown> = { kind, rows: [], priceLines: [] };
    Object.assign(made, {
      applyOptions: () => {},
      attachPrimitive: () => {},
      priceScale: () => ({ applyOptions: () => {} }),
      setData: (rows: Row[]) => (made.rows = rows),
      update: (row: Row) => made.rows.splice(-1, 1, row),
      createPriceLine: (line: { price: number }) => {
        made.priceLines.push(line);
        return line;
      },
      removePriceLine: (line: { price: number }) => made.priceLines.splice(made.priceLines.indexOf(line), 1),
      coordinateToPrice: (y: number) => y,
    });
    library.series.push(made);
    return made;
  };
  const timeScale = {
    getVisibleLogicalRange: () => library.range,
    setVisibleLogicalRange: () => {},
    subscribeVisibleLogicalRangeChange: (listener: typeof library.onRange) => (library.onRange = listener),
  };
  const chart = {
    addSeries,
    removeSeries: (gone: unknown) => library.series.splice(library.series.indexOf(gone), 1),
    applyOptions: () => {},
    timeScale: () => timeScale,
    subscribeCrosshairMove: () => {},
    panes: () => [{ setStretchFactor: () => {} }],
  };
  return {
    ...(await original<object>()),
    createChart: () => chart,
    BaselineSeries: "Baseline",
    CandlestickSeries: "Candlestick",
    LineSeries: "Line",
    HistogramSeries: "Histogram",
  };
});

const palette = { surface: "", text: "", line: "", studies: ["a", "b"], font: "" } as unknown as Palette;
const OWN = [1_000_000, 1_100_000, 900_000, 1_200_000, 1_260_000];
const MEANS = [NaN, 1_050_000, 1_000_000, 1_050_000, 1_230_000];
const OTHER = [null, 200_000, 210_000, 190_000, 220_000];
const bars = OWN.map((close, at): Candle => ({
  at: at * 86_400_000,
  open: close - 10_000,
  high: close + 20_000,
  low: close - 30_000,
  close,
  volume: 1,
}));

const data = (kind: string, nth = 0): Row[] => (library.series as FakeSeries[]).filter((one) => one.kind === kind)[nth]?.rows ?? [];
/** The reference: the change of a price since a base, in percent, to the hundredth. */
const percent = (price: number, base: number): number => Math.round(((price - base) / base) * 10_000) / 100;
const near = (rows: Row[], field: string, wanted: (number | undefined)[]): void =>
  wanted.forEach((value, at) => {
    if (value === undefined) expect(rows[at]?.[field]).toBeUndefined();
    else expect(rows[at]?.[field]).toBeCloseTo(value, 1);
  });

function drawn(): Drawing {
  const drawing = new Drawing(document.createElement("div"), {
    shape: "candles",
    period: "day",
    decimals: 2,
    lots: String,
    motion: false,
    palette,
    onCursor: () => {},
    onNearStart: () => {},
    onDrawn: () => {},
  });
  drawing.setBars(bars);
  drawing.setPlans([planOf("ma", { ...USUAL_STUDIES, ma: [2] })], 300, 2);
  drawing.setStudies([{ study: "ma", lines: [MEANS] }]);
  drawing.setLines([{ id: "line", price: 1_155_000 }]);
  return drawing;
}

/** What every series must show for the bar at the left edge. */
function expectBase(edge: number): void {
  const base = OWN[edge] ?? 0;
  const otherBase = OTHER.slice(edge).find((close) => close !== null) ?? 0;
  near(
    data("Candlestick"),
    "close",
    OWN.map((close) => percent(close, base)),
  );
  near(
    data("Candlestick"),
    "low",
    OWN.map((close) => percent(close - 30_000, base)),
  );
  // The first line series reserves room; then come the studies.
  near(
    data("Line", 1),
    "value",
    MEANS.map((mean) => (Number.isNaN(mean) ? undefined : percent(mean, base))),
  );
  near(
    data("Line", 2),
    "value",
    OTHER.map((close) => (close === null ? undefined : percent(close, otherBase))),
  );
  expect((library.series as FakeSeries[])[0]?.priceLines[0]?.price).toBeCloseTo(percent(1_155_000, base), 1);
}

beforeEach(() => {
  library.series.length = 0;
  library.range = { from: 0, to: 4 };
});

describe("a comparison", () => {
  it("draws candles, averages and lines as percent of the close at the left edge", () => {
    const drawing = drawn();
    expect(data("Candlestick")[1]?.close).toBe(110);
    drawing.setCompared(OTHER);
    expectBase(0);
    // A distance on the screen is still a price.
    expect(drawing.priceAt(10)).toBe(1_100_000);
    drawing.formCompared(231_000);
    expect(data("Line", 2).at(-1)?.value).toBeCloseTo(15.5, 5);
  });

  it("moves the base of all of them with the left edge", async () => {
    const drawing = drawn();
    drawing.setCompared(OTHER);
    library.range = { from: 2, to: 4 };
    library.onRange(library.range);
    await vi.waitFor(() => expectBase(2));
  });

  it("returns to prices when it ends", () => {
    const drawing = drawn();
    drawing.setCompared(OTHER);
    drawing.setCompared(null);
    near(
      data("Candlestick"),
      "close",
      OWN.map((close) => close / 10_000),
    );
    near(
      data("Line", 1),
      "value",
      MEANS.map((mean) => (Number.isNaN(mean) ? undefined : mean / 10_000)),
    );
    expect(data("Line", 2)).toEqual([]);
  });
});
