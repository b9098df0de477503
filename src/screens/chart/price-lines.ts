/** Horizontal lines over the prices: the member's own, and those of orders and positions. */
import { LineStyle } from "lightweight-charts";
import type { IPriceLine, ISeriesApi } from "lightweight-charts";
import type { PriceAxis } from "./axis.ts";
import type { Palette } from "./palette.ts";

/** A line at a price in ten-thousandths. */
export interface PriceLine {
  id: string;
  price: number;
  /** Which colour it has; the accent when not given. */
  tone?: "up" | "down" | "warn" | "text";
  dashed?: boolean;
  /** Without its price on the axis. */
  unlabelled?: boolean;
}

/** The lines of one series. */
export class PriceLines {
  readonly #series: ISeriesApi<"Candlestick"> | ISeriesApi<"Baseline">;
  readonly #axis: PriceAxis;
  readonly #drawn = new Map<string, IPriceLine>();
  #lines: readonly PriceLine[] = [];

  constructor(series: ISeriesApi<"Candlestick"> | ISeriesApi<"Baseline">, axis: PriceAxis) {
    this.#series = series;
    this.#axis = axis;
  }

  /** Draws exactly these lines. */
  set(lines: readonly PriceLine[], palette: Palette): void {
    this.#lines = lines;
    for (const line of this.#drawn.values()) this.#series.removePriceLine(line);
    this.#drawn.clear();
    for (const { id, price, tone, dashed, unlabelled } of lines) {
      const color = tone === undefined ? palette.accent : tone === "warn" ? palette.mark : palette[tone];
      const lineStyle = dashed ? LineStyle.Dashed : LineStyle.Solid;
      const axisLabelVisible = !unlabelled;
      this.#drawn.set(
        id,
        this.#series.createPriceLine({ price: this.#axis.drawn(price), color, lineWidth: 1, lineStyle, axisLabelVisible }),
      );
    }
  }

  /** Moves a line while it is dragged. */
  move(id: string, price: number): void {
    this.#drawn.get(id)?.applyOptions({ price: this.#axis.drawn(price) });
  }

  /** Draws them again: the colours or the axis have changed. */
  paint(palette: Palette): void {
    this.set(this.#lines, palette);
  }
}
