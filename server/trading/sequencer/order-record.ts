/** An order as its row and as the contract shows it, and the only function that changes its status. */
import { unitsPerWhole } from "#contract/instrument.ts";
import type { OrderFactType } from "#contract/fact.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import type { Code, OrderNo, RequestId } from "#contract/kernel/id.ts";
import { cents, price, priceOf } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Adjustment, Fill, Order, OrderStatus, Pricing, Validity } from "#contract/order.ts";
import type { Market } from "#contract/rule.ts";
import { advance } from "#machines/advance.ts";
import { orderMachine } from "#machines/order.ts";
import type { AdjustmentTable, FillTable, OrderTable } from "#server/db/schema.ts";

/** Columns of an order that are written once, when it is placed. A batch writes all others; a test compares this list with the SQL. */
export const FIXED_ORDER_COLUMNS = [
  "order_no",
  "member_id",
  "request_id",
  "code",
  "kind",
  "direction",
  "currency",
  "leverage",
  "market",
  "validity",
  "funding",
  // An operator's lock, set outside of batches.
  "locked",
  "origin",
  "placed_at",
] as const satisfies (keyof OrderTable)[];
type FixedColumn = (typeof FIXED_ORDER_COLUMNS)[number];

export type OrderRecord = Readonly<Pick<OrderTable, FixedColumn>> & Omit<OrderTable, FixedColumn>;
export type FillRecord = FillTable;

/** The columns of an order on which nothing was done yet: no fill, no close, no money, no lock. */
export const UNTOUCHED = {
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
  bought_at: null,
  sold_at: null,
  locked_until: null,
  open_cents: 0,
  open_fee_cents: 0,
  open_tax_cents: 0,
  close_cents: 0,
  close_fee_cents: 0,
  close_tax_cents: 0,
  closing_cents: 0,
  closing_fee_cents: 0,
  held_cents: 0,
  origin: null,
  collateral_cents: 0,
  pledged_cents: 0,
  lent_cents: 0,
  loan_cents: 0,
  interest_cents: 0,
  interest_day: null,
  dividend_cents: 0,
  lending_cents: 0,
  borrow_day: null,
  on_loan_lots: 0,
  carried_cents: 0,
  profit_cents: 0,
  voucher_no: null,
  voucher_left_cents: 0,
  voucher_cents: 0,
  version: 0,
  reserved_for: null,
} as const satisfies Partial<OrderRecord>;

const moment = (at: number): EpochMs => at as EpochMs;
const momentOrNull = (at: number | null): EpochMs | null => (at === null ? null : moment(at));
const priceOrNull = (units: number | null): Price | null => (units === null ? null : price(units));

/** The average price of lots of an order. */
const averageOf = (record: OrderRecord, valueCents: number, lots: number): Price | null =>
  lots === 0 ? null : priceOf(valueCents, lots * record.lot_shares, unitsPerWhole(record));

/** The contract's mark of an order in fractions. */
export function fractionOf(record: Pick<OrderRecord, "kind">): { unitsPerWhole?: number } {
  const units = unitsPerWhole(record);
  return units === 1 ? {} : { unitsPerWhole: units };
}

/** Converts an order to the contract's type. */
export function toOrder(record: OrderRecord): Order {
  return {
    orderNo: record.order_no as OrderNo,
    requestId: record.request_id as RequestId,
    ...(record.origin === null ? {} : { origin: record.origin }),
    code: record.code as Code,
    status: record.status,
    direction: record.direction,
    pricing: record.pricing,
    price: priceOrNull(record.price),
    lots: record.lots,
    lotShares: record.lot_shares,
    ...fractionOf(record),
    market: record.market,
    validity: record.validity,
    funding: record.funding,
    leverage: record.leverage,
    dayTrade: record.day_trade,
    terms: record.terms,
    trigger: record.trigger_kind === null ? null : { kind: record.trigger_kind, price: record.trigger_price ?? 0 },
    filledLots: record.filled_lots,
    closedLots: record.closed_lots,
    closingLots: record.closing_lots,
    closePricing: record.close_pricing,
    closePrice: priceOrNull(record.close_price),
    closeCause: record.close_cause,
    ...(record.reserved_for === null ? {} : { reservedFor: moment(record.reserved_for) }),
    placedAt: moment(record.placed_at),
    boughtAt: momentOrNull(record.bought_at),
    soldAt: momentOrNull(record.sold_at),
    lockedUntil: momentOrNull(record.locked_until),
    openAverage: averageOf(record, record.open_cents, record.filled_lots),
    closeAverage: averageOf(record, record.close_cents, record.closed_lots),
    openCents: cents(record.open_cents),
    openFeeCents: cents(record.open_fee_cents),
    openTaxCents: cents(record.open_tax_cents),
    closeCents: cents(record.close_cents),
    closeFeeCents: cents(record.close_fee_cents),
    closeTaxCents: cents(record.close_tax_cents),
    closingCents: cents(record.closing_cents),
    closingFeeCents: cents(record.closing_fee_cents),
    heldCents: cents(record.held_cents),
    collateralCents: cents(record.collateral_cents),
    loanCents: cents(record.loan_cents),
    interestCents: cents(record.interest_cents),
    dividendCents: cents(record.dividend_cents),
    ...(record.lending_cents === 0 ? {} : { lendingCents: cents(record.lending_cents) }),
    ...(record.on_loan_lots > 0 ? { onLoanLots: record.on_loan_lots } : {}),
    ...(record.voucher_cents > 0 ? { voucherCents: cents(record.voucher_cents) } : {}),
    ...(record.voucher_left_cents > 0 ? { voucherLeftCents: cents(record.voucher_left_cents) } : {}),
    profitCents: cents(record.profit_cents),
    version: record.version,
  };
}

