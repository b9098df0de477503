/** Draws the studies: lines over the prices, and panes of their own below them. */
import { HistogramSeries, LineSeries, LineStyle } from "lightweight-charts";
import type { HistogramData, IChartApi, ISeriesApi, LineData, UTCTimestamp, WhitespaceData } from "lightweight-charts";
import type { Candle } from "#contract/candle.ts";
import { drawnAs, formatOf, timeOf } from "./axis.ts";
import type { PriceAxis } from "./axis.ts";
import type { Palette } from "./palette.ts";
import { valueAt } from "./study.ts";
import type { StudyLine, StudyLines, StudyPlan } from "./study.ts";

type Point = LineData<UTCTimestamp> | HistogramData<UTCTimestamp> | WhitespaceData<UTCTimestamp>;

interface Drawn {
  plan: StudyPlan;
  line: StudyLine;
  series: ISeriesApi<"Line"> | ISeriesApi<"Histogram">;
}

/** What the series need from their chart. */
export interface StudyStyle {
  palette: Palette;
  /** The axis of the prices, and of the studies over them. */
  axis: PriceAxis;
  decimals: number;
  /** Formats a number of lots in the member's units. */
  lots: (count: number) => string;
}

/** Room for the legend above a pane's values, and a margin below them. */
const PANE_MARGINS = { top: 0.3, bottom: 0.05 };
/** Columns are drawn behind lines: tokens have six hex digits, two more make them translucent. */
const faded = (color: string): string => (/^#[\da-f]{6}$/i.test(color) ? `${color}a6` : color);
const NO_MARKERS = { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false } as const;

/** All studies of one chart. */
export class StudySeries {
  readonly #chart: IChartApi;
  readonly #style: StudyStyle;
  #drawn: Drawn[] = [];

  constructor(chart: IChartApi, style: StudyStyle) {
    this.#chart = chart;
    this.#style = style;
  }

  /** Draws exactly these studies: the main ones in the price pane, each other one in its own pane below. */
  setPlans(plans: readonly StudyPlan[]): void {
    for (const { series } of this.#drawn) this.#chart.removeSeries(series);
    let pane = 0;
    this.#drawn = plans.flatMap((plan) => {
      const at = plan.main ? 0 : (pane += 1);
      return plan.lines.map((line) => ({ plan, line, series: this.#addSeries(plan, line, at) }));
    });
  }

  /** Draws the values aligned with these bars. */
  setData(bars: readonly Candle[], studies: readonly StudyLines[]): void {
    for (const one of this.#drawn) one.series.setData(bars.map((bar, place) => this.#point(one, bar, place, studies)));
  }

  /** Updates the newest bar or appends one. */
  form(bar: Candle, place: number, studies: readonly StudyLines[]): void {
    for (const one of this.#drawn) one.series.update(this.#point(one, bar, place, studies));
  }

  /** Applies colours; columns are recoloured with the next data. */
  paint(palette: Palette): void {
    for (const { line, series } of this.#drawn) series.applyOptions({ color: palette.studies[line.color] ?? palette.text });
  }

  #addSeries(plan: StudyPlan, line: StudyLine, pane: number): Drawn["series"] {
    const { palette, axis, decimals, lots } = this.#style;
    const priceFormat = plan.main ? axis.format(decimals, lots) : formatOf(plan.unit, decimals, lots);
    const color = palette.studies[line.color] ?? palette.text;
    const options = { ...NO_MARKERS, priceFormat, color };
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
    const point = { time, value: plan.main ? this.#style.axis.drawn(value) : drawnAs(plan.unit, value) };
    if (line.look !== "columns") return point;
    const { up, down, flat } = this.#style.palette;
    const sign = line.row === null ? bar.close - bar.open : value;
    return { ...point, color: faded(sign > 0 ? up : sign < 0 ? down : flat) };
  }
}
