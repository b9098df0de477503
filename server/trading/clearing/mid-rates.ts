/** The venue's mid rates: what amounts in other currencies are worth in TWD now. */
import { homeValue, midRate, pairOf } from "#contract/kernel/currency.ts";
import type { Currency, MidRate } from "#contract/kernel/currency.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import type { Venue } from "#server/venue/venue.ts";

/** A currency's mid rate now; null where the venue has no price for it. */
export function midRateOf(venue: Venue, currency: Currency): MidRate | null {
  const pair = pairOf(currency);
  const instrument = pair === null ? undefined : venue.instrument(pair);
  return midRate(currency, instrument ? venue.quote(instrument.row) : null);
}

/** The value of an amount in TWD cents at the mid rate of now; 0 where the venue has no price. */
export function valueInHome(venue: Venue, currency: Currency, amount: number): Cents {
  const rate = midRateOf(venue, currency);
  return rate ? homeValue(amount, rate) : cents(0);
}
