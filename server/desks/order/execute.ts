/** What an execution does to an order and to the money: value, fee and tax moved, lots counted, profit realised. */
import { collateralOf, feeOf, taxOf } from "#contract/fee.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { cents, worth } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { share } from "#contract/profit.ts";
import type { Execution, Want } from "#server/venue/port.ts";
import { restOf, step } from "./record.ts";
import type { FillRecord, OrderRecord } from "./record.ts";
import type { Round } from "./round.ts";

type Side = FillRecord["side"];

/**
 * Let an order take from the book what it can get now, and account for it. Nothing happens when the book gives nothing.
 * @returns whether anything was executed
 */
export function trade(round: Round, order: OrderRecord, row: number): boolean {
  const rest = restOf(order);
  if (!rest || rest.lots === 0) return false;
  const want: Want = { row, ...rest };
  const executions = round.venue.plan(want);
  if (executions.length === 0) return false;
  round.venue.consume(want, executions);
  if (order.status === "pending") openLots(round, order, executions);
  else closeLots(round, order, executions);
  return true;
}

/** Write one execution down; `fee` and `tax` are what it adds to the side's, which are counted on the side's whole value. */
function addFill(
  round: Round,
  order: OrderRecord,
  side: Side,
  execution: Execution,
  costs: { fee: number; tax: number; profit: number },
): FillRecord {
  const pricing = side === "open" ? order.pricing : order.close_pricing;
  order.fills += 1;
  const fill: FillRecord = {
    order_no: order.order_no,
    n: order.fills,
    member_id: order.member_id,
    side,
    at: round.at,
    price: execution.price,
    lots: execution.lots,
    fee_cents: costs.fee,
    tax_cents: costs.tax,
    reason: pricing === "market" ? "bookLevel" : "limitOrBetter",
    level: execution.level,
    best: execution.best,
    profit_cents: costs.profit,
  };
  round.addFill(fill);
  return fill;
}

/** Executions of the opening side: money leaves what was held; a fall's proceeds stay as collateral beside the member's part. */
export function openLots(round: Round, order: OrderRecord, executions: readonly Execution[]): void {
  const before = { value: order.open_cents, fee: order.open_fee_cents, tax: order.open_tax_cents };
  const fills = executions.map((execution) => {
    order.open_cents += worth(execution.price, execution.lots * order.lot_shares);
    const fee = feeOf(order.terms, cents(order.open_cents)) - order.open_fee_cents;
    const tax = order.direction === "fall" ? taxOf(order.terms, cents(order.open_cents)) - order.open_tax_cents : 0;
    order.open_fee_cents += fee;
    order.open_tax_cents += tax;
    order.filled_lots += execution.lots;
    return addFill(round, order, "open", execution, { fee, tax, profit: 0 });
  });
  const value = order.open_cents - before.value;
  const costs = { fee: order.open_fee_cents - before.fee, tax: order.open_tax_cents - before.tax };
  if (order.direction === "rise") payFromHeld(round, order, value, costs.fee);
  else pledge(round, order, value, costs);
  order.bought_at = round.at;
  order.locked_until = order.terms.lockSeconds > 0 ? round.at + order.terms.lockSeconds * SECOND_MS : null;
  const complete = order.filled_lots === order.lots;
  if (complete) releaseHeld(round, order);
  const fact = complete ? "order.filled" : "order.partlyFilled";
  step(order, fact);
  round.tell(fact, order, fills);
}

function payFromHeld(round: Round, order: OrderRecord, value: number, fee: number): void {
  const posting = { memberId: order.member_id, orderNo: order.order_no };
  round.ledger.settle({ ...posting, kind: "buy", moves: [{ from: "held", to: "clearing", amount: value }] });
  round.ledger.settle({ ...posting, kind: "fee", moves: [{ from: "held", to: "fees", amount: fee }] });
  order.held_cents -= value + fee;
}

/**
 * A short sale: fee and tax first, then the member's part of the collateral, all from what was held; the proceeds join it. Where
 * no daily limit bounds the price, it may have been held for less than it came to: then the proceeds are more, and the part less.
 */
