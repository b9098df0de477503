/** Capital increases on the clock: their price on the ex-date, and after the close what becomes of each holder's right. */
import { formatMoney, grouped, price, worth } from "#contract/kernel/money.ts";
import { formatDateTime, taipeiDay } from "#contract/kernel/time.ts";
import type { Notice } from "#contract/notice.ts";
import { putNotice } from "#server/accounts/notice.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import type { EntitlementRecord, OfferingRecord } from "#server/records/offering.ts";
import { stepSubscription, subscriptionsIn } from "#server/trading/clearing/subscriptions-in-batch.ts";
import { lapsedWorth } from "#server/trading/clearing/right-value.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { EachDeps } from "./each-member.ts";
import { moveOffering } from "./phase.ts";

/** Rights of one command: members' commands that arrive meanwhile wait for no more. */
const TOGETHER = 32;
const SET_PRICE = "UPDATE offering SET price = $2 WHERE offering_no = $1 AND phase = 'upcoming' AND price IS NULL";
const UNSETTLED = `SELECT member_id FROM entitlement WHERE offering_no = $1 AND settled_at IS NULL AND member_id > $2
ORDER BY member_id LIMIT ${TOGETHER}`;
const OF_MEMBERS = "SELECT * FROM entitlement WHERE offering_no = $1 AND member_id = ANY ($2::bigint[]) AND settled_at IS NULL";
const SETTLE = `UPDATE entitlement SET exercised_shares = $3, lapsed_cents = $4, settled_at = $5
WHERE offering_no = $1 AND member_id = $2 AND settled_at IS NULL RETURNING 1`;
const NUMBERS = "SELECT nextval('message_no') AS id FROM generate_series(1, $1::integer)";

export interface IncreaseDeps extends EachDeps {
  db: Database;
  venue: Venue;
  now: () => number;
}

/** Sets the price that the ex-event has; an increase without one by the opening is void. @returns whether there may be another step */
export async function setIncreasePrice({ db, venue, sequencer, now }: IncreaseDeps, row: OfferingRecord): Promise<boolean> {
  const day = taipeiDay(row.ex_at ?? row.opens_at);
  const action = (await venue.actions(row.code)).find(({ at, kind }) => kind === "rights" && taipeiDay(at) === day);
  if (action) await query(db.kysely, SET_PRICE, [row.offering_no, action.rightsPrice]);
  else if (now() >= row.opens_at) await sequencer.submit(moveOffering(row, "offering.voided"));
  else return false;
  return true;
}

/** What was applied for is bought: it is paid already. @returns its shares */
function exercise(batch: Batch, offering: OfferingRecord, memberId: number, messageNo: number): number {
  const row = subscriptionsIn(batch)
    .rowsOf(memberId, offering.offering_no)
    .find(({ status }) => status === "subscribing");
  if (!row) return 0;
  row.won_lots = row.lots;
  row.result_at = batch.at;
  row.due_cents = row.deposit_cents;
  stepSubscription(batch, row, "subscription.won");
  row.paid_cents = row.due_cents;
  row.paid_at = batch.at;
  const values = { code: offering.code, amount: formatMoney(row.paid_cents), until: formatDateTime(offering.allotted_at) };
  stepSubscription(batch, row, "subscription.paid", { messageNo, notice: { about: "subscriptionPaid", values } });
  return row.lots;
}

/** Settles one right: what was applied for is bought, and the rest is paid for. */
function settle(batch: Batch, offering: OfferingRecord, right: EntitlementRecord, [bought = 0, lapsed = 0]: readonly number[]): void {
  const { offering_no: offeringNo, member_id: memberId, shares } = right;
  const exercised = offering.phase === "void" ? 0 : exercise(batch, offering, memberId, bought);
  const amount = worth(price(lapsedWorth(batch.venue, batch.at, offering, right)), shares - exercised);
  batch.ledger.post({ memberId, kind: "right", orderNo: null, moves: [{ from: "issuers", to: "available", amount }] });
  if (exercised < shares) {
    const values = { code: offering.code, shares: grouped(String(shares - exercised)), amount: formatMoney(amount) };
    const notice: Notice = { about: "rightLapsed", values };
    batch.emit(memberId, { type: "offering.rightLapsed", offeringNo, message: putNotice(batch, memberId, lapsed, notice) });
  }
  batch.deferWrite(async (tx) => {
    const settled = await query(tx, SETTLE, [offeringNo, memberId, exercised, amount, batch.at]);
    if (settled.length !== 1) throw new Error(`the right of member ${memberId} in ${offeringNo} was settled already`);
  });
}

function command(offeringNo: string, memberIds: readonly number[]): QueuedCommand<void> {
  let rights: EntitlementRecord[] = [];
  let numbers: number[] = [];
  return {
    memberIds: [...memberIds],
    prepare: async (tx, batch) => {
      await subscriptionsIn(batch).readOf(tx, memberIds, offeringNo);
      rights = await query<EntitlementRecord>(tx, OF_MEMBERS, [offeringNo, memberIds]);
      numbers = (await query<{ id: number }>(tx, NUMBERS, [2 * rights.length])).map(({ id }) => id);
    },
    decide: (batch) => {
      const offering = subscriptionsIn(batch).offerings.get(offeringNo);
      if (!offering) return;
      for (const [nth, right] of rights.entries()) settle(batch, offering, right, numbers.slice(2 * nth, 2 * nth + 2));
    },
  };
}

/** Settles the rights of an increase that is closed or void; one that fails stops no other. @returns how many failed, which were reported */
export async function settleRights({ db, sequencer, report }: IncreaseDeps, { offering_no: offeringNo }: OfferingRecord): Promise<number> {
  let failed = 0;
  for (let after = 0; ;) {
    const memberIds = (await query<{ member_id: number }>(db.kysely, UNSETTLED, [offeringNo, after])).map(({ member_id }) => member_id);
    const last = memberIds.at(-1);
    if (last === undefined) return failed;
    after = last;
    try {
      await sequencer.submit(command(offeringNo, memberIds));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      for (const memberId of memberIds) {
        await sequencer.submit(command(offeringNo, [memberId])).catch((reason: unknown) => {
          failed += 1;
          report?.(reason);
        });
      }
    }
  }
}
