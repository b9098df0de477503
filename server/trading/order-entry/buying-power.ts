/** The amount an order must hold: its worst-case cost, from the displayed book and the highest price it can trade at. */
import { needOf } from "#contract/fee.ts";
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import type { Direction, Pricing } from "#contract/order.ts";
import type { Market } from "#contract/rule.ts";
import { priceBound } from "#contract/price-bound.ts";
import type { MarketMoment } from "./market-check.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { planFor } from "#server/trading/matching-engine/continuous.ts";

/** Above this value sums would no longer be exact. No member has nearly as much. */
const MAX_VALUE_CENTS = 10_000_000_000_000;

/** The fields that decide an order's worst-case cost. */
export interface OrderDraft {
  direction: Direction;
  pricing: Pricing;
  price: number | null;
  market: Market;
  lots: number;
  /** Shares per lot. */
  lotShares: number;
  /** Waits for its trigger, so that the displayed book will have changed when it trades. */
  waits: boolean;
  /** Lots on the same side that trade before it. */
  behind: number;
}

/** The worst case: the price limit of the order and its value at the worst possible fills. */
export interface WorstCase {
  priceBound: number;
  valueCents: number;
}

/** The value of so many shares at a price, as a purchase pays it; infinite beyond exact sums. */
export function valueAt(at: number, shares: number, per = 1): number {
  return (at * shares) / per / 100 > MAX_VALUE_CENTS ? Number.POSITIVE_INFINITY : worth(price(at), shares, per, "up");
}

/** What the displayed book would give it now, less the lots that trade before it. */
function plannedFor(batch: Batch, instrument: Instrument, memberId: number, draft: OrderDraft): { price: number; lots: number }[] {
  const { market, waits, lots, behind } = draft;
  if (market !== "board" || waits) return [];
  const side = draft.direction === "rise" ? "buy" : "sell";
  const limit = draft.price === null ? null : price(draft.price);
  let ahead = behind;
  return planFor(batch, instrument, { row: instrument.row, side, limit, lots: lots + behind }, memberId).flatMap((part) => {
    const gone = Math.min(ahead, part.lots);
    ahead -= gone;
    return part.lots > gone ? [{ price: part.price, lots: part.lots - gone }] : [];
  });
}

/** The worst-case cost of an order: part at the displayed prices, the rest at the highest price it can trade at. */
export function worstCase(batch: Batch, instrument: Instrument, moment: MarketMoment, memberId: number, draft: OrderDraft): WorstCase {
  const planned = plannedFor(batch, instrument, memberId, draft);
  const prices = [moment.last, moment.quote.ask, ...planned.map((part) => part.price)];
  // Some price is always known: the market check refuses an instrument without any.
  const bound = priceBound(instrument.kind, { direction: draft.direction, limit: draft.price }, moment.limits, prices) ?? 0;
  // A limit buy always holds its full value at the limit, as the ticket shows it.
  const counted = draft.price !== null && draft.direction === "rise" ? [] : planned;
  const rest = draft.lots - counted.reduce((sum, part) => sum + part.lots, 0);
  const parts = [...counted, { price: bound, lots: rest }];
  const per = unitsPerWhole(instrument);
  return { priceBound: bound, valueCents: parts.reduce((sum, part) => sum + valueAt(part.price, part.lots * draft.lotShares, per), 0) };
}

/** The amount the unfilled rest of an order must still hold: the need of the whole order less what its fills took. */
export function buyingPowerLeft(order: OrderRecord, restCents: number): Cents {
  const need = needOf(order.terms, order.direction, cents(order.open_cents + restCents));
  const own = order.direction === "rise" ? order.open_cents - order.lent_cents : order.pledged_cents - order.open_cents;
  return cents(Math.max(0, need - own - order.open_fee_cents - order.open_tax_cents));
}
