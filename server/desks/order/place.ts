/** Placing an order: who may, what the market says, what has to be held, and what the book gives at once. */
import type { Body } from "#contract/endpoints.ts";
import { needOf } from "#contract/fee.ts";
import type { Instrument } from "#contract/instrument.ts";
import { cents, worth } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { termsOf } from "#contract/rule.ts";
import type { Terms } from "#contract/rule.ts";
import { toTick } from "#contract/tick.ts";
import { Refusal } from "#server/desks/desk.ts";
import { CURRENCY } from "#server/ledger/pocket.ts";
import { trade } from "./execute.ts";
import { askMarket } from "./market.ts";
import type { Moment } from "./market.ts";
import type { OrderRecord } from "./record.ts";
import type { Round } from "./round.ts";

/** Where no daily limit bounds a price, a market order is bound to this much of the last one, per cent. */
const UNLIMITED_BOUND_PERCENT = 110;
/** Beyond this an order's sums would not be exact any more; no member has nearly as much. */
const MAX_VALUE_CENTS = 10_000_000_000_000;
/** The highest price the order can trade at. */
function boundOf(instrument: Instrument, moment: Moment, body: Body<"placeOrder">, planned: number): number {
  if (body.price !== null && body.direction === "rise") return body.price;
  if (moment.limits) return moment.limits.up;
  const highest = Math.max(moment.last, moment.quote.ask, planned, body.price ?? 0);
  return toTick(instrument.kind, Math.ceil((highest * UNLIMITED_BOUND_PERCENT) / 100));
}

/** The worst an order can cost: what the book shows for a part of it, and for the rest the highest price it can trade at. */
function worstOf(
  round: Round,
  instrument: Instrument,
  moment: Moment,
  terms: Terms,
  body: Body<"placeOrder">,
): { bound: number; need: Cents } {
  const side = body.direction === "rise" ? "buy" : "sell";
  const limit = body.price as Parameters<typeof worth>[0] | null;
  const planned = round.venue.plan({ row: instrument.row, side, limit, lots: body.lots });
  const bound = boundOf(instrument, moment, body, Math.max(0, ...planned.map((execution) => execution.price)));
  // A limit buy holds its whole value at the limit, whatever the book shows: what it says on the ticket.
  const counted = limit !== null && side === "buy" ? [] : planned;
  const rest = body.lots - counted.reduce((sum, execution) => sum + execution.lots, 0);
  const value = [...counted, { price: bound, lots: rest }].reduce(
    (sum, part) => sum + worth(part.price as Parameters<typeof worth>[0], part.lots * instrument.lotShares),
    0,
  );
  return { bound, need: needOf(terms, body.direction, cents(value)) };
}

function newOrder(
  round: Round,
  memberId: number,
  instrument: Instrument,
  body: Body<"placeOrder">,
  agreed: { terms: Terms; bound: number; held: Cents },
): OrderRecord {
  const number = round.takeNumber();
  return {
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
    bound_price: agreed.bound,
    currency: CURRENCY,
    lots: body.lots,
    lot_shares: instrument.lotShares,
    leverage: body.leverage,
    market: body.market,
    validity: body.validity,
    funding: body.funding,
    day_trade: body.dayTrade,
    terms: agreed.terms,
    trigger_kind: null,
    trigger_price: null,
    locked: false,
    fills: 0,
    filled_lots: 0,
    closed_lots: 0,
    closing_lots: 0,
    close_pricing: null,
    close_price: null,
    close_market: null,
    close_validity: null,
    close_cause: null,
    placed_at: round.at,
    bought_at: null,
    sold_at: null,
    locked_until: null,
    open_cents: 0,
    open_fee_cents: 0,
    open_tax_cents: 0,
    close_cents: 0,
    close_fee_cents: 0,
    close_tax_cents: 0,
    held_cents: agreed.held,
    collateral_cents: 0,
    pledged_cents: 0,
    lent_cents: 0,
    loan_cents: 0,
    interest_cents: 0,
    interest_day: null,
    dividend_cents: 0,
    carried_cents: 0,
    profit_cents: 0,
    version: 0,
    asked_at: round.at,
  };
}

/** Whether this member may trade this instrument this way. */
function askMember(round: Round, memberId: number, body: Body<"placeOrder">): Instrument {
  const person = round.person(memberId);
  if (person.identity !== "verified") throw new Refusal("ACC_REALNAME_REQUIRED");
  if (person.trade_barred) throw new Refusal("ACC_TRADE_BARRED");
  const instrument = round.venue.instrument(body.code);
  if (!instrument?.tradable) throw new Refusal("TRD_NOT_TRADABLE", {}, "code");
  const session = taipeiDay(round.venue.state(round.at).opensAt);
  if (instrument.listedDay > session) throw new Refusal("TRD_NOT_LISTED", {}, "code");
  if (body.direction === "fall" && !instrument.shortable) throw new Refusal("TRD_NOT_SHORTABLE", {}, "direction");
  return instrument;
}

/** Decide a placement; refusals in the order of the endpoint's list. */
export function placeOrder(round: Round, memberId: number, body: Body<"placeOrder">): OrderRecord {
  const instrument = askMember(round, memberId, body);
  const moment = askMarket(round.venue, round.at, instrument, body.price);
  if (((body.price ?? 0) * body.lots * instrument.lotShares) / 100 > MAX_VALUE_CENTS) {
    throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "lots");
  }
  const rule = round.rules.for(memberId, instrument);
  if (body.lots > rule.maxLots) throw new Refusal("TRD_LOTS_MAX", { n: rule.maxLots }, "lots");
  const terms = termsOf(rule, instrument, body);
  const { bound, need } = worstOf(round, instrument, moment, terms, body);
  if (round.ledger.balance(memberId, "available") < need) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "lots");
  const order = newOrder(round, memberId, instrument, body, { terms, bound, held: need });
  round.add(order);
  round.ledger.hold(memberId, need, order.order_no);
  round.tell("order.placed", order);
  trade(round, order, instrument.row);
  return order;
}
