/** Parses numbers as the services write them, digit by digit into integers: no price ever passes through float arithmetic. */
import { parsePrice } from "#contract/kernel/money.ts";
import { DAY_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import { EPOCH_DAY } from "#server/venue/calendar/trading-calendar.ts";

/** The text of a value; a JSON number is converted back to its digits, which is exact for up to fifteen. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "number" ? String(value) : "";
}

/** A price in price units; null for "-", for nothing, and for anything but a price of at most four decimals. */
export function priceIn(value: unknown): number | null {
  return parsePrice(textOf(value));
}

/** A count, possibly with thousands separators; null for "-", for nothing, and for anything else. */
export function countIn(value: unknown): number | null {
  const digits = textOf(value).replaceAll(",", "");
  const count = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
  return Number.isSafeInteger(count) ? count : null;
}

/** A signed change in price units; null for anything else. */
export function changeIn(value: unknown): number | null {
  const text = textOf(value);
  const size = priceIn(text.replace(/^[+-]\s*/, ""));
  return size === null ? null : text.startsWith("-") ? -size : size;
}

/**
 * A Taipei calendar day as `YYYYMMDD` or in the Minguo calendar as `YYYMMDD`, with or without separators, as `taipeiDay` counts;
 * null for none.
 */
export function dayIn(value: unknown): number | null {
  const match = /^(\d{3,4})[-/.]?(\d{2})[-/.]?(\d{2})$/.exec(textOf(value));
  if (!match) return null;
  const [, year = "", month = "", day = ""] = match;
  const at = Date.UTC(Number(year) + (year.length === 3 ? 1911 : 0), Number(month) - 1, Number(day));
  return Number.isNaN(at) ? null : at / DAY_MS;
}

const FIRST_MOMENT = taipeiMidnight(EPOCH_DAY + 7);
const LAST_MOMENT = Date.UTC(2100, 0);

/** Whether a time can belong to this market: it must be within the calendar's range. */
export function isPlausibleTime(at: number): boolean {
  return at >= FIRST_MOMENT && at < LAST_MOMENT;
}
