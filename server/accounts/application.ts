/** Applications to become an agent or to take a seat, in a batch: submitted and answered by the member, decided by a reviewer, carried out. */
import { mayApplyAgain } from "#contract/review.ts";
import type { ApplicationKind, ReviewFactType, ReviewReason } from "#contract/review.ts";
import type { NoticeKind } from "#contract/notice.ts";
import { advance } from "#machines/advance.ts";
import { reviewMachine } from "#machines/review.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { ApplicationRecord } from "#server/records/application.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";
import { putNotice } from "./notice.ts";

const LATEST = "SELECT * FROM application WHERE member_id = $1 AND kind = $2 ORDER BY id DESC LIMIT 1";

/** A member's newest application of a kind; null for none. */
export async function readApplication(on: Reader, memberId: number, kind: ApplicationKind): Promise<ApplicationRecord | null> {
  const [row] = await query<ApplicationRecord>(on, LATEST, [memberId, kind]);
  return row ?? null;
}

/** What a command on an application reads. */
export interface ApplicationInBatch {
  latest: ApplicationRecord | null;
}

const newestOf = (kind: ApplicationKind): SharedRows<ApplicationInBatch> =>
  new SharedRows(async (tx, _batch, memberId) => ({ latest: await readApplication(tx, memberId, kind) }));
const newest: Record<ApplicationKind, SharedRows<ApplicationInBatch>> = { agent: newestOf("agent"), seat: newestOf("seat") };

/** Reads a member's newest application once a batch; the member is locked. */
export const prepareApplication = (tx: Tx, batch: Batch, memberId: number, kind: ApplicationKind): Promise<ApplicationInBatch> =>
  newest[kind].read(tx, batch, memberId);

/** Takes a number for an application. */
export async function takeApplicationNo(tx: Tx): Promise<number> {
  const [row] = await query<{ n: number }>(tx, "SELECT nextval('application_no') AS n");
  if (!row) throw new Error("no number for an application");
  return row.n;
}

const UPSERT = `INSERT INTO application SELECT * FROM json_populate_record(NULL::application, $1::json)
ON CONFLICT (application_no) DO UPDATE SET status = excluded.status, statement = excluded.statement, reason = excluded.reason,
  note = excluded.note, changed_at = excluded.changed_at, verdict = excluded.verdict, verdict_note = excluded.verdict_note`;

const write = (batch: Batch, row: ApplicationRecord): void => {
  const body = JSON.stringify(row);
  batch.deferWrite(async (tx) => {
    await query(tx, UPSERT, [body]);
  });
};

/** @throws Refusal one of `applyForAgent`'s or `applyForSeat`'s */
export function submitApplication(
  batch: Batch,
  memberId: number,
  kind: ApplicationKind,
  { statement, id }: { statement: string; id: number },
  read: ApplicationInBatch,
): ApplicationRecord {
  checkEligible(kind, batch.member(memberId));
  const { latest } = read;
  if (latest && !mayApplyAgain(latest)) {
    throw new Refusal(kind === "seat" && latest.status === "success" ? "ACC_SEAT_EXISTS" : "ACC_APPLICATION_EXISTS");
  }
  const row: ApplicationRecord = {
    application_no: `A${id}`,
    id,
    member_id: memberId,
    kind,
    status: "pendingReview",
    statement,
    reason: null,
    note: null,
    submitted_at: batch.at,
    changed_at: batch.at,
    verdict: null,
    verdict_note: null,
  };
  read.latest = row;
  batch.emit(memberId, { type: "review.submitted", applicationNo: row.application_no });
  write(batch, row);
  return row;
}

/** @throws Refusal one of `answerReview`'s */
export function answerReview(
  batch: Batch,
  memberId: number,
  kind: ApplicationKind,
  statement: string,
  { latest }: ApplicationInBatch,
): ApplicationRecord {
  checkEligible(kind, batch.member(memberId));
  if (latest?.status !== "waiting") throw new Refusal("GEN_NOT_FOUND", {}, "kind");
  latest.statement = statement;
  stepApplication(batch, latest, "review.resubmitted", {});
  return latest;
}

/** Which message a step of the review puts into the inbox. */
const SAID: Partial<Record<ReviewFactType, "Success" | "Rejected" | "Waiting" | "Failure">> = {
  "review.succeeded": "Success",
  "review.rejected": "Rejected",
  "review.returned": "Waiting",
  "review.failed": "Failure",
};

/** Why, and the operator's words. */
export interface Why {
  reason?: ReviewReason;
  note?: string | null;
  messageNo?: number;
}

/** Applies a fact. @throws Error when the machine forbids it, which is a fault */
export function stepApplication(batch: Batch, row: ApplicationRecord, type: ReviewFactType, why: Why): void {
  const status = advance(reviewMachine, row.status, type);
  if (!status) throw new Error(`${type} cannot happen to application ${row.application_no}, which is ${row.status}`);
  const { reason = null, note = null, messageNo } = why;
  Object.assign(row, { status, reason, note, changed_at: batch.at, verdict: null, verdict_note: null });
  const said = SAID[type];
  const about = said && (`${row.kind}${said}` as const satisfies NoticeKind);
  const message = about && messageNo !== undefined ? { message: putNotice(batch, row.member_id, messageNo, { about, values: {} }) } : {};
  batch.emit(row.member_id, { type, applicationNo: row.application_no, ...message });
  write(batch, row);
}
