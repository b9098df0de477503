/** The market's refusals, checked before any money: closed, stale, in a call auction, beyond the limits, off the tick. */
import { hasEnded } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { limitRefusal } from "#contract/limit-price.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import type { Pricing, Validity } from "#contract/order.ts";
import type { Quote } from "#contract/quote.ts";
import type { Market } from "#contract/rule.ts";
import { onTick, tickSize } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { isByCalls } from "#server/venue/venue.ts";
import type { Venue } from "#server/venue/venue.ts";

/** The market state that an order is checked against. */
export interface MarketMoment {
  quote: Quote;
  /** The day's limits; null without them. */
  limits: DayLimits | null;
  /** The last price, or the reference price before the first trade. */
  last: number;
}

/** How an order is to trade. */
export interface OrderIntent {
  market: Market;
  pricing: Pricing;
  price: number | null;
  validity: Validity;
  /** Waits for its trigger, so that the rules of a call do not apply yet, unless all day is traded by calls. */
  waits?: boolean;
  /** When it goes to the market; absent or null for now. */
  reservedFor?: number | null;
}

const CALL_PHASES: ReadonlySet<string> = new Set(["preOpen", "closingAuction"]);

/** Tells whether a market accepts orders now: the board from pre-open to close, odd lots from the open, fixed price after hours. */
function takesOrders(venue: Venue, now: number, market: Market, row: number): boolean {
  const late = market === "fixed" ? null : venue.lateClose(row, now);
  if (late) return now >= late.takesFrom;
  const phase = venue.phase(now);
  if (market === "fixed") return phase === "fixedPrice";
  if (market === "odd" && (phase === "oddLot" || phase === "fixedPrice")) return true;
  return phase === "open" || phase === "closingAuction" || (market === "board" && phase === "preOpen");
}

/** A call auction accepts limit orders that are good for the day, and nothing else. */
function checkCallAuction(venue: Venue, now: number, { row }: Instrument, { market, pricing, validity, waits }: OrderIntent): void {
  const plain = pricing === "limit" && validity === "rod";
  if (market === "odd" && !plain) throw new Refusal("TRD_ODD_LIMIT_ONLY", {}, "pricing");
  if (market === "fixed" && validity !== "rod") throw new Refusal("TRD_AUCTION_LIMIT_ONLY", {}, "validity");
  const byCalls = isByCalls(venue, row, now);
  if (market !== "board" || plain || (waits && !byCalls) || venue.matching(row, now) === "continuous") return;
  const called = CALL_PHASES.has(venue.phase(now)) || byCalls || venue.lateClose(row, now) !== null;
  throw new Refusal(called ? "TRD_AUCTION_LIMIT_ONLY" : "TRD_INSTRUMENT_HALTED", {}, pricing === "limit" ? "validity" : "pricing");
}

/** Refuses an invalid price. */
export function checkPrice({ kind }: Instrument, limits: DayLimits | null, price: number, field: string): void {
  const outside = limitRefusal(kind, limits, price);
  if (outside) throw new Refusal(outside.code, outside.params, field);
  if (!onTick(kind, price)) throw new Refusal("TRD_PRICE_OFF_TICK", { n: String(tickSize(kind, price) / PRICE_ONE) }, field);
}

/**
 * Checks the market's refusals in the order of the catalogue.
 * @throws Refusal TRD_NON_TRADING_HOURS, TRD_STOCK_PRICE_UNAVAILABLE or TRD_CRYPTO_PRICE_UNAVAILABLE, TRD_PRICE_STALE,
 * TRD_INSTRUMENT_HALTED, TRD_AUCTION_LIMIT_ONLY, TRD_ODD_LIMIT_ONLY, TRD_PRICE_LIMIT_EXCEEDED, VAL_LIMIT_PRICE_MIN, TRD_PRICE_OFF_TICK
 */
export function checkMarket(venue: Venue, now: number, instrument: Instrument, intent: OrderIntent): MarketMoment {
  if (!takesOrders(venue, now, intent.market, instrument.row)) throw new Refusal("TRD_NON_TRADING_HOURS");
  // Fixed-price trading uses the day's official close; an instrument without trades has none.
  const quote = intent.market === "fixed" ? venue.publicQuote(instrument.row) : venue.quote(instrument.row);
  const last = quote.last > 0 ? quote.last : quote.reference;
  const isCoin = instrument.kind === "crypto";
  if ((intent.market === "fixed" ? quote.last : last) <= 0 || hasEnded(instrument, now)) {
    throw new Refusal(isCoin ? "TRD_CRYPTO_PRICE_UNAVAILABLE" : "TRD_STOCK_PRICE_UNAVAILABLE");
  }
  // Without limits an old price of digital currency says nothing about the present one.
  if (!venue.fresh(now, instrument.row)) throw new Refusal(isCoin ? "TRD_CRYPTO_PRICE_UNAVAILABLE" : "TRD_PRICE_STALE");
  checkCallAuction(venue, now, instrument, intent);
  const limits = intent.market === "fixed" ? { up: last, down: last } : venue.limits(instrument.row, now);
  if (intent.price !== null) checkPrice(instrument, limits as DayLimits | null, intent.price, "price");
  return { quote, limits: limits as DayLimits | null, last };
}
