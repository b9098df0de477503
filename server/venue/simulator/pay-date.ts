/** When the issuers of the simulated market pay their dividends: some weeks after the ex-date, as most of the exchange's do. */
import { HOUR_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import { tradesOn } from "#server/venue/calendar/trading-calendar.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { unit } from "#server/venue/seeded-random.ts";

const FIRST_DAY = 21;
const LAST_DAY = 35;
/** Paid in the morning, like trades that settle. */
const PAID_AT_MS = 10 * HOUR_MS;
/** Tells this draw from those of the ex-events themselves. */
const PAY_DATE = 0x9a7;

/** The moment of the payment: a trading day three to five weeks after the ex-date. */
export function payTime(key: Key, exDay: number): number {
  let day = exDay + FIRST_DAY + Math.floor((LAST_DAY - FIRST_DAY) * unit(key.draw(PURPOSE.exEvent, PAY_DATE, exDay)));
  while (!tradesOn(day)) day += 1;
  return taipeiMidnight(day) + PAID_AT_MS;
}
