/** Placing an order: eligibility, market checks, the money to hold, and the immediate match. */
import { entryReached } from "#contract/condition.ts";
import type { Body } from "#contract/endpoints.ts";
import { needOf } from "#contract/fee.ts";
import { hasEnded, isListed, unitsPerWhole } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Direction, EntryTrigger, OrderOrigin } from "#contract/order.ts";
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { PRICE_ONE, cents } from "#contract/kernel/money.ts";
import { formatDate, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { multiplesOf, termsOf } from "#contract/rule.ts";
import type { Terms, TradeRule } from "#contract/rule.ts";
import { isUnlimited, onTick, tickSize } from "#contract/tick.ts";
import { checkExits, setExits, basisPriceOf } from "#server/trading/exit-orders/exits.ts";
import { mayBegin } from "./day-trade-cutoff.ts";
import { coverWindowAt } from "./cover-windows.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { checkBlockLock } from "#server/trading/clearing/blocks-in-batch.ts";
import { checkNotLending } from "#server/trading/clearing/lendings-in-batch.ts";
import { checkRisk } from "./risk-check.ts";
import { valueAt, worstCase } from "./buying-power.ts";
import { checkOwnFunds, isCollateral } from "./own-funds.ts";
import { checkMarket } from "./market-check.ts";
import { checkReservation, reservedFor } from "./reservation.ts";
import { holdMoney, proceedsFor } from "#server/trading/clearing/settlements-in-batch.ts";
import { reserveVoucher } from "#server/trading/clearing/voucher.ts";
import { UNTOUCHED } from "#server/trading/sequencer/order-record.ts";
import { isMinorIn } from "#server/trading/sequencer/of-age.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { CounterpartyQuery } from "#server/trading/sequencer/order-book.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { matchContinuously } from "#server/trading/matching-engine/continuous.ts";

type Ticket = Body<"placeOrder">;

/** A placement that passed all checks. */
export interface Placement {
  body: Ticket;
  instrument: Instrument;
  terms: Terms;
  /** The highest price it can trade at. */
  priceBound: number;
  need: Cents;
}

/** What the same command trades first: lots on this side, and the money they bring. */
export interface PriorTrade {
  lots: number;
  freedCents: number;
  /** Of an order that was placed before: its terms. */
  terms?: Terms;
}

const NOTHING: PriorTrade = { lots: 0, freedCents: 0 };

/** Shares per lot of an order. */
const sharesOf = ({ market }: Pick<Ticket, "market">, { lotShares }: Instrument): number => (market === "odd" ? 1 : lotShares);

/** The value of an order as the member sees it: at its limit, or at the latest price. */
function orderValueCents(batch: Batch, instrument: Instrument, { price: limit, lots, market }: Ticket): number {
  const { last, reference } = batch.venue.quote(instrument.row);
  return valueAt(limit ?? (last > 0 ? last : reference), lots * sharesOf({ market }, instrument), unitsPerWhole(instrument));
}

/**
 * Tells whether an instrument must be paid in full: when it is under disposition, and on a day without price limits, when two members
 * could agree on a price that leaves the broker with a loss on a loan or a short.
 */
function requiresFullPayment({ at, venue }: Batch, instrument: Instrument): boolean {
  if (instrument.watch === "disposition" || isUnlimited(instrument, at)) return true;
  // A live feed may report a day without limits. Without any price the order is refused for that reason.
  const { last, reference } = venue.quote(instrument.row);
  return (last > 0 || reference > 0) && venue.limits(instrument.row, at) === null;
}

/**
 * A stock that closed at its lower limit may not be sold short below that close on the next day.
 * @throws Refusal TRD_SHORT_AT_LIMIT_DOWN
 */
export function checkShort({ venue }: Batch, { row }: Instrument, price: number | null): void {
  const { reference } = venue.quote(row);
  if (!venue.closedAtLimitDown(row) || (price !== null && price >= reference)) return;
  throw new Refusal("TRD_SHORT_AT_LIMIT_DOWN", { n: String(reference / PRICE_ONE) }, price === null ? "pricing" : "price");
}

/**
 * Nothing is sold short from the last day to cover until the days without new shorts are over.
 * @throws Refusal TRD_SHORT_STOPPED
 */
export function checkRegister({ venue, rules, at }: Batch, memberId: number, { row }: Instrument): void {
  const window = coverWindowAt(venue, rules.of(memberId).shortCover, row, at);
  if (window) throw new Refusal("TRD_SHORT_STOPPED", { n: formatDate(taipeiMidnight(window.againDay)) }, "direction");
}

/** Checks that the instrument can be traded in this direction. */
function checkInstrument(batch: Batch, memberId: number, body: Ticket): Instrument {
  const { venue, at } = batch;
  const instrument = venue.instrument(body.code);
  if (!instrument?.tradable || hasEnded(instrument, at)) throw new Refusal("TRD_NOT_TRADABLE", {}, "code");
  // Where one unit is a lot there are no odd lots.
  if (body.market !== "board" && instrument.lotShares === 1) throw new Refusal("TRD_NOT_TRADABLE", {}, "market");
  if (!isListed(instrument, at)) throw new Refusal("TRD_NOT_LISTED", {}, "code");
  if (body.direction === "rise") return instrument;
  if (!instrument.shortable || requiresFullPayment(batch, instrument)) throw new Refusal("TRD_NOT_SHORTABLE", {}, "direction");
  checkRegister(batch, memberId, instrument);
  // How the day closed counts when the order is sent.
  if (reservedFor(venue, at, body) === null) checkShort(batch, instrument, body.price);
  return instrument;
}

/** Checks that the member may use this funding and, for a day trade, can close it today. */
function checkFunding(batch: Batch, memberId: number, instrument: Instrument, rule: TradeRule, body: Ticket): void {
  const member = batch.member(memberId);
  const { funding, leverage, market, dayTrade } = body;
  const watched = requiresFullPayment(batch, instrument);
  const single = market === "odd";
  if (!multiplesOf(rule, instrument).includes(leverage) || (leverage > 1 && (watched || single))) {
    throw new Refusal("TRD_LEVERAGE_NOT_ALLOWED", {}, "leverage");
  }
  if (funding !== "cash" && isMinorIn(batch, memberId)) throw new Refusal("ACC_MINOR", {}, "funding");
  if (funding === "margin") {
    if (member.margin_status !== "approved") throw new Refusal("TRD_MARGIN_DISABLED", {}, "funding");
    if (!instrument.marginable || watched || single) throw new Refusal("TRD_NOT_MARGINABLE", {}, "funding");
  }
  if (!dayTrade) return;
  if (member.day_signed_at === null) throw new Refusal("TRD_DAY_TRADING_DISABLED", {}, "dayTrade");
  // An order placed after hours or in odd lots cannot be offset within the day.
  if (!instrument.dayTradable || instrument.watch === "disposition" || market !== "board")
    throw new Refusal("TRD_NOT_DAY_TRADABLE", {}, "dayTrade");
  const { squareOffSeconds } = batch.rules.of(memberId).dayTrade;
  if (reservedFor(batch.venue, batch.at, body) === null && !mayBegin(batch.venue, batch.at, squareOffSeconds))
    throw new Refusal("TRD_NON_TRADING_HOURS", {}, "dayTrade");
}

/**
 * Checks that a trigger is on a tick and was not reached yet.
 * @throws Refusal TRD_PRICE_OFF_TICK, TRD_TRIGGER_PASSED
 */
export function checkEntry({ kind }: Instrument, trigger: EntryTrigger, direction: Direction, last: number): void {
  if (!onTick(kind, trigger.price))
    throw new Refusal("TRD_PRICE_OFF_TICK", { n: String(tickSize(kind, trigger.price) / PRICE_ONE) }, "trigger");
  if (entryReached(trigger.kind, direction, trigger.price, { last, high: last, low: last })) {
    throw new Refusal("TRD_TRIGGER_PASSED", {}, "trigger");
  }
}

/**
 * Runs all checks of a placement in the order of the endpoint's list, before anything changes.
 * @throws Refusal any of the endpoint's
 */
export function checkPlacement(batch: Batch, memberId: number, body: Ticket, prior: PriorTrade = NOTHING): Placement {
  const member = batch.member(memberId);
  const { owed } = batch.ledger.debt(memberId);
  checkEligible("trade", { ...member, debtCents: owed });
  const known = batch.venue.instrument(body.code);
  const value = known ? orderValueCents(batch, known, body) : 0;
  checkRisk(batch, memberId, value);
  const instrument = checkInstrument(batch, memberId, body);
  if (body.direction === "fall") {
    if (isMinorIn(batch, memberId)) throw new Refusal("ACC_MINOR", {}, "direction");
    checkBlockLock(batch, memberId, body.code);
    checkNotLending(batch, memberId, body.code);
  }
  const rule = batch.rules.for(memberId, instrument, batch.at);
  checkFunding(batch, memberId, instrument, rule, body);
  const most = body.market === "odd" ? rule.maxOddShares : rule.maxLots;
  if (body.lots > most) throw new Refusal("TRD_LOTS_MAX", { n: most / unitsPerWhole(instrument) }, "lots");
  const waits = body.trigger !== null;
  const until = reservedFor(batch.venue, batch.at, body);
  const moment =
    until === null
      ? checkMarket(batch.venue, batch.at, instrument, { ...body, waits })
      : checkReservation(batch.venue, until, instrument, { ...body, waits });
  if (body.trigger) checkEntry(instrument, body.trigger, body.direction, moment.last);
  const unfilled = { direction: body.direction, price: body.price, trigger_price: body.trigger?.price ?? null, filled_lots: 0 };
  checkExits(body.exits, instrument, basisPriceOf(unfilled, moment.last));
  if (value < rule.minimumCents) throw new Refusal("TRD_CONTRACT_MIN", { n: rule.minimumCents / 100 }, "lots");
  // Larger values would exceed any balance, and the sums below would not be exact.
  if (!Number.isFinite(value)) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "lots");
  const terms = prior.terms ?? termsOf(rule, instrument, body);
  const draft = { ...body, lotShares: sharesOf(body, instrument), waits: waits || until !== null, behind: prior.lots };
  const { priceBound, valueCents } = worstCase(batch, instrument, moment, memberId, draft);
  const available = batch.ledger.balance(memberId, "available") + prior.freedCents;
  // What is bought in another session settles on another morning than what was sold today.
  const proceeds = until === null ? proceedsFor(batch, { ...body, member_id: memberId, terms }) : 0;
  if (!Number.isFinite(valueCents) || available + proceeds < needOf(terms, body.direction, cents(valueCents))) {
    throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "lots");
  }
  const need = needOf(terms, body.direction, cents(valueCents));
  if (isCollateral(body)) checkOwnFunds(batch, memberId, need, available, "lots");
  return { body, instrument, terms, priceBound, need };
}

