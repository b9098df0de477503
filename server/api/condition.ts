/** Handlers of exit orders (table `condition`): set and list. The trigger monitor evaluates them. */
import { conditionsIn } from "#server/trading/exit-orders/conditions-in-batch.ts";
import type { Body } from "#contract/endpoints.ts";
import { toOrder } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { checkOrder } from "#server/trading/order-entry/cancel.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { checkExits, setExits, basisPriceOf } from "#server/trading/exit-orders/exits.ts";
import { toCondition } from "#server/trading/exit-orders/condition-record.ts";
import type { ConditionRecord } from "#server/trading/exit-orders/condition-record.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";

/** Newest ended exit orders in a listing. */
const ENDED_LISTED = 50;

/** One statement, so that an exit order that fires meanwhile is listed once, either as waiting or as ended. */
const LIST = `
(SELECT * FROM condition WHERE member_id = $1 AND ($2::text IS NULL OR order_no = $2) AND status = 'waiting' ORDER BY condition_no DESC)
UNION ALL
(SELECT * FROM condition WHERE member_id = $1 AND ($2::text IS NULL OR order_no = $2) AND status <> 'waiting'
 ORDER BY ended_at DESC, condition_no DESC LIMIT $3)`;

/** Replaces the exit orders of an order; refusals are checked in the order of the endpoint's list. */
function setConditions(batch: Batch, memberId: number, body: Body<"setConditions">) {
  const order = checkOrder(batch, memberId, body.orderNo);
  const instrument = batch.venue.instrument(order.code);
  if (instrument) {
    const quote = batch.venue.quote(instrument.row);
    const last = quote.last > 0 ? quote.last : quote.reference;
    const waiting = conditionsIn(batch).waitingOn(order.order_no);
    // Only new ones are checked: the price may have passed an existing one while the market was closed.
    const fresh = body.exits.filter(({ kind, price }) => !waiting.some((one) => one.kind === kind && one.price === price));
    if (new Set(body.exits.map(({ kind }) => kind)).size < body.exits.length) throw new Refusal("TRD_TRIGGER_TWICE", {}, "exits");
    checkExits(fresh, instrument, basisPriceOf(order, last));
  }
  setExits(batch, order, body.exits);
  return { order: toOrder(order), conditions: conditionsIn(batch).waitingOn(order.order_no).map(toCondition) };
}

export function conditionHandlers({
  db,
  sequencer,
}: {
  db: Database;
  sequencer: Sequencer;
}): Pick<Handlers, "setConditions" | "listConditions"> {
  return {
    setConditions: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "setConditions",
        memberId,
        body,
        conditions: body.exits.length,
        decide: (batch) => setConditions(batch, memberId, body),
      }),
    async listConditions({ caller: { memberId } }, { orderNo }) {
      if (orderNo !== null) {
        const known = db.kysely.selectFrom("order").select("order_no").where("order_no", "=", orderNo).where("member_id", "=", memberId);
        if (!(await known.executeTakeFirst())) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "orderNo");
      }
      const listed = await query<ConditionRecord>(db.kysely, LIST, [memberId, orderNo, ENDED_LISTED]);
      return { conditions: listed.map(toCondition) };
    },
  };
}
