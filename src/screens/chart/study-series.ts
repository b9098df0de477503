/** The studies on the canvas: lines over the prices, and panes of their own below them. */
import { HistogramSeries, LineSeries, LineStyle } from "lightweight-charts";
import type { HistogramData, IChartApi, ISeriesApi, LineData, UTCTimestamp, WhitespaceData } from "lightweight-charts";
import type { Candle } from "#contract/candle.ts";
import { drawnAs, formatOf, timeOf } from "./axis.ts";
import type { Palette } from "./palette.ts";
import { valueAt } from "./study.ts";
import type { StudyLine, StudyLines, StudyPlan } from "./study.ts";

type Point = LineData<UTCTimestamp> | HistogramData<UTCTimestamp> | WhitespaceData<UTCTimestamp>;

interface Drawn {
  plan: StudyPlan;
  line: StudyLine;
  series: ISeriesApi<"Line"> | ISeriesApi<"Histogram">;
}

/** What the series need to know of their chart. */
export interface StudyLook {
  palette: Palette;
  decimals: number;
  /** Writes a number of lots in the member's units. */
  lots: (count: number) => string;
}

/** Room for the legend's line above a pane's values, and a little below them. */
const PANE_MARGINS = { top: 0.3, bottom: 0.05 };
/** Columns stand behind lines: the tokens are six digits, two more make them translucent. */
const faded = (color: string): string => (/^#[\da-f]{6}$/i.test(color) ? `${color}a6` : color);
const SILENT = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false } as const;

/** All studies of one chart. */
export class StudySeries {
  readonly #chart: IChartApi;
  readonly #look: StudyLook;
  #drawn: Drawn[] = [];

  constructor(chart: IChartApi, look: StudyLook) {
    this.#chart = chart;
    this.#look = look;
  }

  /** Draw these studies and no others: those over the prices in the first pane, each other one in the next below. */
  setPlans(plans: readonly StudyPlan[]): void {
    for (const { series } of this.#drawn) this.#chart.removeSeries(series);
    let pane = 0;
    this.#drawn = plans.flatMap((plan) => {
      const at = plan.main ? 0 : (pane += 1);
      return plan.lines.map((line) => ({ plan, line, series: this.#begin(plan, line, at) }));
    });
  }

  /** Draw the values beside these bars. */
  setData(bars: readonly Candle[], studies: readonly StudyLines[]): void {
    for (const one of this.#drawn) one.series.setData(bars.map((bar, place) => this.#point(one, bar, place, studies)));
  }

  /** The newest bar changed, or a new one began. */
  form(bar: Candle, place: number, studies: readonly StudyLines[]): void {
    for (const one of this.#drawn) one.series.update(this.#point(one, bar, place, studies));
  }

  /** Apply colours; columns take theirs with the next data. */
  paint(palette: Palette): void {
    this.#look.palette = palette;
    for (const { line, series } of this.#drawn) series.applyOptions({ color: palette.studies[line.color] ?? palette.text });
  }

  #begin(plan: StudyPlan, line: StudyLine, pane: number): Drawn["series"] {
    const { palette, decimals, lots } = this.#look;
    const priceFormat = formatOf(plan.unit, decimals, lots);
    const color = palette.studies[line.color] ?? palette.text;
    const options = { ...SILENT, priceFormat, color };
    const series =
      line.look === "columns"
        ? this.#chart.addSeries(HistogramSeries, options, pane)
        : this.#chart.addSeries(
            LineSeries,
            {
              ...options,
              lineWidth: 1,
              lineVisible: line.look === "line",
              pointMarkersVisible: line.look === "dots",
              pointMarkersRadius: 1.5,
            },
            pane,
          );
    if (pane === 0) return series;
    series.priceScale().applyOptions({ scaleMargins: PANE_MARGINS });
    if (plan.unit === "index") series.applyOptions({ autoscaleInfoProvider: () => ({ priceRange: { minValue: 0, maxValue: 100 } }) });
    if (line === plan.lines[0]) {
      for (const price of plan.guides) {
        series.createPriceLine({ price, color: palette.line, lineWidth: 1, lineStyle: LineStyle.Dashed, axisLabelVisible: false });
      }
    }
    return series;
  }

  #point({ plan, line }: Drawn, bar: Candle, place: number, studies: readonly StudyLines[]): Point {
    const time = timeOf(bar.at);
    const value = valueAt(plan, line, studies, place, bar.volume);
    if (Number.isNaN(value)) return { time };
    const point = { time, value: drawnAs(plan.unit, value) };
    if (line.look !== "columns") return point;
    const { up, down, flat } = this.#look.palette;
    const sign = line.told === null ? bar.close - bar.open : value;
    return { ...point, color: faded(sign > 0 ? up : sign < 0 ? down : flat) };
  }
}
