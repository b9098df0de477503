/** Conversions between the chart's own times and prices and the axes of Lightweight Charts. */
import { TickMarkType } from "lightweight-charts";
import type { Time, UTCTimestamp } from "lightweight-charts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { formatDate, formatTime, TAIPEI_OFFSET_MS } from "#contract/kernel/time.ts";
import { valueText } from "./study.ts";
import type { StudyUnit } from "./study.ts";

/** The library draws times as UTC, so Taipei time is passed to it as if it were UTC. Both sides are epochs: milliseconds here, seconds there. */
export const timeOf = (at: number): UTCTimestamp => Math.round((at + TAIPEI_OFFSET_MS) / 1000) as UTCTimestamp;
export const momentOf = (time: Time): number => Number(time) * 1000 - TAIPEI_OFFSET_MS;

/** Price units (ten-thousandths) to currency, for drawing only: the result is a coordinate, not money. */
export const drawn = (units: number): number => units / PRICE_ONE;
export const unitsOf = (value: number): number => Math.round(value * PRICE_ONE);

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
