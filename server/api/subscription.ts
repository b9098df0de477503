/** Handlers of applications for offerings: a reminder, an application, its withdrawal, paying and waiving, and those made. */
import type { Body } from "#contract/endpoints.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { prepareCredit } from "#server/accounts/credit.ts";
import { isProven } from "#server/accounts/proven.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { apply, book, pay, prepareApplication, waive, withdraw } from "#server/offerings/subscription.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import { toSubscription } from "#server/records/subscription.ts";
import type { SubscriptionRecord } from "#server/records/subscription.ts";
import { subscriptionsIn } from "#server/trading/clearing/subscriptions-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { checkCursor } from "./page.ts";

export interface SubscriptionHandlerDeps {
  db: Database;
  sequencer: Sequencer;
}

type Served = Pick<
  Handlers,
  "bookOffering" | "applySubscription" | "withdrawSubscription" | "paySubscription" | "waiveSubscription" | "listSubscriptions"
>;

const LIST = `SELECT * FROM subscription WHERE member_id = $1
  AND ($2::text IS NULL OR id < (SELECT id FROM subscription AS last WHERE last.member_id = $1 AND last.subscription_no = $2)) ORDER BY id DESC LIMIT $3`;
const OFFERINGS = "SELECT * FROM offering WHERE offering_no = ANY ($1::text[])";

/** The cursor is the number of the last one: what orders the rows counts those of everybody. */
const CURSOR = /^U[0-9a-f]{1,12}$/;

async function withOfferings(on: Reader, rows: readonly SubscriptionRecord[]) {
  const offerings = await query<OfferingRecord>(on, OFFERINGS, [rows.map((row) => row.offering_no)]);
  const byNo = new Map(offerings.map((offering) => [offering.offering_no, offering]));
  return rows.flatMap((row) => {
    const offering = byNo.get(row.offering_no);
    return offering ? [toSubscription(row, offering)] : [];
  });
}

const answer = (batch: Batch, row: SubscriptionRecord) => toSubscription(row, subscriptionsIn(batch).offeringOf(row));

/** A command on what was won, with the fund password. */
function wonCommand({ db, sequencer }: SubscriptionHandlerDeps) {
  const sources = { rules: sequencer.rules, now: () => sequencer.now() };
  return async (
    endpoint: "paySubscription" | "waiveSubscription",
    memberId: number,
    { fundPassword, ...body }: Body<"paySubscription">,
    decide: (batch: Batch, memberId: number, subscriptionNo: string, proven: boolean) => SubscriptionRecord,
  ) => {
    const proven = await isProven(db, memberId, fundPassword, sources);
    return sequencer.commandAll({
      endpoint,
      memberId,
      body,
      placements: 0,
      prepare: async (tx, batch) => {
        await subscriptionsIn(batch).readOne(tx, memberId, body.subscriptionNo);
        await prepareCredit(tx, batch, memberId);
      },
      decide: (batch) => answer(batch, decide(batch, memberId, body.subscriptionNo, proven)),
    });
  };
}

export function subscriptionHandlers({ db, sequencer }: SubscriptionHandlerDeps): Served {
  const sources = { rules: sequencer.rules, now: () => sequencer.now() };
  const onWon = wonCommand({ db, sequencer });
  return {
    bookOffering: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "bookOffering",
        memberId,
        body,
        placements: 0,
        prepare: (tx, batch) => subscriptionsIn(batch).readBooking(tx, memberId, body.offeringNo),
        decide: (batch) => {
          book(batch, memberId, body.offeringNo);
          return { offeringNo: body.offeringNo };
        },
      }),
    async applySubscription({ caller: { memberId } }, { fundPassword, ...body }) {
      const proven = await isProven(db, memberId, fundPassword, sources);
      return sequencer.commandAll({
        endpoint: "applySubscription",
        memberId,
        body,
        ...deciding(
          (tx, batch) => prepareApplication(tx, batch, memberId, body),
          (batch, reads) => answer(batch, apply(batch, memberId, body, { ...reads, proven })),
        ),
      });
    },
    withdrawSubscription: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "withdrawSubscription",
        memberId,
        body,
        placements: 0,
        prepare: (tx, batch) => subscriptionsIn(batch).readOne(tx, memberId, body.subscriptionNo),
        decide: (batch) => answer(batch, withdraw(batch, memberId, body.subscriptionNo)),
      }),
    paySubscription: ({ caller: { memberId } }, body) => onWon("paySubscription", memberId, body, pay),
    waiveSubscription: ({ caller: { memberId } }, body) => onWon("waiveSubscription", memberId, body, waive),
    async listSubscriptions({ caller: { memberId } }, { cursor }) {
      const rows = await query<SubscriptionRecord>(db.kysely, LIST, [memberId, checkCursor(cursor, CURSOR), PAGE_SIZE + 1]);
      const items = await withOfferings(db.kysely, rows.slice(0, PAGE_SIZE));
      return { items, next: rows.length > PAGE_SIZE ? (items.at(-1)?.subscriptionNo ?? null) : null };
    },
  };
}
