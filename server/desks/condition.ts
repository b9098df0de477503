/** The desk of conditions: set and listed; the clockwork judges them. */
import type { Body } from "#contract/endpoints.ts";
import { toOrder } from "#server/desks/order/record.ts";
import type { Round } from "#server/desks/order/round.ts";
import { askOrder } from "#server/desks/order/withdraw.ts";
import type { Counter } from "#server/desks/order/counter.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { askExits, guard, outsetOf } from "./condition/guard.ts";
import { toCondition } from "./condition/record.ts";
import type { ConditionRecord } from "./condition/record.ts";
import { Refusal } from "./desk.ts";
import type { Handlers } from "./desk.ts";

/** How many of those that ended are listed. */
const ENDED_LISTED = 50;

/** In one statement: what fires meanwhile is listed once, as the one or as the other. */
const LIST = `
(SELECT * FROM condition WHERE member_id = $1 AND ($2::text IS NULL OR order_no = $2) AND status = 'waiting' ORDER BY condition_no DESC)
UNION ALL
(SELECT * FROM condition WHERE member_id = $1 AND ($2::text IS NULL OR order_no = $2) AND status <> 'waiting'
 ORDER BY ended_at DESC, condition_no DESC LIMIT $3)`;

/** Decide which conditions guard an order; refusals in the order of the endpoint's list. */
function setConditions(round: Round, memberId: number, body: Body<"setConditions">) {
  const order = askOrder(round, memberId, body.orderNo);
  const instrument = round.venue.instrument(order.code);
  if (instrument) {
    const quote = round.venue.quote(instrument.row);
    const last = quote.last > 0 ? quote.last : quote.reference;
    const waiting = round.guarding.waitingOn(order.order_no);
    // One that waits already may stand where the price went through it while the market was closed.
    const fresh = body.exits.filter(({ kind, price }) => !waiting.some((one) => one.kind === kind && one.price === price));
    if (new Set(body.exits.map(({ kind }) => kind)).size < body.exits.length) throw new Refusal("TRD_TRIGGER_TWICE", {}, "exits");
    askExits(fresh, instrument, outsetOf(order, last));
  }
  guard(round, order, body.exits);
  return { order: toOrder(order), conditions: round.guarding.waitingOn(order.order_no).map(toCondition) };
}

/** The desk's handlers. */
export function conditionDesk({ db, counter }: { db: Database; counter: Counter }): Pick<Handlers, "setConditions" | "listConditions"> {
  return {
    setConditions: ({ caller: { memberId } }, body) =>
      counter.commandAll({
        endpoint: "setConditions",
        memberId,
        body,
        conditions: body.exits.length,
        decide: (round) => setConditions(round, memberId, body),
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
