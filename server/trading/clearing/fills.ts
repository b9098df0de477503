/** Books a fill: moves value, fee and tax, counts lots, realises profit. */
import { collateralOf, feeAdded, needOf, ownOf, taxOf } from "#contract/fee.ts";
import { unitsPerWhole } from "#contract/instrument.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { share } from "#contract/profit.ts";
import { payingPockets } from "./charges.ts";
import { accrue } from "./interest-accrual.ts";
import { payByProceeds, releaseMoney, settleLater, settlesLater } from "./settlements-in-batch.ts";
import type { MemberPocket, PocketKind } from "#server/ledger/pocket.ts";
import type { Execution } from "#server/venue/matching/book-sweep.ts";
import { lockedUntil } from "./lock-up.ts";
import { step } from "#server/trading/sequencer/order-record.ts";
import type { FillRecord, OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { accrueRebate } from "./rebate.ts";
import { payByVoucher, releaseVoucher } from "./voucher.ts";
import { rateTax } from "./transaction-tax.ts";

type Side = FillRecord["side"];

/** An execution, with the reason for its price. */
export type PricedExecution = Execution & { reason: FillRecord["reason"] };

/** What a fill adds to its side's fee and tax, and the profit it realised. */
interface Costs {
  fee: number;
  tax: number;
}

/** Books the executions of an order, on whichever side of it is in the market. */
export function fillOrder(batch: Batch, order: OrderRecord, executions: readonly PricedExecution[]): void {
  if (order.status === "pending") openLots(batch, order, executions);
  else closeLots(batch, order, executions);
}

/** Records one execution. `fee` and `tax` are what it adds to those of its order, which are computed on the order's whole value. */
function addFill(batch: Batch, order: OrderRecord, side: Side, execution: PricedExecution, costs: Costs & { profit: number }): FillRecord {
  order.fills += 1;
  const fill: FillRecord = {
    order_no: order.order_no,
    n: order.fills,
    member_id: order.member_id,
    side,
    at: batch.at,
    price: execution.price,
    lots: execution.lots,
    fee_cents: costs.fee,
    tax_cents: costs.tax,
    reason: execution.reason,
    level: execution.level,
    best: execution.best,
    profit_cents: costs.profit,
  };
  batch.addFill(fill);
  return fill;
}

/**
 * The value of an execution that opens. Of digital currency it may fall between two cents: the member pays the higher one, unless what the
 * order still holds is too little for that, because earlier executions were rounded up too. `setAside`: what the order paid and holds.
 */
function openingValue(order: OrderRecord, { price: at, lots }: PricedExecution, setAside: number): Cents {
  const per = unitsPerWhole(order);
  const down = worth(at, lots * order.lot_shares, per);
  const up = worth(at, lots * order.lot_shares, per, "up");
  if (up === down) return down;
  const rest = order.lots - order.filled_lots - lots;
  const left = worth(price(order.bound_price ?? at), rest * order.lot_shares, per, "up");
  return needOf(order.terms, order.direction, cents(order.open_cents + up + left)) <= setAside ? up : down;
}

/** Executions that open: money leaves the held amount. A short sale's proceeds stay as collateral beside the member's own part. */
function openLots(batch: Batch, order: OrderRecord, executions: readonly PricedExecution[]): void {
  const before = { value: order.open_cents, fee: order.open_fee_cents, tax: order.open_tax_cents };
  const paid = before.value + before.fee;
  if (order.direction === "fall") rateTax(batch, order);
  const fills = executions.map((execution) => {
    const taxed = taxOf(order.terms, cents(order.open_cents));
    const worthCents = openingValue(order, execution, paid + order.held_cents);
    const fee = feeAdded(order.terms, { cents: order.open_cents, feeCents: order.open_fee_cents }, worthCents);
    order.open_cents += worthCents;
    const tax = order.direction === "fall" ? taxOf(order.terms, cents(order.open_cents)) - taxed : 0;
    order.open_fee_cents += fee;
    order.open_tax_cents += tax;
    order.filled_lots += execution.lots;
    return addFill(batch, order, "open", execution, { fee, tax, profit: 0 });
  });
  const value = order.open_cents - before.value;
  const costs = { fee: order.open_fee_cents - before.fee, tax: order.open_tax_cents - before.tax };
  accrue(order, batch.at);
  const unpaidFee = order.direction === "rise" ? payForLong(batch, order, value, costs.fee) : payForShort(batch, order, value, costs);
  const paidFee = costs.fee - unpaidFee;
  accrueRebate(batch, order, paidFee - payByVoucher(batch, order, paidFee));
  order.bought_at = batch.at;
  if (order.direction === "fall") order.borrow_day ??= batch.venue.feeDay(batch.at);
  order.locked_until = lockedUntil(batch.venue, batch.at, order.terms.lockSeconds);
  const complete = order.filled_lots === order.lots;
  if (complete) releaseHeld(batch, order);
  const fact = complete ? "order.filled" : "order.partlyFilled";
  step(order, fact);
  batch.emitOrderFact(fact, order, fills);
}

/** A purchase: the member's part and the fee come from the held amount, the broker lends the rest. @returns the fee that became debt */
function payForLong(batch: Batch, order: OrderRecord, value: number, fee: number): number {
  const posting = { memberId: order.member_id, orderNo: order.order_no };
  // The member's part is rounded up on the whole value, so that earlier fills never borrowed too much.
  const lent = Math.max(0, order.open_cents - ownOf(order.terms, cents(order.open_cents)) - order.lent_cents);
  const own = value - lent;
  const settled = payByProceeds(batch, order, own, fee);
  const moves = [
    { from: "held" as const, to: "clearing" as const, amount: settled },
    { from: "held" as const, to: settlesLater(order) ? ("owing" as const) : ("clearing" as const), amount: own - settled },
    { from: "loans" as const, to: "clearing" as const, amount: lent },
  ];
  batch.ledger.settle({ ...posting, kind: "buy", moves });
  const owed = batch.ledger.settle({ ...posting, kind: "fee", moves: [{ from: "held", to: "fees", amount: fee }] });
  if (settlesLater(order)) settleLater(batch, order, settled - own);
  order.held_cents -= own + fee;
  order.lent_cents += lent;
  order.loan_cents += lent;
  return owed;
}

/**
 * A short sale: fee and tax first, then the member's part of the collateral, all from the held amount; the proceeds are added. Without a
 * daily price limit less may have been held than is needed: then the proceeds are higher and the part is smaller.
 * @returns the fee that became debt
 */
function payForShort(batch: Batch, order: OrderRecord, value: number, costs: Costs): number {
  const posting = { memberId: order.member_id, orderNo: order.order_no };
  const { ledger } = batch;
  const fee = Math.min(costs.fee, order.held_cents);
  const tax = Math.min(costs.tax, order.held_cents - fee);
  const putUp = order.pledged_cents - (order.open_cents - value);
  const part = Math.min(collateralOf(order.terms, cents(order.open_cents)) - putUp, order.held_cents - fee - tax);
  const moves = [
    { from: "held" as const, to: "collateral" as const, amount: part },
    { from: "clearing" as const, to: "collateral" as const, amount: value },
  ];
  ledger.settle({ ...posting, kind: "shortOpen", moves });
  const feeMoves = [{ from: "held" as const, to: "fees" as const, amount: fee }];
  const owed = ledger.settle({ ...posting, kind: "fee", moves: feeMoves }, [{ to: "fees", amount: costs.fee - fee }]);
  ledger.settle({ ...posting, kind: "tax", moves: [{ from: "held", to: "tax", amount: tax }] }, [{ to: "tax", amount: costs.tax - tax }]);
  order.held_cents -= part + fee + tax;
  order.collateral_cents += part + value;
  order.pledged_cents += part + value;
  return owed;
}

/** Profit of the closed lots so far as the contract defines it: net of their share of opening costs, all closing costs and interest. */
export function realised(order: OrderRecord): Cents {
  const open = share(order.open_cents, order.closed_lots, order.filled_lots);
  const openCosts = share(order.open_fee_cents + order.open_tax_cents, order.closed_lots, order.filled_lots);
  const gain = order.direction === "rise" ? order.close_cents - open : open - order.close_cents;
  return cents(gain - openCosts - order.close_fee_cents - order.close_tax_cents + order.carried_cents);
}

/** The closed lots' share of an order's loan, interest, dividends, lending fees and collateral. */
interface Released {
  loan: number;
  interest: number;
  dividend: number;
  lending: number;
  collateral: number;
  /** What the closed lots opened for. */
  openValue: number;
}

/** Closes lots: of each amount the open lots keep their share rounded toward zero, and the last lot leaves nothing. */
function releaseLots(order: OrderRecord, lots: number, taken: Released): void {
  const open = order.filled_lots - order.closed_lots;
  const part = (amount: number): number => amount - Number((BigInt(amount) * BigInt(open - lots)) / BigInt(open));
  const going = {
    loan: part(order.loan_cents),
    interest: part(order.interest_cents),
    dividend: part(order.dividend_cents),
    lending: part(order.lending_cents),
    collateral: part(order.collateral_cents),
  };
  order.loan_cents -= going.loan;
  order.interest_cents -= going.interest;
  order.dividend_cents -= going.dividend;
  order.lending_cents -= going.lending;
  order.collateral_cents -= going.collateral;
  order.carried_cents += going.dividend + going.lending - going.interest;
  const opened = share(order.open_cents, order.closed_lots, order.filled_lots);
  order.closed_lots += lots;
  order.closing_lots -= lots;
  taken.loan += going.loan;
  taken.interest += going.interest;
  taken.dividend += going.dividend;
  taken.lending += going.lending;
  taken.collateral += going.collateral;
  taken.openValue += share(order.open_cents, order.closed_lots, order.filled_lots) - opened;
}

/** Executions that close: a long gets its proceeds; a short pays from its share of the collateral and gets the rest back. */
function closeLots(batch: Batch, order: OrderRecord, executions: readonly PricedExecution[]): void {
  const before = { value: order.close_cents, fee: order.close_fee_cents, tax: order.close_tax_cents, profit: order.profit_cents };
  const taken: Released = { loan: 0, interest: 0, dividend: 0, lending: 0, collateral: 0, openValue: 0 };
  accrue(order, batch.at);
  if (order.direction === "rise") rateTax(batch, order);
  const fills = executions.map((execution) => {
    // Computed on the increment only: the rate may have changed since earlier fills.
    const taxed = taxOf(order.terms, cents(order.close_cents));
    const worthCents = worth(execution.price, execution.lots * order.lot_shares, unitsPerWhole(order));
    // One minimum fee per close order, regardless of other close orders of the position.
    // What a fund pays at its end is no sale.
    const isSale = execution.reason !== "redemption";
    const fee = isSale ? feeAdded(order.terms, { cents: order.closing_cents, feeCents: order.closing_fee_cents }, worthCents) : cents(0);
    order.close_cents += worthCents;
    order.closing_cents += worthCents;
    order.closing_fee_cents += fee;
    const tax = order.direction === "rise" && isSale ? taxOf(order.terms, cents(order.close_cents)) - taxed : 0;
    order.close_fee_cents += fee;
    order.close_tax_cents += tax;
    releaseLots(order, execution.lots, taken);
    const earned = realised(order) - order.profit_cents;
    order.profit_cents += earned;
    return addFill(batch, order, "close", execution, { fee, tax, profit: earned });
  });
  countProfit(batch, order.member_id, order.profit_cents - before.profit);
  const costs = { fee: order.close_fee_cents - before.fee, tax: order.close_tax_cents - before.tax };
  const value = order.close_cents - before.value;
  if (order.close_cause === "redemption") takeRedemption(batch, order, value, taken);
  else takeProceeds(batch, order, value, taken, costs);
  order.sold_at = batch.at;
  emitClosed(batch, order, fills);
}

/** Adds a realised profit to the member's total and to the day's. */
function countProfit(batch: Batch, memberId: number, profit: number): void {
  const member = batch.member(memberId);
  const day = taipeiDay(batch.at);
  if (member.profit_day !== day) member.day_profit_cents = 0;
  member.profit_day = day;
  member.day_profit_cents += profit;
  member.profit_cents += profit;
}

/** Recomputes the profit of the closed lots after their opening cost rose. It belongs to no day, because nothing was closed. */
export function recomputeProfit(batch: Batch, order: OrderRecord): void {
  const earned = realised(order) - order.profit_cents;
  order.profit_cents += earned;
  batch.member(order.member_id).profit_cents += earned;
}

/**
 * Buying a short back: paid from its collateral. When trades settle later, what is left comes back with the settlement; of a short sold on
 * the same day only the difference of the two trades waits, and the member's own part is free at once.
 * @returns the part of the proceeds that `takeProceeds` may use for the costs
 */
function payForCover(batch: Batch, order: OrderRecord, value: number, taken: Released): number {
  const own = Math.min(taken.collateral, value);
  const left = taken.collateral - own;
  const nets = settlesLater(order) && order.bought_at !== null && taipeiDay(order.bought_at) === taipeiDay(batch.at);
  const gain = nets ? Math.min(left, Math.max(0, taken.openValue - value)) : left;
  const loss = nets ? Math.min(own, Math.max(0, value - taken.openValue)) : 0;
  const moves = [
    { from: "collateral" as const, to: "clearing" as const, amount: own - loss },
    { from: "collateral" as const, to: "owing" as const, amount: loss },
    { from: "collateral" as const, to: settlesLater(order) ? ("unsettled" as const) : ("available" as const), amount: gain },
    { from: "collateral" as const, to: "available" as const, amount: left - gain },
  ];
  const posting = { memberId: order.member_id, orderNo: order.order_no, kind: "shortClose" as const };
  batch.ledger.settle({ ...posting, moves }, [{ to: "clearing", amount: value - own }], payingPockets(order));
  settleLater(batch, order, -loss);
  return gain;
}

/** Proceeds repay the loan first, then interest, fee and tax. The member's money covers a shortfall and receives what is left. */
function takeProceeds(batch: Batch, order: OrderRecord, value: number, taken: Released, costs: Costs): void {
  const posting = { memberId: order.member_id, orderNo: order.order_no };
  const { ledger } = batch;
  const into: MemberPocket = settlesLater(order) ? "unsettled" : "available";
  const purses = payingPockets(order);
  let left: number;
  if (order.direction === "rise") {
    const repaid = Math.min(value, taken.loan);
    left = value - repaid;
    const moves = [
      { from: "clearing" as const, to: "loans" as const, amount: repaid },
      { from: "clearing" as const, to: into, amount: left },
    ];
    ledger.settle({ ...posting, kind: "sell", moves }, [{ to: "loans", amount: taken.loan - repaid }], purses);
  } else {
    left = payForCover(batch, order, value, taken);
  }
  const owed: readonly { kind: "interest" | "fee" | "tax"; to: PocketKind; amount: number }[] = [
    { kind: "interest", to: "interest", amount: taken.interest },
    { kind: "fee", to: "fees", amount: costs.fee },
    { kind: "tax", to: "tax", amount: costs.tax },
  ];
  for (const { kind, to, amount } of owed) {
    // Of the unsettled money only this sale's own may be used: the rest belongs to other sales.
    const own = into === "unsettled" ? Math.min(left, amount) : 0;
    const debt = ledger.settle({ ...posting, kind, moves: [{ from: into, to, amount: own }] }, [{ to, amount: amount - own }], purses);
    if (kind === "fee") accrueRebate(batch, order, amount - debt);
    left -= own;
  }
  if (into === "unsettled") settleLater(batch, order, left);
}

/** What a fund pays at its end: by its issuer and at once. */
function takeRedemption({ ledger }: Batch, order: OrderRecord, value: number, taken: Released): void {
  const moves = [{ from: "issuers" as const, to: "available" as const, amount: value }];
  const owed = [
    { to: "loans" as const, amount: taken.loan },
    { to: "interest" as const, amount: taken.interest },
  ];
  ledger.settle({ memberId: order.member_id, orderNo: order.order_no, kind: "redemption", moves }, owed, payingPockets(order));
}

function emitClosed(batch: Batch, order: OrderRecord, fills: readonly FillRecord[]): void {
  const lotsDone = order.closing_lots === 0;
  const allDone = order.closed_lots === order.filled_lots;
  // Read first: an order that goes on holding forgets how it was closed.
  const cause = order.close_cause;
  const fact = allDone ? "order.closed" : lotsDone ? "order.lotsClosed" : "order.closePartlyFilled";
  step(order, fact);
  if (fact === "order.lotsClosed") clearCloseOrder(order);
  batch.emitOrderFact(fact, order, fills, cause === null ? {} : { closeCause: cause });
}

/** Clears the close order of an order that is not closing; a closed order keeps how it was closed. */
export function clearCloseOrder(order: OrderRecord): void {
  order.closing_lots = 0;
  order.close_pricing = null;
  order.close_price = null;
  order.close_market = null;
  order.close_validity = null;
  order.close_cause = null;
}

/** Releases held money and the fee voucher that an order no longer needs. */
export function releaseHeld(batch: Batch, order: OrderRecord): void {
  releaseVoucher(batch, order);
  releaseMoney(batch, order, order.held_cents);
  order.held_cents = 0;
}
