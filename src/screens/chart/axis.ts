/** Conversions between the chart's own times and prices and the axes of Lightweight Charts. */
import { TickMarkType } from "lightweight-charts";
import type { Time, UTCTimestamp } from "lightweight-charts";
import { formatPercent, PRICE_ONE } from "#contract/kernel/money.ts";
import { formatDate, formatTime, TAIPEI_OFFSET_MS } from "#contract/kernel/time.ts";
import { percentOf } from "./percent.ts";
import { valueText } from "./study.ts";
import type { StudyUnit } from "./study.ts";

/** The library draws times as UTC, so Taipei time is passed to it as if it were UTC. Both sides are epochs: milliseconds here, seconds there. */
export const timeOf = (at: number): UTCTimestamp => Math.round((at + TAIPEI_OFFSET_MS) / 1000) as UTCTimestamp;
export const momentOf = (time: Time): number => Number(time) * 1000 - TAIPEI_OFFSET_MS;

/**
 * The price axis of one chart: in currency or, while comparing, in percent since a base price, the same for everything drawn over the
 * prices. Units are ten-thousandths; what the library draws is a coordinate, not money.
 */
export class PriceAxis {
  #base: number | null = null;

  /** The base price in ten-thousandths; null for an axis in currency. */
  get base(): number | null {
    return this.#base;
  }

  /** Sets the base. Returns whether it changed, so that everything must be drawn again. */
  setBase(base: number | null): boolean {
    const changed = base !== this.#base;
    this.#base = base;
    return changed;
  }

  /** A price as drawn. */
  drawn(units: number): number {
    return this.#base === null ? units / PRICE_ONE : percentOf(units, this.#base);
  }

  /** The price, in whole ten-thousandths, that is drawn as a value. */
  unitsOf(value: number): number {
    return Math.round(this.#base === null ? value * PRICE_ONE : this.#base * (1 + value / 100));
  }

  /** The format of its labels. */
  format(decimals: number, lots: (count: number) => string) {
    const prices = formatOf("price", decimals, lots);
    const formatter = (value: number): string => (this.#base === null ? prices.formatter(value) : formatPercent(Math.round(value * 100)));
    return { ...prices, formatter };
  }
}

/** A study's value as drawn; prices and price differences are drawn in currency. */
const scaleOf = (unit: StudyUnit): number => (unit === "price" || unit === "change" ? PRICE_ONE : 1);
export const drawnAs = (unit: StudyUnit, value: number): number => value / scaleOf(unit);

/** The price format of an axis in the given unit; `lots` formats a number of lots. */
export function formatOf(unit: StudyUnit, decimals: number, lots: (count: number) => string) {
  const scale = scaleOf(unit);
  const formatter = (value: number): string => valueText(value * scale, unit, decimals, lots);
  return { type: "custom", minMove: unit === "lots" ? 1 : 10 ** -decimals, formatter } as const;
}

/** The label of a tick on the time axis, in Taipei time. */
export function tickText(time: Time, kind: TickMarkType): string {
  const at = momentOf(time);
  const [year = "", month = "", day = ""] = formatDate(at).split(".");
  if (kind === TickMarkType.Year) return year;
  if (kind === TickMarkType.Month) return `${year}.${month}`;
  if (kind === TickMarkType.DayOfMonth) return `${month}.${day}`;
  return formatTime(at).slice(0, 5);
}