function newOrder(
  batch: Batch,
  memberId: number,
  { body, instrument, terms, priceBound, need }: Placement,
  origin: OrderOrigin | null,
): OrderRecord {
  const number = batch.takeNumber();
  return {
    ...UNTOUCHED,
    order_no: number,
    turn: number,
    member_id: memberId,
    request_id: body.requestId,
    code: body.code,
    kind: instrument.kind,
    status: "pending",
    direction: body.direction,
    pricing: body.pricing,
    price: body.price,
    bound_price: priceBound,
    currency: HOME_CURRENCY,
    lots: body.lots,
    lot_shares: sharesOf(body, instrument),
    leverage: body.leverage,
    market: body.market,
    validity: body.validity,
    funding: body.funding,
    day_trade: body.dayTrade,
    terms,
    trigger_kind: body.trigger?.kind ?? null,
    trigger_price: body.trigger?.price ?? null,
    placed_at: batch.at,
    held_cents: need,
    origin,
    asked_at: batch.at,
    turn_at: batch.at,
    reserved_for: reservedFor(batch.venue, batch.at, body),
  };
}

/** Accepts the order: its money is held, its exit orders are set, and it enters the book unfilled. `origin`: who placed it, unless the member did. */
export function acceptOrder(batch: Batch, memberId: number, placement: Placement, origin: OrderOrigin | null = null): OrderRecord {
  const order = newOrder(batch, memberId, placement, origin);
  batch.add(order);
  holdMoney(batch, order, placement.need);
  reserveVoucher(batch, order);
  batch.emitOrderFact("order.placed", order);
  setExits(batch, order, placement.body.exits);
  return order;
}

/** Decides a placement. */
export function placeOrder(batch: Batch, memberId: number, body: Ticket, origin: OrderOrigin | null = null): OrderRecord {
  const order = acceptOrder(batch, memberId, checkPlacement(batch, memberId, body), origin);
  matchContinuously(batch, order);
  return order;
}

/** The counterparty queries of a ticket's order; none while it waits for a trigger or a call. */
export function queriesOfPlacement(venue: Batch["venue"], memberId: number, body: Ticket): CounterpartyQuery[] {
  const instrument = venue.instrument(body.code);
  if (!instrument || body.market !== "board" || body.trigger) return [];
  const side = body.direction === "rise" ? "buy" : "sell";
  return [{ row: instrument.row, side, limit: body.price, lots: body.lots, memberId }];
}
