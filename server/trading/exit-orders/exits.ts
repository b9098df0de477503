/** Exit orders of a position: checks, and setting them. */
import { exitReached, triggerLevel } from "#contract/condition.ts";
import type { Instrument } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import type { Direction, Trigger } from "#contract/order.ts";
import { onTick, tickSize } from "#contract/tick.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { ConditionRecord } from "./condition-record.ts";
import { conditionsIn } from "./conditions-in-batch.ts";

/** The price a position's exits are measured from: its current price, or the expected opening price. */
export interface BasisPrice {
  direction: Direction;
  at: number;
}

/**
 * Checks whether these exit orders may be set, before anything changes.
 * @throws Refusal TRD_TRIGGER_TWICE, TRD_PRICE_OFF_TICK, VAL_TRIGGER_POSITIVE, TRD_TRIGGER_PASSED
 */
export function checkExits(exits: readonly Trigger[], { kind }: Pick<Instrument, "kind">, { direction, at }: BasisPrice): void {
  if (new Set(exits.map((exit) => exit.kind)).size < exits.length) throw new Refusal("TRD_TRIGGER_TWICE", {}, "exits");
  for (const exit of exits) {
    // A trailing distance is a multiple of the tick size at its starting price.
    const tick = tickSize(kind, exit.kind === "trailing" ? at : exit.price);
    if (exit.kind === "trailing" ? exit.price % tick !== 0 : !onTick(kind, exit.price)) {
      throw new Refusal("TRD_PRICE_OFF_TICK", { n: String(tick / PRICE_ONE) }, "exits");
    }
    if ((triggerLevel(exit.kind, direction, exit.price, at) ?? 0) <= 0) throw new Refusal("VAL_TRIGGER_POSITIVE", {}, "exits");
    if (exitReached(exit.kind, direction, exit.price, at, { last: at, high: at, low: at })) {
      throw new Refusal("TRD_TRIGGER_PASSED", {}, "exits");
    }
  }
}

/** The price an order's exits are measured from: the latest price once it is filled, before that its trigger or limit. */
export function basisPriceOf(order: Pick<OrderRecord, "direction" | "price" | "trigger_price" | "filled_lots">, last: number): BasisPrice {
  const planned = order.trigger_price ?? order.price ?? last;
  return { direction: order.direction, at: order.filled_lots > 0 ? last : planned };
}

/**
 * Replaces an order's exit orders. The caller has called `checkExits` and reserved numbers for the conditions in the batch. One that
 * equals an existing condition keeps waiting, a trailing stop with the best price it has seen.
 */
export function setExits(batch: Batch, order: OrderRecord, exits: readonly Trigger[]): void {
  const wanted = [...exits];
  const conditions = conditionsIn(batch);
  for (const condition of conditions.waitingOn(order.order_no)) {
    const same = wanted.findIndex(({ kind, price }) => kind === condition.kind && price === condition.price);
    if (same === -1) conditions.end(condition, "condition.cancelled");
    else wanted.splice(same, 1);
  }
  const instrument = batch.venue.instrument(order.code);
  const last = instrument ? batch.venue.quote(instrument.row).last : 0;
  const begun = order.filled_lots > order.closed_lots && last > 0;
  for (const { kind, price } of wanted) {
    const condition: ConditionRecord = {
      condition_no: conditions.takeNumber(),
      member_id: order.member_id,
      order_no: order.order_no,
      code: order.code,
      kind,
      price,
      best: kind === "trailing" && begun ? last : null,
      status: "waiting",
      set_at: batch.at,
      ended_at: null,
      fired_price: null,
      refusal: null,
      version: 0,
    };
    conditions.add(condition);
    conditions.emit("condition.set", condition);
  }
}
