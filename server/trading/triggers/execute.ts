/** Executes a trigger: closes a position whose exit was reached, or activates an order whose entry trigger was. */
import { valueAt } from "#server/trading/order-entry/buying-power.ts";
import { unitsPerWhole } from "#contract/instrument.ts";
import { entryReached, exitReached } from "#contract/condition.ts";
import type { TriggerRange } from "#contract/condition.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { TriggerKind } from "#contract/order.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { closeFor, isLocked } from "#server/trading/order-entry/close.ts";
import { lapsed } from "#server/trading/sequencer/time-in-force.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { activate } from "#server/trading/order-entry/activate.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { checkRegister } from "#server/trading/order-entry/place.ts";
import { checkRisk } from "#server/trading/order-entry/risk-check.ts";
import { conditionsIn } from "#server/trading/exit-orders/conditions-in-batch.ts";
import { better } from "#server/trading/exit-orders/condition-record.ts";
import type { ConditionRecord } from "#server/trading/exit-orders/condition-record.ts";

/** Order numbers that one trigger may take: whole lots and single shares are closed one after the other. */
export const FIRING_NUMBERS = 2;

/** When two exits are reached at once, the stop fires before the take-profit. */
const URGENCY: readonly TriggerKind[] = ["stop", "trailing", "takeProfit"];

/** Tells whether the market trades this instrument now with fresh prices. */
const isLive = ({ venue, at }: Batch, { row }: Instrument): boolean => venue.phase(at) === "open" && venue.fresh(at, row);

/** The exit of an order that was reached, by the observed range and the best prices known before it. */
function reached(batch: Batch, order: OrderRecord, range: TriggerRange, bests: ReadonlyMap<string, number>): ConditionRecord | undefined {
  const { direction } = order;
  return conditionsIn(batch)
    .waitingOn(order.order_no)
    .toSorted((a, b) => URGENCY.indexOf(a.kind) - URGENCY.indexOf(b.kind))
    .find((one) => {
      const best = one.kind === "trailing" ? better(direction, one.best, bests.get(one.condition_no) ?? null) : null;
      if (!exitReached(one.kind, direction, one.price, best, range)) return false;
      one.best = best;
      return true;
    });
}

/** Closes everything an order holds at market; single shares beside whole lots follow as soon as those are filled. */
export function closeAll(batch: Batch, order: OrderRecord): void {
  if (closeFor(batch, order, "condition") && order.status === "holding") closeFor(batch, order, "condition");
}

/**
 * Evaluates an order's exits under the member's lock: the first that is reached fires and the others end. The order's unfilled part is
 * cancelled and its position closed at market. A lock-up or lock is waited for: the exit fires if it is still reached when that ends.
 */
export function executeExits(batch: Batch, order: OrderRecord, range: TriggerRange, bests: ReadonlyMap<string, number>): void {
  const instrument = batch.venue.instrument(order.code);
  if (!instrument || order.filled_lots <= order.closed_lots || !isLive(batch, instrument)) return;
  if (isLocked(batch, order, instrument)) return;
  const condition = reached(batch, order, range, bests);
  if (!condition) return;
  const below = (condition.kind === "takeProfit") === (order.direction === "fall");
  const firedPrice = below ? range.low : range.high;
  conditionsIn(batch).end(condition, "condition.fired", { firedPrice });
  conditionsIn(batch).orderEnded(order.order_no);
  closeAll(batch, order);
}

/** Tells whether the member's own risk controls still allow the order to open a position, and the days to cover a short. */
function mayOpen(batch: Batch, order: OrderRecord, instrument: Instrument): boolean {
  const each = order.price ?? batch.venue.quote(instrument.row).last;
  try {
    if (order.direction === "fall") checkRegister(batch, order.member_id, instrument);
    checkRisk(batch, order.member_id, valueAt(each, order.lots * order.lot_shares, unitsPerWhole(order)));
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * Activates an order whose trigger was reached. It is cancelled if its member has locked trading since or reached the daily loss limit, or
 * if it would open a short that may not be opened any more; it expires if it is from an earlier day.
 */
export function executeEntry(batch: Batch, order: OrderRecord, range: TriggerRange): void {
  const instrument = batch.venue.instrument(order.code);
  const { trigger_kind: kind, trigger_price: at, direction } = order;
  if (!instrument || order.status !== "pending" || kind === null || at === null || !entryReached(kind, direction, at, range)) return;
  if (!isLive(batch, instrument) || lapsed(order, batch.venue, batch.at)) return;
  if (mayOpen(batch, order, instrument)) activate(batch, order);
  else cancelRest(batch, order, "refused");
}
