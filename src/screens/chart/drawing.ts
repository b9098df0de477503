/** The chart's canvas: the only file that knows the drawing library, loaded when the first chart is shown. */
import {
  BaselineSeries,
  CandlestickSeries,
  ColorType,
  createChart,
  CrosshairMode,
  HistogramSeries,
  LineSeries,
  LineStyle,
  TickMarkType,
} from "lightweight-charts";
import type { IChartApi, IPriceLine, ISeriesApi, MouseEventParams, Time, UTCTimestamp } from "lightweight-charts";
import type { Candle } from "#contract/candle.ts";
import { formatPrice, PRICE_ONE } from "#contract/kernel/money.ts";
import { formatDate, formatTime, TAIPEI_OFFSET_MS } from "#contract/kernel/time.ts";
import { momentText, placeAt } from "./bar.ts";
import type { Palette } from "./palette.ts";
import type { View } from "./view.ts";

export interface DrawingOptions {
  shape: View["shape"];
  period: View["period"];
  decimals: number;
  palette: Palette;
  /** Whether the hand may throw the chart and it rolls on. */
  motion: boolean;
  /** The place of the bar under the cursor, or null when it left. */
  onCursor: (place: number | null) => void;
  /** The oldest bars came into view. */
  onNearStart: () => void;
}

/** Bars left before the start of the data when older ones are asked for. */
const NEAR_START = 24;
/** The volume pane's part of the height, against 1 for the prices. */
const VOLUME_PART = 0.24;

/** The library draws moments as UTC, so Taipei's clock is handed to it as if it were. */
const timeOf = (at: number): UTCTimestamp => Math.round((at + TAIPEI_OFFSET_MS) / 1000) as UTCTimestamp;
const momentOf = (time: Time): number => Number(time) * 1000 - TAIPEI_OFFSET_MS;
/** For drawing only: pixels, not money. */
const drawn = (units: number): number => units / PRICE_ONE;

