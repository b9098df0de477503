/** Draws the reference levels of the intraday line: the previous close, which sets its colour, and the daily price limits. */
import { LineStyle } from "lightweight-charts";
import type { AutoscaleInfo, IPriceLine, ISeriesApi } from "lightweight-charts";
import type { DayLimits } from "#contract/tick.ts";
import type { PriceAxis } from "./axis.ts";
import type { Palette } from "./palette.ts";
import { dayRange } from "./view.ts";

/** Prices in ten-thousandths; null while unknown, or where there are no limits. */
export interface Day {
  reference: number | null;
  limits: DayLimits | null;
}

/** The reference levels of one line. */
export class DayLevels {
  readonly #line: ISeriesApi<"Baseline">;
  readonly #axis: PriceAxis;
  #day: Day = { reference: null, limits: null };
  #levels: IPriceLine[] = [];

  constructor(line: ISeriesApi<"Baseline">, axis: PriceAxis) {
    this.#line = line;
    this.#axis = axis;
    line.applyOptions({ autoscaleInfoProvider: this.#scale });
  }

  /** Draws the levels of a day. */
  set(day: Day, palette: Palette): void {
    this.#day = day;
    for (const level of this.#levels) this.#line.removePriceLine(level);
    this.#levels = [];
    const { reference, limits } = day;
    if (reference === null) return;
    this.#line.applyOptions({ baseValue: { type: "price", price: this.#axis.drawn(reference) } });
    this.#add(reference, palette.cursor, LineStyle.Dashed);
    if (!limits) return;
    this.#add(limits.up, palette.up, LineStyle.Dotted);
    this.#add(limits.down, palette.down, LineStyle.Dotted);
  }

  /** Applies colours. */
  paint(palette: Palette): void {
    this.set(this.#day, palette);
  }

  #add(price: number, color: string, lineStyle: LineStyle): void {
    this.#levels.push(
      this.#line.createPriceLine({ price: this.#axis.drawn(price), color, lineWidth: 1, lineStyle, axisLabelVisible: false }),
    );
  }

  readonly #scale = (original: () => AutoscaleInfo | null): AutoscaleInfo | null => {
    const info = original();
    const { reference, limits } = this.#day;
    if (!info?.priceRange || reference === null) return info;
    const { minValue, maxValue } = info.priceRange;
    const drawnLimits = limits && { down: this.#axis.drawn(limits.down), up: this.#axis.drawn(limits.up) };
    const { low, high } = dayRange({ low: minValue, high: maxValue }, this.#axis.drawn(reference), drawnLimits);
    return { ...info, priceRange: { minValue: low, maxValue: high } };
  };
}
