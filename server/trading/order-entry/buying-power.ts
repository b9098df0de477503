/** What an order has to have held: the worst it can cost, from what the market shows now and the highest price it can trade at. */
import { needOf } from "#contract/fee.ts";
import type { Instrument } from "#contract/instrument.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import type { Direction, Pricing } from "#contract/order.ts";
import type { Market } from "#contract/rule.ts";
import { toTick } from "#contract/tick.ts";
import type { MarketMoment } from "./market-check.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { planFor } from "#server/trading/matching-engine/continuous.ts";

/** Where no daily limit bounds a price, a market order is bound to this much of the last one, per cent. */
const UNLIMITED_BOUND_PERCENT = 110;
/** Beyond this an order's sums would not be exact any more; no member has nearly as much. */
const MAX_VALUE_CENTS = 10_000_000_000_000;

/** What of an order decides the worst it can cost. */
export interface OrderDraft {
  direction: Direction;
  pricing: Pricing;
  price: number | null;
  market: Market;
  lots: number;
  /** Shares of one of its lots. */
  lotShares: number;
  /** Waits for its trigger: what the market shows now is not what it will meet. */
  waits: boolean;
  /** Lots on the same side that trade before it does. */
  behind: number;
}

/** The worst: the price it is bound to, and its value when it trades as badly as it can. */
export interface WorstCase {
  priceBound: number;
  valueCents: number;
}

/** What so many shares are worth at a price; infinite where no sum could hold it. */
export function valueAt(at: number, shares: number): number {
  return (at * shares) / 100 > MAX_VALUE_CENTS ? Number.POSITIVE_INFINITY : worth(price(at), shares);
}

/** The highest price an order can trade at. */
function priceBound({ kind }: Instrument, moment: MarketMoment, venture: OrderDraft, planned: number): number {
  if (venture.price !== null && venture.direction === "rise") return venture.price;
  if (moment.limits) return moment.limits.up;
  const highest = Math.max(moment.last, moment.quote.ask, planned, venture.price ?? 0);
  return toTick(kind, Math.ceil((highest * UNLIMITED_BOUND_PERCENT) / 100));
}

/** What the market would give it now, less what trades before it. */
function plannedFor(batch: Batch, instrument: Instrument, memberId: number, venture: OrderDraft): { price: number; lots: number }[] {
  const { market, waits, lots, behind } = venture;
  if (market !== "board" || waits) return [];
  const side = venture.direction === "rise" ? "buy" : "sell";
  const limit = venture.price === null ? null : price(venture.price);
  let ahead = behind;
  return planFor(batch, instrument, { row: instrument.row, side, limit, lots: lots + behind }, memberId).flatMap((part) => {
    const gone = Math.min(ahead, part.lots);
    ahead -= gone;
    return part.lots > gone ? [{ price: part.price, lots: part.lots - gone }] : [];
  });
}

/** The worst an order can cost: what the market shows for a part of it, and for the rest the highest price it can trade at. */
export function worstCase(batch: Batch, instrument: Instrument, moment: MarketMoment, memberId: number, venture: OrderDraft): WorstCase {
  const planned = plannedFor(batch, instrument, memberId, venture);
  const bound = priceBound(instrument, moment, venture, Math.max(0, ...planned.map((part) => part.price)));
  // A limit buy holds its whole value at the limit, whatever the market shows: what it says on the ticket.
  const counted = venture.price !== null && venture.direction === "rise" ? [] : planned;
  const rest = venture.lots - counted.reduce((sum, part) => sum + part.lots, 0);
  const parts = [...counted, { price: bound, lots: rest }];
  return { priceBound: bound, valueCents: parts.reduce((sum, part) => sum + valueAt(part.price, part.lots * venture.lotShares), 0) };
}

/** What an order still has to have held for what rests of it, worth so much at worst: the need of all of it, less what its fills took. */
export function buyingPowerLeft(order: OrderRecord, restCents: number): Cents {
  const need = needOf(order.terms, order.direction, cents(order.open_cents + restCents));
  const own = order.direction === "rise" ? order.open_cents - order.lent_cents : order.pledged_cents - order.open_cents;
  return cents(Math.max(0, need - own - order.open_fee_cents - order.open_tax_cents));
}