/** Converts an execution to the contract's type. */
export function toFill(record: FillRecord): Fill {
  return {
    side: record.side,
    at: moment(record.at),
    price: price(record.price),
    lots: record.lots,
    feeCents: cents(record.fee_cents),
    taxCents: cents(record.tax_cents),
    reason: record.reason,
    level: record.level,
    best: price(record.best),
  };
}

/** Converts an adjustment by a corporate action to the contract's type. */
export function toAdjustment(record: AdjustmentTable): Adjustment {
  return {
    at: moment(record.at),
    kind: record.kind,
    fromLots: record.from_lots,
    fromLotShares: record.from_lot_shares,
    toLots: record.to_lots,
    toLotShares: record.to_lot_shares,
    cashCents: cents(record.cash_cents),
  };
}

/** Cached transitions; the machine is pure and has few states. */
const transitions = new Map<string, OrderStatus | null>();

/** The status a fact leads to from the current one; null if the machine forbids it. */
export function nextStatus(status: OrderStatus, fact: OrderFactType): OrderStatus | null {
  const key = `${status} ${fact}`;
  let next = transitions.get(key);
  if (next === undefined) {
    next = advance(orderMachine, status, fact);
    transitions.set(key, next);
  }
  return next;
}

/**
 * Applies the transition of a fact.
 * @throws Error when the machine forbids it. Callers check with `nextStatus` first, so this is a fault, never a refusal.
 */
export function step(record: OrderRecord, fact: OrderFactType): void {
  const next = nextStatus(record.status, fact);
  if (next === null) throw new Error(`${fact} cannot happen to order ${record.order_no} in ${record.status}`);
  record.status = next;
}

/** The side an order trades on now: a long buys to open and sells to close, a short the other way round. */
export function sideOf(record: OrderRecord): "buy" | "sell" {
  return (record.direction === "rise") === (record.status === "pending") ? "buy" : "sell";
}

/** Tells whether an order is a resting close of a position that was locked since. It is cancelled, never filled. */
export function isLockedClose({ locked, status }: Pick<OrderRecord, "locked" | "status">): boolean {
  return locked && status === "readyToClose";
}

/** Tells whether a position may not be sold yet because of how it came about. Unlike a lock-up after buying, this binds the broker as well. */
export function isOriginLocked({ origin, locked_until }: Pick<OrderRecord, "origin" | "locked_until">, at: number): boolean {
  return (
    origin !== null && origin !== "savings" && origin !== "copy" && origin !== "strategy" && locked_until !== null && at < locked_until
  );
}

/** How long triggers and liquidation leave a locked position alone before they look again: its lock is lifted without notice. */
export const LOCKED_WAIT_MS = MINUTE_MS;

/** The unfilled part of an order that is in the market. */
export interface Rest {
  side: "buy" | "sell";
  market: Market;
  validity: Validity;
  pricing: Pricing;
  /** The price limit; null without one. */
  limit: Price | null;
  /** Units left to open or to close. */
  lots: number;
}

/** The unfilled part that is in the market; null when there is none. */
export function restOf(record: OrderRecord): Rest | null {
  // An order that waits for its trigger, or for the next session, is not in the market yet.
  if (record.trigger_kind !== null || record.reserved_for !== null) return null;
  if (record.status === "pending") {
    const { market, validity, pricing } = record;
    // A market buy is limited to the price its money was held for.
    const limit = record.price ?? (record.direction === "rise" ? record.bound_price : null);
    return { side: sideOf(record), market, validity, pricing, limit: priceOrNull(limit), lots: record.lots - record.filled_lots };
  }
  if (record.status === "readyToClose") {
    const { close_market: market, close_validity: validity, close_pricing: pricing } = record;
    return {
      side: sideOf(record),
      market: market ?? "board",
      validity: validity ?? "rod",
      pricing: pricing ?? "market",
      limit: priceOrNull(record.close_price),
      lots: record.closing_lots,
    };
  }
  return null;
}
