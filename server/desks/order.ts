/** The desk of orders: place, cancel, close, and everything a member reads about them. */
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/desks/desk.ts";
import type { Handlers } from "#server/desks/desk.ts";
import { closeOrder } from "./order/close.ts";
import type { Counter } from "./order/counter.ts";
import { placeOrder } from "./order/place.ts";
import { toFill, toOrder } from "./order/record.ts";
import { cancelOrder } from "./order/withdraw.ts";

const notYet = (): never => {
  throw new Refusal("GEN_SYSTEM_BUSY");
};

type OrderEndpoint =
  | "amendOrder"
  | "cancelOrders"
  | "closeOrders"
  | "reverseOrder"
  | "placeOrder"
  | "cancelOrder"
  | "closeOrder"
  | "listOrders"
  | "listPositions"
  | "readOrder"
  | "askOutcome";

/** More positions than this are not listed at once; a member with so many reads them through `listOrders`. */
const MAX_POSITIONS = 500;

/** The handlers that command: each waits in the counter's line. */
function commands(
  counter: Counter,
): Pick<
  Handlers,
  "placeOrder" | "cancelOrder" | "closeOrder" | "askOutcome" | "amendOrder" | "cancelOrders" | "closeOrders" | "reverseOrder"
> {
  return {
    placeOrder: ({ caller: { memberId } }, body) =>
      counter.command({ endpoint: "placeOrder", memberId, body, decide: (round) => placeOrder(round, memberId, body) }),
    cancelOrder: ({ caller: { memberId } }, body) =>
      counter.command({ endpoint: "cancelOrder", memberId, body, decide: (round) => cancelOrder(round, memberId, body) }),
    closeOrder: ({ caller: { memberId } }, body) =>
      counter.command({ endpoint: "closeOrder", memberId, body, decide: (round) => closeOrder(round, memberId, body) }),
    amendOrder: async () => notYet(),
    cancelOrders: async () => notYet(),
    closeOrders: async () => notYet(),
    reverseOrder: async () => notYet(),
    // In the line as well: a command that still waits in it is not one that never arrived.
    askOutcome: ({ caller: { memberId } }, { requestId }) =>
      counter.submit({
        memberIds: [memberId],
        requestIds: [requestId],
        orderNos: [],
        placements: 0,
        alertIds: [],
        decide: (round) => {
          const before = round.request(memberId, requestId);
          const order = before && round.order(memberId, before.order_no);
          return { known: before !== undefined, order: order ? toOrder(order) : null };
        },
      }),
  };
}

/** The desk's handlers. */
export function orderDesk({ db, counter }: { db: Database; counter: Counter }): Pick<Handlers, OrderEndpoint> {
  const ordersOf = (memberId: number) => db.kysely.selectFrom("order").selectAll().where("member_id", "=", memberId);
  return {
    ...commands(counter),
    async listOrders({ caller }, { statuses, cursor }) {
      let wanted = ordersOf(caller.memberId).where("status", "in", statuses);
      if (cursor !== null) wanted = wanted.where("order_no", "<", cursor);
      const rows = await wanted
        .orderBy("order_no", "desc")
        .limit(PAGE_SIZE + 1)
        .execute();
      const items = rows.slice(0, PAGE_SIZE).map(toOrder);
      return { items, next: rows.length > PAGE_SIZE ? (items.at(-1)?.orderNo ?? null) : null };
    },
    async listPositions({ caller }) {
      const rows = await ordersOf(caller.memberId)
        .where("status", "in", ["holding", "readyToClose"])
        .orderBy("order_no", "desc")
        .limit(MAX_POSITIONS)
        .execute();
      return { positions: rows.map(toOrder) };
    },
    async readOrder({ caller }, { orderNo }) {
      const row = await ordersOf(caller.memberId).where("order_no", "=", orderNo).executeTakeFirst();
      if (!row) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "orderNo");
      const fills = await db.kysely
        .selectFrom("fill")
        .selectAll()
        .where("order_no", "=", orderNo)
        .where("n", "<=", row.fills)
        .orderBy("n")
        .execute();
      return { order: toOrder(row), fills: fills.map(toFill), adjustments: [] };
    },
  };
}
