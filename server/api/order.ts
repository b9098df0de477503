/** Handlers of orders: place, amend, cancel, close, reverse, and all reads. */
import type { Agreement } from "#contract/eligibility.ts";
import type { Body } from "#contract/endpoints.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import type { CommandOutcome, orderEndpoints } from "#contract/order-endpoints.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { readSigned } from "#server/accounts/agreements.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { isMinorIn } from "#server/trading/sequencer/of-age.ts";
import { cents } from "#contract/kernel/money.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { Handlers } from "./handler.ts";
import type { Venue } from "#server/venue/venue.ts";
import { amendOrder, queriesOfAmendment } from "#server/trading/order-entry/amend.ts";
import { CLOSING_NUMBERS, cancelOrders, closeOrders } from "#server/trading/order-entry/bulk.ts";
import { closeOrder, queriesOfPosition, queriesOfClose } from "#server/trading/order-entry/close.ts";
import { closePosition, queriesOfPositionClose } from "#server/trading/order-entry/close-position.ts";
import { orderNosOf } from "#server/trading/sequencer/open-orders.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { readEvents } from "./order-events.ts";
import { pageFrom } from "./page.ts";
import { placeOrder, queriesOfPlacement } from "#server/trading/order-entry/place.ts";
import { toAdjustment, toFill, toOrder } from "#server/trading/sequencer/order-record.ts";
import { reverseOrder, reversePosition, queriesOfReversal } from "#server/trading/order-entry/reverse.ts";
import { cancelOrder } from "#server/trading/order-entry/cancel.ts";

type OrderEndpoint = keyof typeof orderEndpoints;

/** Positions in one reply; a member with more reads them through `listOrders`. */
const MAX_POSITIONS = 500;

/** How a placement is decided: digital currency needs a signed risk notice, which is read for it alone. */
function placing(venue: Venue, memberId: number, body: Body<"placeOrder">) {
  const decide = (batch: Batch) => placeOrder(batch, memberId, body);
  if (venue.instrument(body.code)?.kind !== "crypto") return { decide };
  let agreements: Agreement[] = [];
  return {
    prepare: async (tx: Tx): Promise<void> => {
      agreements = (await readSigned(tx, memberId)).map(({ kind }) => kind);
    },
    decide: (batch: Batch) => {
      const { owed } = batch.ledger.debt(memberId);
      checkEligible("tradeCrypto", { ...batch.member(memberId), debtCents: owed, minor: isMinorIn(batch, memberId), agreements });
      return decide(batch);
    },
  };
}

/** Commands on one order; each goes through the sequencer. */
function commands(
  venue: Venue,
  sequencer: Sequencer,
): Pick<Handlers, "placeOrder" | "cancelOrder" | "closeOrder" | "amendOrder" | "reverseOrder"> {
  return {
    placeOrder: ({ caller: { memberId } }, body) =>
      sequencer.command({
        endpoint: "placeOrder",
        memberId,
        body,
        conditions: body.exits.length,
        counterparties: (batch) => (batch ? [] : queriesOfPlacement(venue, memberId, body)),
        ...placing(venue, memberId, body),
      }),
    cancelOrder: ({ caller: { memberId } }, body) =>
      sequencer.command({ endpoint: "cancelOrder", memberId, body, decide: (batch) => cancelOrder(batch, memberId, body) }),
    closeOrder: ({ caller: { memberId } }, body) =>
      sequencer.command({
        endpoint: "closeOrder",
        memberId,
        body,
        counterparties: (batch) => queriesOfClose(batch, memberId, body),
        decide: (batch) => closeOrder(batch, memberId, body),
      }),
    amendOrder: ({ caller: { memberId } }, body) =>
      sequencer.command({
        endpoint: "amendOrder",
        memberId,
        body,
        counterparties: (batch) => queriesOfAmendment(batch, memberId, body),
        decide: (batch) => amendOrder(batch, memberId, body),
      }),
    reverseOrder: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "reverseOrder",
        memberId,
        body,
        placements: 2,
        counterparties: (batch) => queriesOfReversal(batch, memberId, [body.orderNo]),
        decide: (batch) => reverseOrder(batch, memberId, body),
      }),
  };
}

