/** What a savings plan can buy now: the shares and orders that its amount pays for, fees included. */
import { randomUUID } from "node:crypto";
import type { Body } from "#contract/endpoints.ts";
import { needOf } from "#contract/fee.ts";
import { hasEnded, isListed } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { RequestId } from "#contract/kernel/id.ts";
import type { Code } from "#contract/kernel/id.ts";
import { price, worth } from "#contract/kernel/money.ts";
import { termsOf } from "#contract/rule.ts";
import type { Market, TradeRule } from "#contract/rule.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { cashPurchase } from "#server/trading/order-entry/cash-purchase.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Venue } from "#server/venue/venue.ts";

type Ticket = Body<"placeOrder">;

/** Whether plans can be for an instrument: stocks and funds that trade in lots and in single shares. */
const isSavable = ({ kind, tradable, lotShares }: Instrument): boolean => tradable && lotShares > 1 && (kind === "stock" || kind === "etf");

/** The instrument of a plan; null for none that could be bought. */
export function savableOf(venue: Venue, code: string): Instrument | null {
  const instrument = venue.instrument(code);
  return instrument && isSavable(instrument) ? instrument : null;
}

/** @throws Refusal TRD_NOT_TRADABLE, TRD_NOT_LISTED */
export function checkSavable({ venue, at }: Batch, code: string): Instrument {
  const instrument = savableOf(venue, code);
  if (!instrument || hasEnded(instrument, at)) throw new Refusal("TRD_NOT_TRADABLE", {}, "code");
  if (!isListed(instrument, at)) throw new Refusal("TRD_NOT_LISTED", {}, "code");
  return instrument;
}

/** Whole lots on the board, and the rest in the odd-lot market. */
export interface Sizes {
  lots: number;
  odd: number;
}

const sizesOf = (shares: number, { lotShares }: Instrument, { maxLots }: TradeRule): Sizes => {
  const lots = Math.min(maxLots, Math.floor(shares / lotShares));
  return { lots, odd: lots === maxLots ? 0 : shares - lots * lotShares };
};

/** What the orders of some shares cost at most, each with a fee of its own. */
export function costOf(rule: TradeRule, instrument: Instrument, limit: number, sizes: Sizes): number {
  const partCents = (market: Market, shares: number): number =>
    shares === 0
      ? 0
      : needOf(termsOf(rule, instrument, { market, funding: "cash", leverage: 1, dayTrade: false }), "rise", worth(price(limit), shares));
  return partCents("board", sizes.lots * instrument.lotShares) + partCents("odd", sizes.odd);
}

/** The most shares that an amount pays for at the limit price. */
export function affordable(rule: TradeRule, instrument: Instrument, limit: number, amountCents: number): Sizes {
  const one = Math.max(1, worth(price(limit), 1));
  let shares = Math.floor(amountCents / one);
  for (;;) {
    const sizes = sizesOf(shares, instrument, rule);
    const over = costOf(rule, instrument, limit, sizes) - amountCents;
    if (over <= 0) return sizes;
    shares -= Math.min(shares, Math.max(1, Math.floor(over / one)));
  }
}

/** The orders of a purchase. */
export function ticketsOf(code: Code, limit: number, { lots, odd }: Sizes): Ticket[] {
  const ticket = (market: Market, units: number): Ticket[] =>
    units === 0
      ? []
      : [
          cashPurchase({
            requestId: RequestId.parse(randomUUID()),
            code,
            pricing: "limit",
            price: price(limit),
            lots: units,
            market,
            validity: "rod",
          }),
        ];
  return [...ticket("board", lots), ...ticket("odd", odd)];
}
