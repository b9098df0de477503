/** Numbers as the services write them, read digit by digit into integers: no price ever passes through arithmetic of floats. */
import { parsePrice } from "#contract/kernel/money.ts";
import { DAY_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import { EPOCH_DAY } from "#server/venue/calendar/trading-calendar.ts";

/** Text of a value; a JSON number is written back in the digits it came in, which is exact up to fifteen of them. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" ? String(value) : "";
}

/** A price in price units; null for "-", for nothing, and for whatever is no price of at most four decimals. */
export function priceIn(value: unknown): number | null {
  return parsePrice(textOf(value));
}

/** A count that may have thousands separators; null for "-", for nothing, and for whatever is none. */
export function countIn(value: unknown): number | null {
  const digits = textOf(value).replaceAll(",", "");
  const count = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
  return Number.isSafeInteger(count) ? count : null;
}

/** A change with its sign, in price units; null for whatever is none. */
export function changeIn(value: unknown): number | null {
  const text = textOf(value);
  const size = priceIn(text.replace(/^[+-]\s*/, ""));
  return size === null ? null : text.startsWith("-") ? -size : size;
}

/** Taipei's calendar day in `YYYYMMDD` or the Republic's `YYYMMDD`, with or without separators, as `taipeiDay` counts; null for none. */
export function dayIn(value: unknown): number | null {
  const match = /^(\d{3,4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(textOf(value));
  if (!match) return null;
  const [, year = "", month = "", day = ""] = match;
  const at = Date.UTC(Number(year) + (year.length === 3 ? 1911 : 0), Number(month) - 1, Number(day));
  return Number.isNaN(at) ? null : at / DAY_MS;
}

const FIRST_MOMENT = taipeiMidnight(EPOCH_DAY + 7);
const LAST_MOMENT = Date.UTC(2100, 0);

/** Whether a time can be one of this market at all: the calendar knows no others. */
export function plausible(at: number): boolean {
  return at >= FIRST_MOMENT && at < LAST_MOMENT;
}
