/** Draws another instrument's closes next to the bars, as percent since the left edge. */
import { LineSeries } from "lightweight-charts";
import type { IChartApi, ISeriesApi } from "lightweight-charts";
import type { Candle } from "#contract/candle.ts";
import { timeOf } from "./axis.ts";
import { percentsSince } from "./percent.ts";
import type { StudyStyle } from "./study-series.ts";

/** The compared line of one chart; it draws nothing while there are no closes. */
export class CompareSeries {
  readonly #chart: IChartApi;
  readonly #style: StudyStyle;
  #line: ISeriesApi<"Line"> | null = null;
  #closes: readonly (number | null)[] | null = null;

  constructor(chart: IChartApi, style: StudyStyle) {
    this.#chart = chart;
    this.#style = style;
  }

  /** Whether there is something to compare with. */
  get on(): boolean {
    return this.#closes !== null;
  }

  /** Sets the closes at the bars; null ends the comparison. `draw` shows them. */
  set(closes: readonly (number | null)[] | null): void {
    this.#closes = closes;
    if ((closes === null) === (this.#line === null)) return;
    if (this.#line) this.#chart.removeSeries(this.#line);
    const { axis, decimals, lots, palette } = this.#style;
    const priceFormat = axis.format(decimals, lots);
    this.#line =
      closes && this.#chart.addSeries(LineSeries, { lineWidth: 2, priceLineVisible: false, priceFormat, color: palette.compared });
  }

  /** Draws the closes at these bars, from the bar at the left edge. */
  draw(bars: readonly Candle[], edge: number): void {
    const percents = percentsSince(this.#closes ?? [], edge);
    this.#line?.setData(
      bars.map(({ at }, place) => {
        const value = percents[place] ?? null;
        return value === null ? { time: timeOf(at) } : { time: timeOf(at), value };
      }),
    );
  }

  /** Updates the newest close, at the newest bar. */
  form(close: number, bars: readonly Candle[], edge: number): void {
    const bar = bars.at(-1);
    if (!bar || !this.#closes) return;
    this.#closes = [...this.#closes.slice(0, bars.length - 1), close];
    const value = percentsSince(this.#closes, edge).at(-1) ?? null;
    if (value !== null) this.#line?.update({ time: timeOf(bar.at), value });
  }

  /** Applies colours. */
  paint(): void {
    this.#line?.applyOptions({ color: this.#style.palette.compared });
  }
}
