/** Applies a corporate action to a position: its units, money and exit prices change so that its value stays the same. */
import { conditionsIn } from "#server/trading/exit-orders/conditions-in-batch.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { cents } from "#contract/kernel/money.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { Adjustment } from "#contract/order.ts";
import { share } from "#contract/profit.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import type { AdjustmentTable } from "#server/db/schema.ts";
import type { ConditionRecord } from "#server/trading/exit-orders/condition-record.ts";
import { charge } from "./charges.ts";
import { realised } from "./fills.ts";
import { receiveLater } from "./receivable.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { adjustLent, lentLots } from "./lendings-in-batch.ts";
import { cancelRest } from "./cancel-rest.ts";
import { canHoldRight, grantRight } from "./entitlement.ts";
import type { OpenIncrease } from "./entitlement.ts";
import { tellChange } from "./share-notice.ts";

const MILLION = 1_000_000n;

/** The kind of ex-event as shown on a position: bonus shares are a split of the existing shares, whatever the issuer calls them. */
export const KIND_OF: Record<CorporateAction["kind"], Adjustment["kind"]> = {
  dividend: "dividend",
  stockDividend: "split",
  split: "split",
  rights: "rights",
};

/** The result of an ex-event for a position's units, and the cash that comes with it. */
export interface AdjustedUnits {
  /** Units still open, units closed before, and the shares per unit. */
  open: number;
  closed: number;
  lotShares: number;
  /** Paid to a long position; a short position pays it. */
  cashCents: number;
  /** New shares that may be bought, where rights are granted. */
  rightShares: number;
}

/** What the right to a new share is worth by the reference price, in price units. */
export const rightWorth = ({ reference, rightsPrice }: Pick<CorporateAction, "reference" | "rightsPrice">): number =>
  Math.max(0, reference - rightsPrice);

type Units = Pick<OrderRecord, "filled_lots" | "closed_lots" | "lot_shares">;

/**
 * Computes what an ex-event does to a position. Bonus shares are credited as shares, a fraction of a share as cash at the reference price.
 * Rights are granted for whole shares where `isGranted`; all others are sold at the value that the reference price implies. Units stay
 * whole lots if possible; otherwise they become single shares.
 */
export function adjustUnits(order: Units, action: CorporateAction, isGranted = false): AdjustedUnits {
  const { filled_lots: filled, closed_lots: closed, lot_shares: lotShares } = order;
  const open = BigInt((filled - closed) * lotShares);
  const grown = MILLION + BigInt(action.freeMillionths);
  const rights = open * BigInt(action.rightsMillionths);
  const sold = isGranted ? rights % MILLION : rights;
  const rightShares = Number((rights - sold) / MILLION);
  const fraction = (open * grown) % MILLION;
  // In millionths of a price unit.
  const cash = open * BigInt(action.cash) * MILLION + sold * BigInt(rightWorth(action)) + fraction * BigInt(action.reference);
  const cashCents = Number(cash / (100n * MILLION));
  if (action.freeMillionths === 0) return { open: filled - closed, closed, lotShares, cashCents, rightShares };
  const shares = Number((open * grown) / MILLION);
  // Closed lots are counted in the new units as well, so that their share of the whole stays the same.
  const gone = closed === 0 ? 0 : Math.max(1, Number((BigInt(closed * lotShares) * grown + MILLION / 2n) / MILLION));
  const whole = shares % lotShares === 0 && gone % lotShares === 0;
  const unit = whole ? lotShares : 1;
  return { open: shares / unit, closed: gone / unit, lotShares: unit, cashCents, rightShares };
}

/** Rescales the opening cost to the new number of lots, so that the cost of the open ones stays the same to the cent. */
function rebased(amount: number, before: Units, { open, closed }: AdjustedUnits): number {
  const { filled_lots: filled, closed_lots: gone } = before;
  if (gone * (open + closed) === closed * filled) return amount;
  const own = amount - share(amount, gone, filled);
  return Number((BigInt(own) * BigInt(open + closed)) / BigInt(open));
}

/** Converts a position to its new units. The profit of closed lots is settled and does not change. */
function convertUnits(order: OrderRecord, adjusted: AdjustedUnits): void {
  const before = { ...order };
  const costs = before.open_fee_cents + before.open_tax_cents;
  const rebasedCosts = rebased(costs, before, adjusted);
  order.open_cents = rebased(before.open_cents, before, adjusted);
  order.open_tax_cents = costs === 0 ? 0 : Number((BigInt(rebasedCosts) * BigInt(before.open_tax_cents)) / BigInt(costs));
  order.open_fee_cents = rebasedCosts - order.open_tax_cents;
  order.closed_lots = adjusted.closed;
  order.filled_lots = adjusted.open + adjusted.closed;
  order.lots = order.filled_lots;
  order.lot_shares = adjusted.lotShares;
  order.on_loan_lots = 0;
  order.carried_cents += before.profit_cents - realised(order);
}

