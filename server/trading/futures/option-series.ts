/** The option series of a venue's index: expiries, strikes, time that is left, and prices, all from what futures are priced by. */
import { price } from "#contract/kernel/money.ts";
import { epochMs, HOUR_MS } from "#contract/kernel/time.ts";
import { seriesCode } from "#contract/option-code.ts";
import type { Series } from "#contract/option-code.ts";
import { WIDE_SPREAD, pricedLevel } from "#contract/futures-price.ts";
import { forwardOf, optionQuote, USUAL_SMILE, volatilityOf } from "#contract/option-price.ts";
import type { OptionInput, OptionQuote, OptionRight, OptionSpread } from "#contract/option-price.ts";
import type { OptionExpiry, OptionSeries } from "#contract/option.ts";
import { daysLeft, deliveries, indexLevels, lastTradeAt, levelNow, quoteNow } from "./contracts.ts";
import type { Delivery } from "./contracts.ts";
import { tradesOn } from "#server/venue/calendar/trading-calendar.ts";
import type { OptionOutlook, Venue } from "#server/venue/venue.ts";

/** The months of futures that have options: three in a row and two quarterly ones. */
const EXPIRIES = 5;
/** Strikes on each side of the one at the close. */
const STRIKES_BESIDE = 15;
/** Points between strikes, by how near the expiry is; half of it for a low index. */
const STEPS = [100, 100, 200, 200, 200];
const LOW_INDEX = 10_000;
/** The part of a trading day's variance that the night before it has. */
export const NIGHT_PART = 0.4;

/** The part of a position or a delivery that says when it expires. */
export type Expiry = Pick<Delivery, "expiryDay" | "opensAt" | "closesAt">;

/** The months with options, the nearest first. */
export const optionDeliveries = (venue: Venue, at: number): readonly Delivery[] => deliveries(venue, at).slice(0, EXPIRIES);

/** Trading days after one fee day up to another; where every day is one, or a trading day lasts minutes, all of them. */
function tradingDays(from: number, until: number, sessionMs: number): number {
  if (sessionMs < HOUR_MS || sessionMs > 12 * HOUR_MS) return Math.max(0, until - from);
  let count = 0;
  for (let day = from + 1; day <= until; day += 1) if (tradesOn(day)) count += 1;
  return count;
}

/** What the average of the final settlement price takes away of the last day: of its time two thirds of the variance. */
function averagedPart(expiry: Expiry): number {
  return ((1 - NIGHT_PART) * (2 / 3) * (expiry.closesAt - lastTradeAt(expiry))) / (expiry.closesAt - expiry.opensAt);
}

/** Trading days from the close before a fee day until expiry. */
const daysFrom = (day: number, expiry: Expiry): number =>
  Math.max(0, tradingDays(day - 1, expiry.expiryDay, expiry.closesAt - expiry.opensAt) - averagedPart(expiry));

/** Trading days from now until expiry: the rest of this one by the clock, and those after it. */
function daysUntil(venue: Venue, expiry: Expiry, at: number): number {
  const today = venue.feeDay(at);
  const { opensAt, closesAt } = venue.state(at);
  const part = closesAt > opensAt ? Math.min(1, Math.max(0, (closesAt - at) / (closesAt - opensAt))) : 0;
  const rest = at < opensAt ? 1 : (1 - NIGHT_PART) * part;
  const days = rest + tradingDays(today, expiry.expiryDay, expiry.closesAt - expiry.opensAt) - averagedPart(expiry);
  return Math.max(0, days);
}

const outlookExpiry = (expiry: Expiry) => ({ opensAt: expiry.opensAt, averagedFrom: lastTradeAt(expiry) });

/** The days until an expiry and the volatility until then: as the market expects it, or the usual one where it does not tell. */
function outlookNow(venue: Venue, expiry: Expiry, row: number, at: number): OptionOutlook {
  const expected = venue.indexOutlook?.now(row, at, outlookExpiry(expiry));
  return expected ?? { days: daysUntil(venue, expiry, at), smile: USUAL_SMILE };
}

type ExpiryPricing = Pick<OptionInput, "forward" | "days" | "smile"> & OptionSpread;

/** What every series of an expiry is priced by now; null where the index is not known. */
function pricingNow(venue: Venue, expiry: Expiry, at: number): ExpiryPricing | null {
  const level = levelNow(venue, expiry.expiryDay, at);
  const index = indexLevels(venue);
  if (!level || !index) return null;
  const { units, half, halfVolatility } = level;
  const forward = forwardOf(units, daysLeft(venue, expiry.expiryDay, at));
  return { forward, ...outlookNow(venue, expiry, index.row, at), half, halfVolatility };
}

/** What a series is quoted at by prices of the moment; null where there are none. */
const quoteBy = (now: ExpiryPricing | null, series: Series): OptionQuote | null => now && optionQuote({ ...series, ...now }, now);

