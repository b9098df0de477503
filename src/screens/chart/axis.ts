/** How the drawing library's axes and the chart's own numbers meet: moments, prices and their words. */
import { TickMarkType } from "lightweight-charts";
import type { Time, UTCTimestamp } from "lightweight-charts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { formatDate, formatTime, TAIPEI_OFFSET_MS } from "#contract/kernel/time.ts";
import { valueText } from "./study.ts";
import type { StudyUnit } from "./study.ts";

/** The library draws moments as UTC, so Taipei's clock is handed to it as if it were. */
export const timeOf = (at: number): UTCTimestamp => Math.round((at + TAIPEI_OFFSET_MS) / 1000) as UTCTimestamp;
export const momentOf = (time: Time): number => Number(time) * 1000 - TAIPEI_OFFSET_MS;

/** Price units in currency, for drawing only: pixels, not money. */
export const drawn = (units: number): number => units / PRICE_ONE;
export const unitsOf = (value: number): number => Math.round(value * PRICE_ONE);

/** A value of a study as it is drawn, and back; prices and their differences are drawn in currency. */
const scaleOf = (unit: StudyUnit): number => (unit === "price" || unit === "change" ? PRICE_ONE : 1);
export const drawnAs = (unit: StudyUnit, value: number): number => value / scaleOf(unit);

/** How the axis writes values of a unit. */
export function formatOf(unit: StudyUnit, decimals: number, lots: (count: number) => string) {
  const scale = scaleOf(unit);
  const formatter = (value: number): string => valueText(value * scale, unit, decimals, lots);
  return { type: "custom", minMove: unit === "lots" ? 1 : 10 ** -decimals, formatter } as const;
}

/** The words under a tick of the time axis. */
export function tickText(time: Time, kind: TickMarkType): string {
  const at = momentOf(time);
  const [year = "", month = "", day = ""] = formatDate(at).split(".");
  if (kind === TickMarkType.Year) return year;
  if (kind === TickMarkType.Month) return `${year}.${month}`;
  if (kind === TickMarkType.DayOfMonth) return `${month}.${day}`;
  return formatTime(at).slice(0, 5);
}
