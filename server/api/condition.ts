/** Handlers of exit orders (table `condition`): set and list. The trigger monitor evaluates them. */
import { conditionsIn } from "#server/trading/exit-orders/conditions-in-batch.ts";
import type { Body } from "#contract/endpoints.ts";
import type { Trigger } from "#contract/order.ts";
import { toOrder } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { checkOrder } from "#server/trading/order-entry/cancel.ts";
import { ordersOfPosition } from "#server/trading/order-entry/close-position.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { checkExits, setExits, basisPriceOf } from "#server/trading/exit-orders/exits.ts";
import { toCondition } from "#server/trading/exit-orders/condition-record.ts";
import type { ConditionRecord } from "#server/trading/exit-orders/condition-record.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";
import { orderNosOf } from "#server/trading/sequencer/open-orders.ts";

/** Newest ended exit orders in a listing. */
const ENDED_LISTED = 50;

/** One statement, so that an exit order that fires meanwhile is listed once, either as waiting or as ended. */
const LIST = `
(SELECT * FROM condition WHERE member_id = $1 AND ($2::text IS NULL OR order_no = $2) AND status = 'waiting' ORDER BY condition_no DESC)
UNION ALL
(SELECT * FROM condition WHERE member_id = $1 AND ($2::text IS NULL OR order_no = $2) AND status <> 'waiting'
 ORDER BY ended_at DESC, condition_no DESC LIMIT $3)`;

/** Checks the exit orders that are to replace those of an order, in the order of the endpoint's list of refusals. */
function checkReplacement(batch: Batch, order: OrderRecord, exits: readonly Trigger[]): void {
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) return;
  const quote = batch.venue.quote(instrument.row);
  const last = quote.last > 0 ? quote.last : quote.reference;
  const waiting = conditionsIn(batch).waitingOn(order.order_no);
  // Only new ones are checked: the price may have passed an existing one while the market was closed.
  const fresh = exits.filter(({ kind, price }) => !waiting.some((one) => one.kind === kind && one.price === price));
  if (new Set(exits.map(({ kind }) => kind)).size < exits.length) throw new Refusal("TRD_TRIGGER_TWICE", {}, "exits");
  checkExits(fresh, instrument, basisPriceOf(order, last));
}

const waitingOn = (batch: Batch, { order_no: orderNo }: OrderRecord) => conditionsIn(batch).waitingOn(orderNo).map(toCondition);

/** Replaces the exit orders of an order. */
function setConditions(batch: Batch, memberId: number, body: Body<"setConditions">) {
  const order = checkOrder(batch, memberId, body.orderNo);
  checkReplacement(batch, order, body.exits);
  setExits(batch, order, body.exits);
  return { order: toOrder(order), conditions: waitingOn(batch, order) };
}

/** Replaces the exit orders of every order of a position, after all of them were checked. */
function setPositionConditions(batch: Batch, memberId: number, body: Body<"setPositionConditions">, orderNos: readonly string[]) {
  const orders = ordersOfPosition(batch, memberId, body, orderNos);
  for (const order of orders) checkReplacement(batch, order, body.exits);
  for (const order of orders) setExits(batch, order, body.exits);
  return { orders: orders.map(toOrder), conditions: orders.flatMap((order) => waitingOn(batch, order)) };
}

/** What the database alone answers. */
export const conditionReads = ({ db }: { db: Database }): Pick<Handlers, "listConditions"> => ({
  async listConditions({ caller: { memberId } }, { orderNo }) {
    if (orderNo !== null) {
      const known = db.kysely.selectFrom("order").select("order_no").where("order_no", "=", orderNo).where("member_id", "=", memberId);
      if (!(await known.executeTakeFirst())) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "orderNo");
    }
    const listed = await query<ConditionRecord>(db.kysely, LIST, [memberId, orderNo, ENDED_LISTED]);
    return { conditions: listed.map(toCondition) };
  },
});

export function conditionHandlers({
  db,
  sequencer,
}: {
  db: Database;
  sequencer: Sequencer;
}): Pick<Handlers, "setConditions" | "setPositionConditions" | "listConditions"> {
  return {
    ...conditionReads({ db }),
    setConditions: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "setConditions",
        memberId,
        body,
        conditions: body.exits.length,
        decide: (batch) => setConditions(batch, memberId, body),
      }),
    setPositionConditions({ caller: { memberId } }, body) {
      let all: string[] = [];
      return sequencer.commandAll({
        endpoint: "setPositionConditions",
        memberId,
        body,
        choose: (open) => {
          all = orderNosOf(open, body.code);
          return { orderNos: all, conditions: body.exits.length * all.length };
        },
        decide: (batch) => setPositionConditions(batch, memberId, body, all),
      });
    },
  };
}
