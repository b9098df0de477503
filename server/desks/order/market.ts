/** What the market refuses before any money is asked about: closed, silent, out of limits, off the tick. */
import type { Instrument } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import type { Quote } from "#contract/quote.ts";
import { dayLimits, onTick, tickSize } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";
import { Refusal } from "#server/desks/desk.ts";
import type { Venue } from "#server/venue/port.ts";

/** The market at the moment of an order. */
export interface Moment {
  quote: Quote;
  /** The day's limits; null where the market sets none. */
  limits: DayLimits | null;
  /** The last price, or the reference before the first trade. */
  last: number;
}

/**
 * Ask the market's refusals in the catalogue's order.
 * @throws Refusal TRD_NON_TRADING_HOURS, TRD_STOCK_PRICE_UNAVAILABLE, TRD_PRICE_STALE, TRD_PRICE_LIMIT_EXCEEDED, TRD_PRICE_OFF_TICK
 */
export function askMarket(venue: Venue, now: number, instrument: Instrument, limit: number | null): Moment {
  if (venue.phase(now) !== "open") throw new Refusal("TRD_NON_TRADING_HOURS");
  const quote = venue.quote(instrument.row);
  const last = quote.last > 0 ? quote.last : quote.reference;
  if (last <= 0) throw new Refusal("TRD_STOCK_PRICE_UNAVAILABLE");
  if (!venue.fresh(now, instrument.row)) throw new Refusal("TRD_PRICE_STALE");
  const limits = dayLimits(instrument.kind, quote.reference);
  if (limit !== null) {
    if (limits && (limit > limits.up || limit < limits.down)) throw new Refusal("TRD_PRICE_LIMIT_EXCEEDED", {}, "price");
    if (!onTick(instrument.kind, limit)) {
      throw new Refusal("TRD_PRICE_OFF_TICK", { n: String(tickSize(instrument.kind, limit) / PRICE_ONE) }, "price");
    }
  }
  return { quote, limits, last };
}
