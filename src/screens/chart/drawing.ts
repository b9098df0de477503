/** Wraps Lightweight Charts; loaded when the first chart is shown. */
import { BaselineSeries, CandlestickSeries, ColorType, createChart, CrosshairMode, LineSeries } from "lightweight-charts";
import type { IChartApi, ISeriesApi, MouseEventParams, Time } from "lightweight-charts";
import type { Candle } from "#contract/candle.ts";
import { momentOf, PriceAxis, tickText, timeOf } from "./axis.ts";
import { momentText, placeAt } from "./bar.ts";
import { CompareSeries } from "./compare-series.ts";
import { DayLevels } from "./day-levels.ts";
import type { Day } from "./day-levels.ts";
import type { Palette } from "./palette.ts";
import { PriceLines } from "./price-lines.ts";
import type { PriceLine } from "./price-lines.ts";
import type { FillMark } from "./own-level.ts";
import { Overlays } from "./overlays.ts";
import { StudySeries } from "./study-series.ts";
import type { StudyStyle } from "./study-series.ts";
import { panesFor } from "./study.ts";
import type { StudyLines, StudyPlan } from "./study.ts";
import type { View } from "./view.ts";

export interface DrawingOptions extends Omit<StudyStyle, "axis"> {
  shape: View["shape"];
  period: View["period"];
  /** Whether the chart keeps scrolling after a flick. */
  motion: boolean;
  /** The index of the bar under the cursor, or null when it left; and the y it points at in the price pane, or null. */
  onCursor: (place: number | null, y: number | null) => void;
  /** The oldest bars came into view. */
  onNearStart: () => void;
  /** Prices and times may have moved on screen. */
  onDrawn: () => void;
}

/** When fewer bars than this remain before the left edge, older ones are requested. */
const NEAR_START = 24;

/** One chart on one element, from creation to `destroy`. */
export class Drawing {
  readonly #options: DrawingOptions;
  readonly #chart: IChartApi;
  readonly #axis = new PriceAxis();
  readonly #prices: ISeriesApi<"Candlestick"> | ISeriesApi<"Baseline">;
  /** Empty time slots that reserve room for the rest of a session. */
  readonly #room: ISeriesApi<"Line">;
  /** Shared with the studies and the comparison. */
  readonly #style: StudyStyle;
  readonly #studies: StudySeries;
  readonly #overlays: Overlays;
  #palette: Palette;
  #bars: readonly Candle[] = [];
  #values: readonly StudyLines[] = [];
  readonly #day: DayLevels | null;
  readonly #lines: PriceLines;
  readonly #levels: PriceLines;
  #fills: readonly FillMark[] = [];
  readonly #compared: CompareSeries;
  /** The pending frame that moves the base of a comparison. */
  #rebasing = 0;
  #marks: readonly number[] = [];

