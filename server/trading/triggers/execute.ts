/** Executes a trigger: closes a position whose exit was reached, or activates an order whose entry trigger was. */
import { entryReached, exitReached } from "#contract/condition.ts";
import type { TriggerRange } from "#contract/condition.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { TriggerKind } from "#contract/order.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { checkLock, closeFor } from "#server/trading/order-entry/close.ts";
import { lapsed } from "#server/trading/sequencer/time-in-force.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { activate } from "#server/trading/order-entry/activate.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { checkRisk } from "#server/trading/order-entry/risk-check.ts";
import { conditionsIn } from "#server/trading/exit-orders/conditions-in-batch.ts";
import { better } from "#server/trading/exit-orders/condition-record.ts";
import type { ConditionRecord } from "#server/trading/exit-orders/condition-record.ts";

/** Numbers of the batch that firing one order may take: whole lots and single shares are closed one after the other. */
export const FIRING_NUMBERS = 2;

/** Of two that came true at one look the first is the one that fires: a loss is stopped before a profit is taken. */
const URGENCY: readonly TriggerKind[] = ["stop", "trailing", "takeProfit"];

/** Whether a market that moves, and that somebody vouches for, trades this now. */
const isLive = ({ venue, at }: Batch, { row }: Instrument): boolean => venue.phase(at) === "open" && venue.fresh(at, row);

/** Why what an order holds may not be closed; null when nothing speaks against it. */
function lockOf(batch: Batch, order: OrderRecord, instrument: Instrument): RefusalCode | null {
  try {
    checkLock(batch, order, instrument);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** The condition of an order that has come true, by what was seen and the best prices known before that. */
function reached(batch: Batch, order: OrderRecord, sight: TriggerRange, bests: ReadonlyMap<string, number>): ConditionRecord | undefined {
  const { direction } = order;
  return conditionsIn(batch)
    .waitingOn(order.order_no)
    .toSorted((a, b) => URGENCY.indexOf(a.kind) - URGENCY.indexOf(b.kind))
    .find((one) => {
      const best = one.kind === "trailing" ? better(direction, one.best, bests.get(one.condition_no) ?? null) : null;
      if (!exitReached(one.kind, direction, one.price, best, sight)) return false;
      one.best = best;
      return true;
    });
}

/** Close everything an order holds at market; single shares beside whole lots follow as soon as those are gone. */
export function closeAll(batch: Batch, order: OrderRecord): void {
  if (closeFor(batch, order, "condition") && order.status === "holding") closeFor(batch, order, "condition");
}

/**
 * Judge an order's exits by what was seen, under the member's lock: the first that has come true fires, and the others end with it.
 * What rests of the order is withdrawn, everything it holds is closed at market. A lock that ends with time is waited for: the exit
 * fires if it is still true then. One that only the broker lifts makes it fail, so that the member knows.
 */
export function executeExits(batch: Batch, order: OrderRecord, sight: TriggerRange, bests: ReadonlyMap<string, number>): void {
  const instrument = batch.venue.instrument(order.code);
  if (!instrument || order.filled_lots <= order.closed_lots || !isLive(batch, instrument)) return;
  const lock = lockOf(batch, order, instrument);
  if (lock !== null && lock !== "TRD_POSITION_LOCKED") return;
  const condition = reached(batch, order, sight, bests);
  if (!condition) return;
  const below = (condition.kind === "takeProfit") === (order.direction === "fall");
  const firedPrice = below ? sight.low : sight.high;
  if (lock !== null) {
    conditionsIn(batch).end(condition, "condition.failed", { firedPrice, refusal: lock });
    return;
  }
  conditionsIn(batch).end(condition, "condition.fired", { firedPrice });
  conditionsIn(batch).orderEnded(order.order_no);
  closeAll(batch, order);
}

/** Whether the member's own controls still let an order open something. */
function mayOpen(batch: Batch, order: OrderRecord, { row }: Instrument): boolean {
  const each = order.price ?? batch.venue.quote(row).last;
  try {
    checkRisk(batch, order.member_id, Math.floor((each * order.lots * order.lot_shares) / 100));
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * Release an order whose trigger was reached, unless its member has locked trading since then, or lost too much: then it is cancelled.
 * What is not of this day any more lapses instead.
 */
export function executeEntry(batch: Batch, order: OrderRecord, sight: TriggerRange): void {
  const instrument = batch.venue.instrument(order.code);
  const { trigger_kind: kind, trigger_price: at, direction } = order;
  if (!instrument || order.status !== "pending" || kind === null || at === null || !entryReached(kind, direction, at, sight)) return;
  if (!isLive(batch, instrument) || lapsed(order, batch.venue, batch.at)) return;
  if (mayOpen(batch, order, instrument)) activate(batch, order);
  else cancelRest(batch, order);
}