function pledge(round: Round, order: OrderRecord, value: number, costs: { fee: number; tax: number }): void {
  const posting = { memberId: order.member_id, orderNo: order.order_no };
  const { ledger } = round;
  const fee = Math.min(costs.fee, order.held_cents);
  const tax = Math.min(costs.tax, order.held_cents - fee);
  const putUp = order.pledged_cents - (order.open_cents - value);
  const part = Math.min(collateralOf(order.terms, cents(order.open_cents)) - putUp, order.held_cents - fee - tax);
  const moves = [
    { from: "held" as const, to: "collateral" as const, amount: part },
    { from: "clearing" as const, to: "collateral" as const, amount: value },
  ];
  ledger.settle({ ...posting, kind: "shortOpen", moves });
  ledger.settle({ ...posting, kind: "fee", moves: [{ from: "held", to: "fees", amount: fee }] }, [{ to: "fees", amount: costs.fee - fee }]);
  ledger.settle({ ...posting, kind: "tax", moves: [{ from: "held", to: "tax", amount: tax }] }, [{ to: "tax", amount: costs.tax - tax }]);
  order.held_cents -= part + fee + tax;
  order.collateral_cents += part + value;
  order.pledged_cents += part + value;
}

/** What the closed lots have earned so far, by the contract's definition: net of their share of opening and of all closing costs. */
function realised(order: OrderRecord): Cents {
  const open = share(order.open_cents, order.closed_lots, order.filled_lots);
  const openCosts = share(order.open_fee_cents + order.open_tax_cents, order.closed_lots, order.filled_lots);
  const gain = order.direction === "rise" ? order.close_cents - open : open - order.close_cents;
  return cents(gain - openCosts - order.close_fee_cents - order.close_tax_cents);
}

/** Executions of the closing side: a rise brings its proceeds; a fall pays from its share of the collateral and gets the rest back. */
export function closeLots(round: Round, order: OrderRecord, executions: readonly Execution[]): void {
  const before = { value: order.close_cents, fee: order.close_fee_cents, tax: order.close_tax_cents, profit: order.profit_cents };
  const fills = executions.map((execution) => {
    order.close_cents += worth(execution.price, execution.lots * order.lot_shares);
    const fee = feeOf(order.terms, cents(order.close_cents)) - order.close_fee_cents;
    const tax = order.direction === "rise" ? taxOf(order.terms, cents(order.close_cents)) - order.close_tax_cents : 0;
    order.close_fee_cents += fee;
    order.close_tax_cents += tax;
    order.closed_lots += execution.lots;
    order.closing_lots -= execution.lots;
    const earned = realised(order) - order.profit_cents;
    order.profit_cents += earned;
    return addFill(round, order, "close", execution, { fee, tax, profit: earned });
  });
  round.person(order.member_id).profit_cents += order.profit_cents - before.profit;
  const costs = { fee: order.close_fee_cents - before.fee, tax: order.close_tax_cents - before.tax };
  takeProceeds(round, order, order.close_cents - before.value, costs);
  order.sold_at = round.at;
  tellClosed(round, order, fills);
}

function takeProceeds(round: Round, order: OrderRecord, value: number, costs: { fee: number; tax: number }): void {
  const posting = { memberId: order.member_id, orderNo: order.order_no };
  const { ledger } = round;
  if (order.direction === "rise") {
    ledger.settle({ ...posting, kind: "sell", moves: [{ from: "clearing", to: "available", amount: value }] });
  } else {
    const freed = order.collateral_cents - (order.pledged_cents - share(order.pledged_cents, order.closed_lots, order.filled_lots));
    const own = Math.min(freed, value);
    const moves = [
      { from: "collateral" as const, to: "clearing" as const, amount: own },
      { from: "collateral" as const, to: "available" as const, amount: freed - own },
    ];
    ledger.settle({ ...posting, kind: "shortClose", moves }, [{ to: "clearing", amount: value - own }]);
    order.collateral_cents -= freed;
  }
  ledger.settle({ ...posting, kind: "fee", moves: [] }, [{ to: "fees", amount: costs.fee }]);
  ledger.settle({ ...posting, kind: "tax", moves: [] }, [{ to: "tax", amount: costs.tax }]);
}

function tellClosed(round: Round, order: OrderRecord, fills: readonly FillRecord[]): void {
  const lotsDone = order.closing_lots === 0;
  const allDone = order.closed_lots === order.filled_lots;
  const fact = allDone ? "order.closed" : lotsDone ? "order.lotsClosed" : "order.closePartlyFilled";
  step(order, fact);
  if (fact === "order.lotsClosed") forgetClose(order);
  round.tell(fact, order, fills);
}

/** An order that is not closing has no close order; one that closed keeps how it did. */
export function forgetClose(order: OrderRecord): void {
  order.closing_lots = 0;
  order.close_pricing = null;
  order.close_price = null;
  order.close_market = null;
  order.close_validity = null;
  order.close_cause = null;
}

/** Give back what an order no longer needs. */
export function releaseHeld(round: Round, order: OrderRecord): void {
  round.ledger.release(order.member_id, order.held_cents, order.order_no);
  order.held_cents = 0;
}