  constructor(host: HTMLElement, options: DrawingOptions) {
    this.#options = options;
    this.#palette = options.palette;
    const { shape, period, decimals, lots } = options;
    this.#chart = createChart(host, {
      autoSize: true,
      layout: { attributionLogo: false, fontSize: 11, panes: { enableResize: false } },
      localization: {
        timeFormatter: (time: Time) => momentText(momentOf(time), period),
      },
      crosshair: { mode: CrosshairMode.Normal },
      rightPriceScale: { borderVisible: false, minimumWidth: 64, scaleMargins: { top: 0.15, bottom: 0.08 } },
      timeScale: {
        borderVisible: false,
        timeVisible: period.startsWith("minute"),
        rightOffset: 2,
        minBarSpacing: 1,
        fixLeftEdge: false,
        // A turned phone shows the same bars, wider.
        lockVisibleTimeRangeOnResize: true,
        tickMarkFormatter: tickText,
      },
      // A vertical touch drag scrolls the page; the chart scrolls only sideways.
      handleScroll: { vertTouchDrag: false },
      kineticScroll: { touch: options.motion, mouse: false },
    });
    const priceFormat = this.#axis.format(decimals, lots);
    if (shape === "candles") {
      this.#prices = this.#chart.addSeries(CandlestickSeries, { priceFormat, borderVisible: false });
      this.#day = null;
    } else {
      const line = this.#chart.addSeries(BaselineSeries, { priceFormat, lineWidth: 2 });
      this.#prices = line;
      this.#day = new DayLevels(line, this.#axis);
    }
    this.#room = this.#chart.addSeries(LineSeries, { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false });
    this.#style = { ...options, axis: this.#axis };
    this.#studies = new StudySeries(this.#chart, this.#style);
    this.#compared = new CompareSeries(this.#chart, this.#style);
    this.#lines = new PriceLines(this.#prices, this.#axis);
    this.#levels = new PriceLines(this.#prices, this.#axis);
    this.#overlays = new Overlays(options.onDrawn);
    this.#prices.attachPrimitive(this.#overlays);
    this.paint(options.palette);
    this.#chart.subscribeCrosshairMove(this.#onCrosshairMove);
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(this.#onRangeChange);
  }

  /** Draws these bars and reserves empty time slots after them. The list stays the caller's; it is read again on a repaint. */
  setBars(bars: readonly Candle[], room: readonly number[] = []): void {
    this.#bars = bars;
    if (this.#compared.on) this.#axis.setBase(bars[this.edge()]?.close ?? null);
    this.#drawBars();
    this.#room.setData(room.map((at) => ({ time: timeOf(at) })));
    this.setMarks(this.#marks);
    this.#drawFills();
  }

  /** Draws exactly these studies, in as many panes as fit the height; their values may arrive later. */
  setPlans(plans: readonly StudyPlan[], height: number, most: number): void {
    const { count, each } = panesFor(height, Math.min(most, plans.filter(({ main }) => !main).length));
    let panes = 0;
    this.#studies.setPlans(plans.filter(({ main }) => main || (panes += 1) <= count));
    this.#chart.panes().forEach((pane, at) => pane.setStretchFactor(at === 0 ? height - each * count : each));
    this.#studies.setData(this.#bars, this.#values);
  }

  /** Draws these values aligned with the bars. The list stays the caller's. */
  setStudies(values: readonly StudyLines[]): void {
    this.#values = values;
    this.#studies.setData(this.#bars, values);
  }

  /** Updates the newest bar or appends one: a single update per tick, never a redraw of all data. */
  form(bar: Candle): void {
    this.#prices.update(this.#seriesItem(bar));
    this.#studies.form(bar, this.#bars.length - 1, this.#values);
  }

  /** Scrolls bars `from` to `to` into view; they may lie outside the data. */
  show(from: number, to: number): void {
    this.#chart.timeScale().setVisibleLogicalRange({ from, to });
  }

  /** Draws the previous close and the daily limits; does nothing for candles. */
  setDay(day: Day): void {
    this.#day?.set(day, this.#palette);
  }

  /** Draws exactly these member lines. */
  setLines(lines: readonly PriceLine[]): void {
    this.#lines.set(lines, this.#palette);
  }

  /** Moves a line while it is dragged. */
  moveLine(id: string, price: number): void {
    this.#lines.move(id, price);
  }

  /** Draws exactly these levels of the member's own trading. */
  setLevels(levels: readonly PriceLine[]): void {
    this.#levels.set(levels, this.#palette);
  }

  /** Moves a level while it is dragged. */
  moveLevel(id: string, price: number): void {
    this.#levels.move(id, price);
  }

  /** Marks the member's executions. */
  setFills(fills: readonly FillMark[]): void {
    this.#fills = fills;
    this.#drawFills();
  }

  /** Each at the bar it happened in; those before the first bar are not drawn. */
  #drawFills(): void {
    const marks = this.#fills.flatMap(({ at, price, buy }) => {
      const bar = this.#bars[placeAt(this.#bars, at + 1) - 1];
      return bar ? [{ time: timeOf(bar.at), price: this.#axis.drawn(price), buy }] : [];
    });
    this.#overlays.setFills(marks, this.#palette);
  }

  /** Draws the closes of another instrument next to the bars, everything as percent since the left edge; null returns to prices. */
  setCompared(closes: readonly (number | null)[] | null): void {
    this.#compared.set(closes);
    this.#rebase();
    this.#compared.draw(this.#bars, this.edge());
  }

  /** Updates the newest close of the compared instrument. */
  formCompared(close: number): void {
    this.#compared.form(close, this.#bars, this.edge());
  }

  /** Measures everything over the prices from the close at the left edge while comparing, in currency otherwise. */
  #rebase(): void {
    if (!this.#axis.setBase(this.#compared.on ? (this.#bars[this.edge()]?.close ?? null) : null)) return;
    this.#drawBars();
    this.#studies.setData(this.#bars, this.#values);
    this.#day?.paint(this.#palette);
    this.#lines.paint(this.#palette);
    this.#levels.paint(this.#palette);
    this.#drawFills();
  }

  /** Marks the bars at these indices. */
  setMarks(places: readonly number[]): void {
    this.#marks = places;
    this.#overlays.setMarks(
      places.flatMap((place) => this.#bars.slice(place, place + 1).map(({ at }) => timeOf(at))),
      this.#palette.mark,
    );
  }

  /** Puts the cursor on a bar (by keyboard), scrolling to it if it is out of view; null clears the cursor. */
  point(place: number | null): void {
    const bar = place === null ? undefined : this.#bars[place];
    if (place === null || !bar) {
      this.#chart.clearCrosshairPosition();
      return;
    }
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (range && (place < range.from || place > range.to)) {
      const width = range.to - range.from;
      const from = place < range.from ? place - 1 : place + 1 - width;
      this.show(from, from + width);
    }
    this.#chart.setCrosshairPosition(this.#axis.drawn(bar.close), timeOf(bar.at), this.#prices);
  }

  /** The index of the bar at the left edge, the base of the percentages. */
  edge(): number {
    return Math.max(0, Math.floor(this.#chart.timeScale().getVisibleLogicalRange()?.from ?? 0));
  }

  /** Indices of the first and last bar in view. */
  visible(): [first: number, last: number] {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    const end = this.#bars.length - 1;
    if (!range) return [0, end];
    return [Math.min(end, Math.max(0, Math.ceil(range.from))), Math.max(0, Math.min(end, Math.floor(range.to)))];
  }

  /** The y where each pane begins, in CSS pixels from the top, followed by the y where the last one ends. */
  tops(): number[] {
    const tops = [0];
    // Panes are separated by a line of one pixel.
    for (const pane of this.#chart.panes()) tops.push((tops.at(-1) ?? 0) + pane.getHeight() + 1);
    return tops;
  }

  /** The y of a price in the first pane, in CSS pixels from its top; null if outside. */
  heightOf(price: number): number | null {
    const y = this.#prices.priceToCoordinate(this.#axis.drawn(price));
    return y === null || y < 0 || y > (this.#chart.panes()[0]?.getHeight() ?? 0) ? null : y;
  }

  /** The price at a y of the first pane, in ten-thousandths; null while nothing is drawn. */
  priceAt(y: number): number | null {
    const price = this.#prices.coordinateToPrice(y);
    return price === null ? null : this.#axis.unitsOf(price);
  }

  /** Applies colours: initially, and whenever the theme or the colour convention changes. */
  paint(palette: Palette): void {
    this.#palette = palette;
    const { surface, text, line, cursor, up, down, upTint, downTint, font } = palette;
    this.#chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: surface },
        textColor: text,
        fontFamily: font,
        panes: { separatorColor: line, separatorHoverColor: line },
      },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
      crosshair: { vertLine: { color: cursor, labelBackgroundColor: cursor }, horzLine: { color: cursor, labelBackgroundColor: cursor } },
    });
    this.#prices.applyOptions(
      this.#options.shape === "candles"
        ? { upColor: up, downColor: down, wickUpColor: up, wickDownColor: down }
        : {
            topLineColor: up,
            topFillColor1: upTint,
            topFillColor2: upTint,
            bottomLineColor: down,
            bottomFillColor1: downTint,
            bottomFillColor2: downTint,
          },
    );
    this.#style.palette = palette;
    this.#lines.paint(palette);
    this.#levels.paint(palette);
    this.#drawFills();
    this.#compared.paint();
    this.#day?.paint(palette);
    this.setMarks(this.#marks);
    this.#studies.paint(palette);
    if (this.#bars.length > 0) this.#studies.setData(this.#bars, this.#values);
  }

  /** What a further layer over the prices draws with. */
  get parts() {
    return { chart: this.#chart, series: this.#prices, axis: this.#axis, bars: () => this.#bars };
  }

  /** Removes the chart; the element can be used again. */
  destroy(): void {
    cancelAnimationFrame(this.#rebasing);
    this.#chart.unsubscribeCrosshairMove(this.#onCrosshairMove);
    this.#chart.timeScale().unsubscribeVisibleLogicalRangeChange(this.#onRangeChange);
    this.#chart.remove();
  }

  #seriesItem({ at, open, high, low, close }: Candle) {
    const time = timeOf(at);
    const drawn = (price: number): number => this.#axis.drawn(price);
    return this.#options.shape === "candles"
      ? { time, open: drawn(open), high: drawn(high), low: drawn(low), close: drawn(close) }
      : { time, value: drawn(close) };
  }

  #drawBars(): void {
    this.#prices.setData(this.#bars.map((bar) => this.#seriesItem(bar)));
  }

  readonly #onCrosshairMove = (event: MouseEventParams): void => {
    const y = event.paneIndex === 0 ? (event.point?.y ?? null) : null;
    if (event.time === undefined) {
      this.#options.onCursor(null, y);
      return;
    }
    const at = momentOf(event.time);
    const place = placeAt(this.#bars, at);
    this.#options.onCursor(this.#bars[place]?.at === at ? place : null, y);
  };

  readonly #onRangeChange = (range: { from: number; to: number } | null): void => {
    if (range && range.from < NEAR_START && this.#bars.length > 0) this.#options.onNearStart();
    if (!this.#compared.on || this.#rebasing !== 0) return;
    // Once per frame: this is called with every step of a scroll.
    this.#rebasing = requestAnimationFrame(() => {
      this.#rebasing = 0;
      this.#rebase();
      this.#compared.draw(this.#bars, this.edge());
    });
  };
}