/** Commands on many orders. They choose them at their turn, when nothing else can change them. */
function bulkCommands(sequencer: Sequencer): Pick<Handlers, "cancelOrders" | "closeOrders" | "closePosition" | "reversePosition"> {
  return {
    cancelOrders({ caller: { memberId } }, body) {
      let all: string[] = [];
      return sequencer.commandAll({
        endpoint: "cancelOrders",
        memberId,
        body,
        choose: (open) => {
          all = orderNosOf(open, body.code, ["pending", "readyToClose"]);
          return { orderNos: all };
        },
        decide: (batch) => cancelOrders(batch, memberId, all),
      });
    },
    closeOrders({ caller: { memberId } }, body) {
      let all: string[] = [];
      return sequencer.commandAll({
        endpoint: "closeOrders",
        memberId,
        body,
        choose: (open) => {
          all = orderNosOf(open, body.code);
          return { orderNos: all, placements: all.length * CLOSING_NUMBERS };
        },
        counterparties: (batch) =>
          all.flatMap((orderNo) => {
            const order = batch?.order(memberId, orderNo);
            return batch && order ? queriesOfPosition(batch, order) : [];
          }),
        decide: (batch) => closeOrders(batch, memberId, all),
      });
    },
    closePosition({ caller: { memberId } }, body) {
      let all: readonly string[] = body.orderNos;
      return sequencer.commandAll({
        endpoint: "closePosition",
        memberId,
        body,
        choose: (open) => {
          if (body.orderNos.length === 0) all = orderNosOf(open, body.code);
          return { orderNos: all, placements: all.length };
        },
        counterparties: (batch) => queriesOfPositionClose(batch, memberId, body),
        decide: (batch) => closePosition(batch, memberId, body, all),
      });
    },
    reversePosition({ caller: { memberId } }, body) {
      let all: string[] = [];
      return sequencer.commandAll({
        endpoint: "reversePosition",
        memberId,
        body,
        choose: (open) => {
          all = orderNosOf(open, body.code);
          return { orderNos: all, placements: all.length + 1 };
        },
        counterparties: (batch) => queriesOfReversal(batch, memberId, all),
        decide: (batch) => reversePosition(batch, memberId, body, all),
      });
    },
  };
}

/** `endpoint` stored for a `requestId` that the client abandoned before its command arrived. */
const ABANDONED = "askOutcome";

/** Outcome of a command. Goes through the sequencer too, so that a queued command is not mistaken for one that never arrived. */
function unknownOutcomes(sequencer: Sequencer): Pick<Handlers, "askOutcome"> {
  return {
    askOutcome: async ({ caller: { memberId } }, { requestId, giveUp }) => {
      if (giveUp) sequencer.countCommand(memberId);
      return sequencer.submit({
        memberIds: [memberId],
        requestIds: [requestId],
        decide: (batch): CommandOutcome => {
          const request = batch.request(memberId, requestId);
          const before = request?.endpoint === ABANDONED ? undefined : request;
          // A stored `requestId` never acts again, even if its command arrives late.
          if (giveUp && !request) {
            const abandoned = { member_id: memberId, request_id: requestId, endpoint: ABANDONED, body_hash: "", order_no: "" };
            batch.recordRequest({ ...abandoned, at: batch.at, answer: null });
          }
          const order = before && batch.order(memberId, before.order_no);
          return {
            known: before !== undefined,
            order: order ? toOrder(order) : null,
            answer: (before?.answer ?? null) as CommandOutcome["answer"],
          };
        },
      });
    },
  };
}

/** What the database alone answers. */
export function orderReads({ db }: { db: Database }): Pick<Handlers, "listOrders" | "listPositions" | "readOrder"> {
  const ordersOf = (memberId: number) => db.kysely.selectFrom("order").selectAll().where("member_id", "=", memberId);
  return {
    async listOrders({ caller }, { statuses, cursor }) {
      let wanted = ordersOf(caller.memberId).where("status", "in", statuses);
      if (cursor !== null) wanted = wanted.where("order_no", "<", cursor);
      const rows = await wanted
        .orderBy("order_no", "desc")
        .limit(PAGE_SIZE + 1)
        .execute();
      return pageFrom(rows, toOrder, (item) => item.orderNo);
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
        // One snapshot for all reads: otherwise the order row could mention fills that the second read does not have.
        await query(tx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
        const of = tx.selectFrom("order").selectAll().where("member_id", "=", memberId).where("order_no", "=", orderNo);
        const row = await of.executeTakeFirst();
        if (!row) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "orderNo");
        const fills = await tx.selectFrom("fill").selectAll().where("order_no", "=", orderNo).orderBy("n").execute();
        const adjustments = await tx.selectFrom("adjustment").selectAll().where("order_no", "=", orderNo).orderBy("day").execute();
        const events = await readEvents(tx, orderNo);
        return {
          order: toOrder(row),
          fills: fills.map((fill) => ({ ...toFill(fill), profitCents: cents(fill.profit_cents) })),
          adjustments: adjustments.map(toAdjustment),
          events,
        };
      }),
  };
}

export function orderHandlers({
  db,
  venue,
  sequencer,
}: {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
}): Pick<Handlers, OrderEndpoint> {
  return {
    ...orderReads({ db }),
    ...commands(venue, sequencer),
    ...bulkCommands(sequencer),
    ...unknownOutcomes(sequencer),
    async readQueue({ caller: { memberId } }, { orderNos }) {
      const own = orderNos.filter((orderNo) => sequencer.open.get(orderNo) === memberId);
      return {
        places: own.flatMap((orderNo) => {
          const lots = sequencer.queue.before(orderNo);
          return lots === null ? [] : [{ orderNo, lots }];
        }),
      };
    },
  };
}