/**
 * The prices of an expiry's series at a moment. The expiry is looked at once, and each series priced once, so all of them are of one state of
 * the market.
 */
export class ExpiryPrices {
  readonly #venue: Venue;
  readonly #expiry: Expiry;
  readonly #at: number;
  readonly #now: ExpiryPricing | null;
  readonly #known = { call: new Map<number, OptionQuote>(), put: new Map<number, OptionQuote>() };
  #trades: boolean | null = null;

  constructor(venue: Venue, expiry: Expiry, at: number) {
    this.#venue = venue;
    this.#expiry = expiry;
    this.#at = at;
    this.#now = pricingNow(venue, expiry, at);
  }

  #priced(right: OptionRight, strike: number): OptionQuote | null {
    const known = this.#known[right].get(strike);
    if (known) return known;
    const quote = quoteBy(this.#now, { right, strike });
    if (quote) this.#known[right].set(strike, quote);
    return quote;
  }

  /** The price by which a position is valued, in tenths of a point; null where the index is not known. */
  mark(right: OptionRight, strike: number): number | null {
    return this.#priced(right, strike)?.mark ?? null;
  }

  /** What a series trades at; null where the future of its month has no quote, or after the last trade. */
  quote(right: OptionRight, strike: number): OptionQuote | null {
    this.#trades ??= this.#at < lastTradeAt(this.#expiry) && quoteNow(this.#venue, this.#expiry, this.#at) !== null;
    return this.#trades ? this.#priced(right, strike) : null;
  }
}

/** The price at the close of the index on the day before a fee day: the same whenever it is asked for. */
export function markedBefore(venue: Venue, close: number, expiry: Expiry, series: Series, day: number): number {
  const forward = forwardOf(close, Math.max(0, expiry.expiryDay - day + 1));
  const row = indexLevels(venue)?.row;
  const expected = row === undefined ? null : venue.indexOutlook?.before(row, day, outlookExpiry(expiry));
  const outlook = expected ?? { days: daysFrom(day, expiry), smile: USUAL_SMILE };
  return optionQuote({ ...series, forward, ...outlook }, pricedLevel(close, WIDE_SPREAD)).mark;
}

/** What a series trades at now; null where the future of its month has no quote, or after the last trade. */
export function optionQuoteNow(venue: Venue, expiry: Expiry, series: Series, at: number): OptionQuote | null {
  if (at >= lastTradeAt(expiry) || !quoteNow(venue, expiry, at)) return null;
  return quoteBy(pricingNow(venue, expiry, at), series);
}

/** The strikes of a month that are listed today, in points, around the level that the day began at. */
export function strikesOf(venue: Venue, at: number, month: string): number[] {
  const index = indexLevels(venue);
  const order = optionDeliveries(venue, at).findIndex((one) => one.month === month);
  const wide = STEPS[order];
  if (!index || wide === undefined) return [];
  const level = index.close / 10_000 - index.dividend;
  const step = level < LOW_INDEX ? wide / 2 : wide;
  const middle = Math.round(level / step) * step;
  return Array.from({ length: 2 * STRIKES_BESIDE + 1 }, (_, nth) => middle + (nth - STRIKES_BESIDE) * step).filter((strike) => strike > 0);
}

export function expiriesNow(venue: Venue, at: number): OptionExpiry[] {
  return optionDeliveries(venue, at).map((one): OptionExpiry => {
    const now = pricingNow(venue, one, at);
    const spread = { half: price(now?.half ?? 0), halfVolatility: now?.halfVolatility ?? 0 };
    const { days, smile } = now ?? { days: daysUntil(venue, one, at), smile: USUAL_SMILE };
    const forward = now && price(Math.round(now.forward * 10_000));
    return { month: one.month, forward, ...spread, followsIndex: !venue.fairIndex, days, smile, lastTradeAt: epochMs(lastTradeAt(one)) };
  });
}

/** The chain of a month: every listed strike with its call and its put. */
export function chainNow(venue: Venue, at: number, delivery: Delivery) {
  const now = pricingNow(venue, delivery, at);
  if (!now) return [];
  const quoted = at < lastTradeAt(delivery) && quoteNow(venue, delivery, at) !== null;
  const listed = (right: OptionRight, strike: number): OptionSeries => {
    const { bid, ask, mark } = optionQuote({ right, strike, ...now }, now);
    return { code: seriesCode(delivery.month, { right, strike }), bid: quoted ? bid : null, ask: quoted ? ask : null, mark };
  };
  return strikesOf(venue, at, delivery.month).map((strike) => {
    const volatility = volatilityOf({ right: "call", strike, ...now });
    return { strike, volatility, call: listed("call", strike), put: listed("put", strike) };
  });
}