const candleOf = (bar: Candle) => ({
  time: timeOf(bar.at),
  open: drawn(bar.open),
  high: drawn(bar.high),
  low: drawn(bar.low),
  close: drawn(bar.close),
});
/** Volume stands behind the prices: the tokens are six digits, two more make them translucent. */
const faded = (color: string): string => (/^#[\da-f]{6}$/i.test(color) ? `${color}a6` : color);
const pointOf = (bar: Candle) => ({ time: timeOf(bar.at), value: drawn(bar.close) });

function tickText(time: Time, kind: TickMarkType): string {
  const at = momentOf(time);
  const [year = "", month = "", day = ""] = formatDate(at).split(".");
  if (kind === TickMarkType.Year) return year;
  if (kind === TickMarkType.Month) return `${year}.${month}`;
  if (kind === TickMarkType.DayOfMonth) return `${month}.${day}`;
  return formatTime(at).slice(0, 5);
}

/** The day's line shows at least this part of the previous close above and below it. */
const LEAST_BAND = 0.005;

/** One chart on one element, from creation to `destroy`. */
export class Drawing {
  readonly #options: DrawingOptions;
  readonly #chart: IChartApi;
  readonly #candles: ISeriesApi<"Candlestick"> | null;
  readonly #line: ISeriesApi<"Baseline"> | null;
  readonly #volume: ISeriesApi<"Histogram">;
  /** Empty moments that keep room for the rest of a session. */
  readonly #room: ISeriesApi<"Line">;
  #palette: Palette;
  #bars: readonly Candle[] = [];
  #reference: IPriceLine | null = null;

  constructor(host: HTMLElement, options: DrawingOptions) {
    this.#options = options;
    this.#palette = options.palette;
    const { shape, period, decimals } = options;
    const priceText = (value: number): string => formatPrice(Math.round(value * PRICE_ONE), decimals);
    this.#chart = createChart(host, {
      autoSize: true,
      layout: { attributionLogo: false, fontSize: 11, panes: { enableResize: false } },
      localization: { timeFormatter: (time: Time) => momentText(momentOf(time), period) },
      crosshair: { mode: CrosshairMode.Magnet },
      rightPriceScale: { borderVisible: false, minimumWidth: 64, scaleMargins: { top: 0.08, bottom: 0.08 } },
      timeScale: {
        borderVisible: false,
        timeVisible: period.startsWith("minute"),
        rightOffset: 2,
        minBarSpacing: 1,
        fixLeftEdge: false,
        tickMarkFormatter: tickText,
      },
      // The page scrolls under a vertical finger; the chart only sideways.
      handleScroll: { vertTouchDrag: false },
      kineticScroll: { touch: options.motion, mouse: false },
    });
    const priceFormat = { type: "custom", minMove: 10 ** -decimals, formatter: priceText } as const;
    this.#candles = shape === "candles" ? this.#chart.addSeries(CandlestickSeries, { priceFormat, borderVisible: false }) : null;
    this.#line = shape === "line" ? this.#chart.addSeries(BaselineSeries, { priceFormat, lineWidth: 2 }) : null;
    this.#room = this.#chart.addSeries(LineSeries, { lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false });
    this.#volume = this.#chart.addSeries(
      HistogramSeries,
      { priceFormat: { type: "volume" }, lastValueVisible: false, priceLineVisible: false },
      1,
    );
    this.#chart.panes()[0]?.setStretchFactor(1);
    this.#chart.panes()[1]?.setStretchFactor(VOLUME_PART);
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 0.1, bottom: 0 } });
    this.paint(options.palette);
    this.#chart.subscribeCrosshairMove(this.#moved);
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(this.#ranged);
  }

  /** Draw these bars, and keep room for empty moments after them. The list stays the caller's; it is read again on a repaint. */
  setBars(bars: readonly Candle[], room: readonly number[] = []): void {
    this.#bars = bars;
    this.#candles?.setData(bars.map(candleOf));
    this.#line?.setData(bars.map(pointOf));
    this.#room.setData(room.map((at) => ({ time: timeOf(at) })));
    this.#volume.setData(bars.map((bar) => this.#columnOf(bar)));
  }

  /** The newest bar changed, or a new one began: one call a beat, never a whole redraw of the data. */
  form(bar: Candle): void {
    this.#candles?.update(candleOf(bar));
    this.#line?.update(pointOf(bar));
    this.#volume.update(this.#columnOf(bar));
  }

  /** Bring places `from` to `to` into view; they may lie outside the bars. */
  show(from: number, to: number): void {
    this.#chart.timeScale().setVisibleLogicalRange({ from, to });
  }

  /** The previous close: a dashed line, and what the day's line is coloured against. */
  setReference(units: number | null): void {
    const series = this.#line ?? this.#candles;
    if (this.#reference) series?.removePriceLine(this.#reference);
    this.#reference = null;
    if (units === null || units <= 0 || !this.#line) return;
    const price = drawn(units);
    this.#line.applyOptions({ baseValue: { type: "price", price } });
    this.#reference = this.#line.createPriceLine({
      price,
      color: this.#palette.cursor,
      lineWidth: 1,
      lineStyle: LineStyle.Dashed,
      axisLabelVisible: false,
      title: "",
    });
    // The line keeps the previous close in view even when the whole day lies on one side of it, and a day that has hardly
    // moved is not blown up until its axis counts in parts of a tick.
    const least = price * LEAST_BAND;
    this.#line.applyOptions({
      autoscaleInfoProvider: (original: () => { priceRange: { minValue: number; maxValue: number } | null } | null) => {
        const info = original();
        if (!info?.priceRange) return info;
        const { minValue, maxValue } = info.priceRange;
        return { ...info, priceRange: { minValue: Math.min(minValue, price - least), maxValue: Math.max(maxValue, price + least) } };
      },
    });
  }

  /** Put the cursor on a bar (by keyboard), scrolling to it if it is out of view; null takes the cursor away. */
  point(place: number | null): void {
    const bar = place === null ? undefined : this.#bars[place];
    const series = this.#candles ?? this.#line;
    if (place === null || !bar || !series) {
      this.#chart.clearCrosshairPosition();
      return;
    }
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (range && (place < range.from || place > range.to)) {
      const width = range.to - range.from;
      const from = place < range.from ? place - 1 : place + 1 - width;
      this.show(from, from + width);
    }
    this.#chart.setCrosshairPosition(drawn(bar.close), timeOf(bar.at), series);
  }

  /** Places of the first and last bar in view. */
  visible(): [first: number, last: number] {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    const end = this.#bars.length - 1;
    if (!range) return [0, end];
    return [Math.min(end, Math.max(0, Math.ceil(range.from))), Math.max(0, Math.min(end, Math.floor(range.to)))];
  }

  /** Apply colours: at first, and whenever theme or convention change. */
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
    this.#candles?.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down });
    this.#line?.applyOptions({
      topLineColor: up,
      topFillColor1: upTint,
      topFillColor2: upTint,
      bottomLineColor: down,
      bottomFillColor1: downTint,
      bottomFillColor2: downTint,
    });
    this.#reference?.applyOptions({ color: cursor });
    if (this.#bars.length > 0) this.#volume.setData(this.#bars.map((bar) => this.#columnOf(bar)));
  }

  /** Take the canvas down; the element may be used again. */
  destroy(): void {
    this.#chart.unsubscribeCrosshairMove(this.#moved);
    this.#chart.timeScale().unsubscribeVisibleLogicalRangeChange(this.#ranged);
    this.#chart.remove();
  }

  #columnOf(bar: Candle) {
    const { up, down, flat } = this.#palette;
    const color = bar.close > bar.open ? up : bar.close < bar.open ? down : flat;
    return { time: timeOf(bar.at), value: bar.volume, color: faded(color) };
  }

  readonly #moved = (event: MouseEventParams): void => {
    if (event.time === undefined) {
      this.#options.onCursor(null);
      return;
    }
    const at = momentOf(event.time);
    const place = placeAt(this.#bars, at);
    this.#options.onCursor(this.#bars[place]?.at === at ? place : null);
  };

  readonly #ranged = (range: { from: number; to: number } | null): void => {
    if (range && range.from < NEAR_START && this.#bars.length > 0) this.#options.onNearStart();
  };
}
