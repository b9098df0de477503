/** Orders reserved while the market is closed: when they go to the market, and what the next session will accept of them. */
import { hasEnded, reservesFor } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { limitRefusal } from "#contract/limit-price.ts";
import { onTick, tickSize, toTick } from "#contract/tick.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { MarketMoment, OrderIntent } from "./market-check.ts";

/** When an order goes to the market that may be reserved; null for one that goes there at once, as all do while the market is open. */
export function reservedFor(venue: Venue, at: number, { reserve }: { reserve?: boolean | undefined }): EpochMs | null {
  return reserve ? reservesFor(venue.state(at)) : null;
}

/**
 * Checks an order that is reserved: the opening call accepts limit orders for the day on the board. The limits of its day are not known
 * yet, but no day's reach below half of the last price or above its double: orders there would only keep the others waiting at the open.
 * @throws Refusal TRD_NON_TRADING_HOURS, TRD_STOCK_PRICE_UNAVAILABLE, TRD_AUCTION_LIMIT_ONLY, TRD_PRICE_OFF_TICK, VAL_LIMIT_PRICE_MIN,
 * TRD_PRICE_LIMIT_EXCEEDED
 */
export function checkReservation(venue: Venue, opensAt: number, instrument: Instrument, intent: OrderIntent): MarketMoment {
  const { market, pricing, validity, price, waits } = intent;
  if (market !== "board") throw new Refusal("TRD_NON_TRADING_HOURS", {}, "market");
  const quote = venue.quote(instrument.row);
  const last = quote.last > 0 ? quote.last : quote.reference;
  if (last <= 0 || hasEnded(instrument, opensAt)) throw new Refusal("TRD_STOCK_PRICE_UNAVAILABLE");
  if (pricing !== "limit") throw new Refusal("TRD_AUCTION_LIMIT_ONLY", {}, "pricing");
  if (validity !== "rod" || waits) throw new Refusal("TRD_AUCTION_LIMIT_ONLY", {}, "validity");
  if (price !== null && !onTick(instrument.kind, price))
    throw new Refusal("TRD_PRICE_OFF_TICK", { n: String(tickSize(instrument.kind, price) / PRICE_ONE) }, "price");
  const widest = { down: toTick(instrument.kind, last / 2), up: toTick(instrument.kind, last * 2) };
  const beyond = price === null ? null : limitRefusal(instrument.kind, widest, price);
  if (beyond) throw new Refusal(beyond.code, beyond.params, "price");
  return { quote, limits: null, last };
}
