/** The desk of orders: place, amend, cancel, close, reverse, and everything a member reads about them. */
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import type { OrderStatus } from "#contract/order.ts";
import type { Outcome, orderEndpoints } from "#contract/ordering.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/desks/desk.ts";
import type { Handlers } from "#server/desks/desk.ts";
import type { Venue } from "#server/venue/port.ts";
import { amendOrder, seekAmended } from "./order/amend.ts";
import { CLOSING_NUMBERS, cancelOrders, closeOrders } from "./order/bulk.ts";
import { closeOrder, closeSeek, seekClosing } from "./order/close.ts";
import type { Counter } from "./order/counter.ts";
import { readEvents } from "./order/events.ts";
import { placeOrder, seekFor } from "./order/place.ts";
import { toAdjustment, toFill, toOrder } from "./order/record.ts";
import { reverseOrder, seekReversed } from "./order/reverse.ts";
import type { Seek } from "./order/resting.ts";
import type { Round } from "./order/round.ts";
import { cancelOrder } from "./order/withdraw.ts";

type OrderEndpoint = keyof typeof orderEndpoints;

/** More positions than this are not listed at once; a member with so many reads them through `listOrders`. */
const MAX_POSITIONS = 500;

/** The handlers that command one order: each waits in the counter's line. */
function commands(
  venue: Venue,
  counter: Counter,
): Pick<Handlers, "placeOrder" | "cancelOrder" | "closeOrder" | "amendOrder" | "reverseOrder"> {
  return {
    placeOrder: ({ caller: { memberId } }, body) =>
      counter.command({
        endpoint: "placeOrder",
        memberId,
        body,
        conditions: body.exits.length,
        seeks: (round) => (round ? [] : seekFor(venue, memberId, body)),
        decide: (round) => placeOrder(round, memberId, body),
      }),
    cancelOrder: ({ caller: { memberId } }, body) =>
      counter.command({ endpoint: "cancelOrder", memberId, body, decide: (round) => cancelOrder(round, memberId, body) }),
    closeOrder: ({ caller: { memberId } }, body) =>
      counter.command({
        endpoint: "closeOrder",
        memberId,
        body,
        seeks: (round) => seekClosing(round, memberId, body),
        decide: (round) => closeOrder(round, memberId, body),
      }),
    amendOrder: ({ caller: { memberId } }, body) =>
      counter.command({
        endpoint: "amendOrder",
        memberId,
        body,
        seeks: (round) => seekAmended(round, memberId, body),
        decide: (round) => amendOrder(round, memberId, body),
      }),
    reverseOrder: ({ caller: { memberId } }, body) =>
      counter.commandAll({
        endpoint: "reverseOrder",
        memberId,
        body,
        placements: 2,
        seeks: (round) => seekReversed(round, memberId, body.orderNo),
        decide: (round) => reverseOrder(round, memberId, body),
      }),
  };
}

/** The handlers that command whatever is there. Which orders that is is read first, and each is asked again when its turn comes. */
function sweeps(db: Database, counter: Counter): Pick<Handlers, "cancelOrders" | "closeOrders"> {
  const orderNos = async (memberId: number, code: string | null, statuses: readonly OrderStatus[]): Promise<string[]> => {
    let wanted = db.kysely.selectFrom("order").select("order_no").where("member_id", "=", memberId).where("status", "in", statuses);
    if (code !== null) wanted = wanted.where("code", "=", code);
    return (await wanted.orderBy("order_no").execute()).map((row) => row.order_no);
  };
  return {
    async cancelOrders({ caller: { memberId } }, body) {
      const all = await orderNos(memberId, body.code, ["pending", "readyToClose"]);
      const about = { endpoint: "cancelOrders", memberId, body, orderNos: all } as const;
      return counter.commandAll({ ...about, decide: (round) => cancelOrders(round, memberId, all) });
    },
    async closeOrders({ caller: { memberId } }, body) {
      const all = await orderNos(memberId, body.code, ["holding"]);
      const about = { endpoint: "closeOrders", memberId, body, orderNos: all, placements: all.length * CLOSING_NUMBERS } as const;
      const seeks = (round: Round | null): Seek[] =>
        all.flatMap((orderNo) => {
          const order = round?.order(memberId, orderNo);
          return round && order ? closeSeek(round, order) : [];
        });
      return counter.commandAll({ ...about, seeks, decide: (round) => closeOrders(round, memberId, all) });
    },
  };
}

/** Whose name a command has that its member gave up before it arrived. */
const GIVEN_UP = "askOutcome";

/** What became of a command. In the line as well: one that still waits in it is not one that never arrived. */
function outcomes(counter: Counter): Pick<Handlers, "askOutcome"> {
  return {
    askOutcome: async ({ caller: { memberId } }, { requestId, giveUp }) => {
      if (giveUp) counter.admit(memberId);
      return counter.submit({
        memberIds: [memberId],
        requestIds: [requestId],
        decide: (round): Outcome => {
          const request = round.request(memberId, requestId);
          const before = request?.endpoint === GIVEN_UP ? undefined : request;
          // A name that is taken acts no more: the command it was for may come as late as it likes.
          if (giveUp && !request) {
            const name = { member_id: memberId, request_id: requestId, endpoint: GIVEN_UP, body_hash: "", order_no: "" };
            round.remember({ ...name, at: round.at, answer: null });
          }
          const order = before && round.order(memberId, before.order_no);
          return {
            known: before !== undefined,
            order: order ? toOrder(order) : null,
            answer: (before?.answer ?? null) as Outcome["answer"],
          };
        },
      });
    },
  };
}

/** The desk's handlers. */
export function orderDesk({ db, venue, counter }: { db: Database; venue: Venue; counter: Counter }): Pick<Handlers, OrderEndpoint> {
  const ordersOf = (memberId: number) => db.kysely.selectFrom("order").selectAll().where("member_id", "=", memberId);
  return {
    ...commands(venue, counter),
    ...sweeps(db, counter),
    ...outcomes(counter),
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
    readOrder: ({ caller: { memberId } }, { orderNo }) =>
      db.transaction(async (tx) => {
        // One moment for all of it: between two reads an order would be without what its own fields tell of.
        await query(tx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        const of = tx.selectFrom("order").selectAll().where("member_id", "=", memberId).where("order_no", "=", orderNo);
        const row = await of.executeTakeFirst();
        if (!row) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "orderNo");
        const fills = await tx.selectFrom("fill").selectAll().where("order_no", "=", orderNo).orderBy("n").execute();
        const adjustments = await tx.selectFrom("adjustment").selectAll().where("order_no", "=", orderNo).orderBy("day").execute();
        const events = await readEvents(tx, orderNo);
        return { order: toOrder(row), fills: fills.map(toFill), adjustments: adjustments.map(toAdjustment), events };
      }),
  };
}
