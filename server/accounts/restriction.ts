/**
 * Restrictions of members. A change ends the member's sessions in its own transaction; the running server then withdraws a banned member's
 * open orders, and the applications and stakes whose window is open, puts the reason into the inbox and tells the member, or the next
 * start does. A bid cannot be withdrawn, and what was won goes on: its deposit is lost, or what is due is debited.
 */
import { SIGN_IN_RESTRICTIONS } from "#contract/restriction.ts";
import type { RestrictionNotice, RestrictionReason } from "#contract/restriction.ts";
import type { Restriction } from "#contract/eligibility.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { lockMember } from "#server/db/member-lock.ts";
import { every } from "#server/kernel/every.ts";
import { toMessage } from "#server/records/message.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { readOpenApplications } from "#server/trading/clearing/open-applications.ts";
import { isForceClosing } from "#server/trading/risk/forced-close.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { orderNosOf } from "#server/trading/sequencer/open-orders.ts";
import { MAX_ORDERS } from "#server/trading/sequencer/queued-command.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";

/** A change of one restriction. */
export interface RestrictionChange extends RestrictionNotice {
  memberId: number;
  at: number;
}

const REVOKE = "UPDATE session SET revoked_at = $2 WHERE member_id = $1 AND revoked_at IS NULL";
const NOTE = `INSERT INTO restriction_change (member_id, restriction, imposed, reason, words, at) VALUES ($1, $2, $3, $4, $5, $6)`;

/** Imposes or lifts a restriction. @returns the restrictions before and after; the same when nothing changed */
export async function changeRestriction(tx: Tx, change: RestrictionChange): Promise<{ before: Restriction[]; after: Restriction[] }> {
  const { memberId, restriction, imposed, reason, words, at } = change;
  // Orders are decided under this lock: none is placed that has not seen the restriction.
  await lockMember(tx, memberId);
  const [row] = await query<{ restrictions: Restriction[] }>(tx, "SELECT restrictions FROM member WHERE id = $1", [memberId]);
  const before = row?.restrictions ?? [];
  if (before.includes(restriction) === imposed) return { before, after: before };
  const after = imposed ? [...before, restriction] : before.filter((one) => one !== restriction);
  await query(tx, "UPDATE member SET restrictions = $2 WHERE id = $1", [memberId, after]);
  if (imposed && restriction in SIGN_IN_RESTRICTIONS) await query(tx, REVOKE, [memberId, at]);
  await query(tx, NOTE, [memberId, restriction, imposed, reason, words, at]);
  return { before, after };
}

interface Untold {
  id: number;
  member_id: number;
  restriction: Restriction;
  imposed: boolean;
  reason: RestrictionReason;
  words: string;
}

export interface RestrictionDeps {
  db: Database;
  sequencer: Sequencer;
  /** Ends the member's sessions in memory and on open sockets. */
  endSessions?: ((memberId: number) => Promise<void>) | undefined;
  report?: ((error: unknown) => void) | undefined;
}

const UNTOLD =
  "SELECT id, member_id, restriction, imposed, reason, words FROM restriction_change WHERE told_at IS NULL ORDER BY id LIMIT 100";
const STILL = "SELECT nextval('message_no') AS n FROM restriction_change WHERE id = $1 AND told_at IS NULL";
const LOOK_EVERY_MS = 250;

/** Tells the member: a fact, and a message in the inbox. */
function tell(batch: Batch, { id, member_id: memberId, restriction, imposed, reason, words }: Untold, messageNo: number): void {
  const row = { id: messageNo, at: batch.at, kind: "restriction" as const, read: false };
  const notice: RestrictionNotice = { restriction, imposed, reason, words };
  const type = imposed ? "restriction.imposed" : "restriction.lifted";
  batch.emit(memberId, { type, message: toMessage({ ...row, restriction: notice }, null) });
  batch.deferWrite(async (tx) => {
    await query(tx, "UPDATE restriction_change SET told_at = $2 WHERE id = $1", [id, batch.at]);
    await tx
      .insertInto("message")
      .values({ ...row, member_id: memberId, alert_id: null, restriction: JSON.stringify(notice) })
      .execute();
  });
}

/** Withdraws a part of a banned member's orders, with the last part the applications, and tells the member. Closes by the broker go on. Resolves with whether that was all. */
function applying(untold: Untold): QueuedCommand<boolean> {
  const { id, member_id: memberId, restriction, imposed } = untold;
  const withdraws = restriction === "banned" && imposed;
  let messageNo: number | null = null;
  let chosen: string[] = [];
  let withdrawApplications = (): void => undefined;
  return {
    memberIds: [memberId],
    urgent: true,
    choosing: () => {
      if (!withdraws) return null;
      return (open) => {
        chosen = orderNosOf(open, null, ["pending", "readyToClose"]);
        return { orderNos: chosen };
      };
    },
    prepare: async (tx, batch) => {
      if (withdraws) withdrawApplications = await readOpenApplications(tx, batch, memberId);
      const [still] = await query<{ n: number }>(tx, STILL, [id]);
      messageNo = still?.n ?? null;
    },
    decide: (batch) => {
      if (messageNo === null) return true;
      const isBanned = batch.member(memberId).restrictions.includes("banned");
      const orders = isBanned ? batch.ordersOfMember(memberId) : [];
      const open = orders.filter((order) => chosen.includes(order.order_no) && !isForceClosing(order));
      for (const order of open.slice(0, MAX_ORDERS)) cancelRest(batch, order, "broker");
      const isLast = open.length <= MAX_ORDERS;
      if (isLast && isBanned) withdrawApplications();
      if (isLast) tell(batch, untold, messageNo);
      return isLast;
    },
  };
}

/** Applies every change that was not applied yet. */
export async function applyRestrictions({ db, sequencer, endSessions, report }: RestrictionDeps): Promise<void> {
  for (const untold of await query<Untold>(db.kysely, UNTOLD)) {
    try {
      // First, so that an ended session reads nothing more.
      if (untold.imposed && untold.restriction in SIGN_IN_RESTRICTIONS) await endSessions?.(untold.member_id);
      while (!(await sequencer.submit(applying(untold)))) continue;
    } catch (error) {
      report?.(error);
    }
  }
}

/** Looks for changes several times a second, at once at the start. @returns a function that stops it */
export function startRestrictions(deps: RestrictionDeps): () => void {
  return every(LOOK_EVERY_MS, () => applyRestrictions(deps), deps.report);
}
