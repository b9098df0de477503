/** What a corporate action makes of a position: its units, its money and its exit prices, so that it is worth what it was. */
import { conditionsIn } from "#server/trading/exit-orders/conditions-in-batch.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { cents } from "#contract/kernel/money.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { Adjustment } from "#contract/order.ts";
import { share } from "#contract/profit.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import type { AdjustmentTable } from "#server/db/schema.ts";
import type { ConditionRecord } from "#server/trading/exit-orders/condition-record.ts";
import { charge, realised } from "./fills.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { cancelRest } from "./cancel-rest.ts";

const MILLION = 1_000_000n;

/** How a position names an ex-event: free shares are a split of what there is, whoever calls them a dividend. */
export const KIND_OF: Record<CorporateAction["kind"], Adjustment["kind"]> = {
  dividend: "dividend",
  stockDividend: "split",
  split: "split",
  rights: "rights",
};

/** What becomes of a position's units, and the cash that goes with it. */
export interface Outcome {
  /** Units still open, units closed before, and the shares of one. */
  open: number;
  closed: number;
  lotShares: number;
  /** To a rise; a fall pays it. */
  cashCents: number;
}

type Units = Pick<OrderRecord, "filled_lots" | "closed_lots" | "lot_shares">;

/**
 * What an ex-event makes of a position. Free shares come as shares, a fraction of one as cash at the reference price. Rights are not
 * exercised but sold for what the reference price takes them to be worth. Whole lots stay lots where they stay whole; otherwise single
 * shares are counted.
 */
export function outcomeOf(order: Units, action: CorporateAction): Outcome {
  const { filled_lots: filled, closed_lots: closed, lot_shares: lotShares } = order;
  const open = BigInt((filled - closed) * lotShares);
  const grown = MILLION + BigInt(action.freeMillionths);
  const right = BigInt(action.rightsMillionths) * BigInt(Math.max(0, action.reference - action.rightsPrice));
  const fraction = (open * grown) % MILLION;
  // In millionths of a price unit.
  const cash = open * (BigInt(action.cash) * MILLION + right) + fraction * BigInt(action.reference);
  const cashCents = Number(cash / (100n * MILLION));
  if (action.freeMillionths === 0) return { open: filled - closed, closed, lotShares, cashCents };
  const shares = Number((open * grown) / MILLION);
  // What was closed is counted in the same shares: its part of the whole stays what it was.
  const gone = closed === 0 ? 0 : Math.max(1, Number((BigInt(closed * lotShares) * grown + MILLION / 2n) / MILLION));
  const whole = shares % lotShares === 0 && gone % lotShares === 0;
  const unit = whole ? lotShares : 1;
  return { open: shares / unit, closed: gone / unit, lotShares: unit, cashCents };
}

/** What opening all lots would have cost, were it as many as there are now: what the open ones cost stays the same to the cent. */
function rebased(amount: number, before: Units, { open, closed }: Outcome): number {
  const { filled_lots: filled, closed_lots: gone } = before;
  if (gone * (open + closed) === closed * filled) return amount;
  const own = amount - share(amount, gone, filled);
  return Number((BigInt(own) * BigInt(open + closed)) / BigInt(open));
}

/** Count a position in its new units; what its closed lots earned is settled and does not change. */
function recount(order: OrderRecord, outcome: Outcome): void {
  const before = { ...order };
  const costs = before.open_fee_cents + before.open_tax_cents;
  const rebasedCosts = rebased(costs, before, outcome);
  order.open_cents = rebased(before.open_cents, before, outcome);
  order.open_tax_cents = costs === 0 ? 0 : Number((BigInt(rebasedCosts) * BigInt(before.open_tax_cents)) / BigInt(costs));
  order.open_fee_cents = rebasedCosts - order.open_tax_cents;
  order.closed_lots = outcome.closed;
  order.filled_lots = outcome.open + outcome.closed;
  order.lots = order.filled_lots;
  order.lot_shares = outcome.lotShares;
  order.carried_cents += before.profit_cents - realised(order);
}

/** Pay what an ex-event brings: the issuer pays a rise, a fall pays the issuer, from its collateral where its member's money does not reach. */
function pay(batch: Batch, order: OrderRecord, cashCents: number): void {
  const posting = { memberId: order.member_id, orderNo: order.order_no, kind: "dividend" as const };
  if (order.direction === "rise") batch.ledger.post({ ...posting, moves: [{ from: "issuers", to: "available", amount: cashCents }] });
  else charge(batch, order, "dividend", "issuers", cashCents);
  order.dividend_cents += order.direction === "rise" ? cashCents : -cashCents;
}

/** Move the prices that guard a position along with the price of its shares. */
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
 * Let an ex-event come over a position, before anybody trades it on its day: what rested of it has lapsed with the day before. The
 * caller knows that it has not come over it yet.
 */
export function adjustOrder(batch: Batch, order: OrderRecord, action: CorporateAction): void {
  if (order.status === "pending" || order.status === "readyToClose") cancelRest(batch, order);
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
  const outcome = outcomeOf(order, action);
  pay(batch, order, outcome.cashCents);
  recount(order, outcome);
  batch.emitOrderFact("order.adjusted", order);
  for (const condition of conditionsIn(batch).waitingOn(order.order_no)) moveAlong(batch, order, condition, action);
  const signed = order.direction === "rise" ? outcome.cashCents : -outcome.cashCents;
  Object.assign(row, { to_lots: outcome.open, to_lot_shares: outcome.lotShares, cash_cents: cents(signed) });
  batch.deferWrite(async (tx) => void (await tx.insertInto("adjustment").values(row).execute()));
}