/**
 * Books the cash of an ex-event: the issuer owes it to a long position and pays it on the pay date, but what is on loan has been sold on, and
 * its borrowers compensate it at once. A short position compensates those it borrowed from, at once, because its price falls by as much; from
 * its collateral if its member's money does not suffice.
 */
function pay(batch: Batch, order: OrderRecord, cashCents: number, { at, paysAt }: CorporateAction): void {
  const posting = { memberId: order.member_id, orderNo: order.order_no, kind: "dividend" as const };
  if (order.direction === "rise") {
    const lent = share(cashCents, lentLots(batch, order), order.filled_lots - order.closed_lots);
    const later = paysAt !== undefined && paysAt > batch.at;
    const moves = [
      { from: "issuers" as const, to: later ? ("unsettled" as const) : ("available" as const), amount: cashCents - lent },
      { from: "lendingPool" as const, to: "available" as const, amount: lent },
    ];
    batch.ledger.post({ ...posting, moves });
    if (later) receiveLater(batch, order, { at, paysAt }, cashCents - lent);
  } else charge(batch, order, "dividend", "lendingPool", cashCents);
  order.dividend_cents += order.direction === "rise" ? cashCents : -cashCents;
}

/** Adjusts the prices of a position's exit orders by the same ratio. */
function moveAlong(batch: Batch, order: OrderRecord, condition: ConditionRecord, { closeBefore, reference }: CorporateAction): void {
  if (closeBefore <= 0 || closeBefore === reference) return;
  const moved = (at: number): number => Math.round((at * reference) / closeBefore);
  const tick = tickSize(order.kind, reference);
  condition.price =
    condition.kind === "trailing"
      ? Math.max(tick, Math.round(moved(condition.price) / tick) * tick)
      : toTick(order.kind, moved(condition.price));
  condition.best = condition.best === null ? null : moved(condition.best);
  conditionsIn(batch).emit("condition.adjusted", condition);
}

/**
 * Applies an ex-event to a position before anybody trades on its day; resting orders expired with the day before. A close reserved for the
 * day stays where its lots do. The caller has checked
 * that it was not applied yet. `increase`: the offering in which a right can be exercised.
 */
export function adjustOrder(batch: Batch, order: OrderRecord, action: CorporateAction, increase: OpenIncrease | null = null): void {
  const stays = order.reserved_for !== null && action.freeMillionths === 0;
  if ((order.status === "pending" || order.status === "readyToClose") && !stays) cancelRest(batch, order, "broker");
  const row: AdjustmentTable = {
    order_no: order.order_no,
    member_id: order.member_id,
    day: taipeiDay(action.at),
    kind: KIND_OF[action.kind],
    at: action.at,
    from_lots: order.filled_lots - order.closed_lots,
    from_lot_shares: order.lot_shares,
    to_lots: 0,
    to_lot_shares: 0,
    cash_cents: 0,
  };
  const isGranted = increase !== null && canHoldRight(order) && batch.at < increase.closesAt;
  const adjusted = adjustUnits(order, action, isGranted);
  pay(batch, order, adjusted.cashCents, action);
  convertUnits(order, adjusted);
  adjustLent(batch, order, row.from_lot_shares, MILLION + BigInt(action.freeMillionths));
  batch.emitOrderFact("order.adjusted", order);
  for (const condition of conditionsIn(batch).waitingOn(order.order_no)) moveAlong(batch, order, condition, action);
  const signed = order.direction === "rise" ? adjusted.cashCents : -adjusted.cashCents;
  Object.assign(row, { to_lots: adjusted.open, to_lot_shares: adjusted.lotShares, cash_cents: cents(signed) });
  if (action.freeMillionths > 0 && order.direction === "rise")
    tellChange(batch, order, row.from_lots * row.from_lot_shares, adjusted.open * adjusted.lotShares);
  batch.deferWrite(async (tx) => void (await tx.insertInto("adjustment").values(row).execute()));
  if (isGranted) grantRight(batch, order.member_id, { ...increase, shares: adjusted.rightShares, worth: rightWorth(action) });
}
