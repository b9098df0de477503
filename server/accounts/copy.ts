/** The member's commands of copy trading, each decided on rows read under the member's lock. */
import type { Body } from "#contract/endpoints.ts";
import { grouped } from "#contract/kernel/money.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { CopyRecord, MentorRow } from "#server/records/copy.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { readSigned } from "./agreements.ts";
import { copiesIn, stepCopy } from "./copies-in-batch.ts";

const MENTOR = `SELECT mentor.*, (SELECT count(*)::integer FROM copy WHERE copy.mentor_no = mentor.mentor_no AND status <> 'stopped') AS followers
FROM mentor WHERE mentor_no = $1`;
const FUND_PASSWORD = "SELECT FROM member WHERE id = $1 AND fund_password_hash IS NOT NULL";
const CENTS = 100;

/** What the member must have besides what the batch knows of them. */
interface OwnFacts {
  fundPassword: boolean;
  agreements: "copy"[];
}

/** What a command reads under the member's lock. */
export interface CopyReads extends OwnFacts {
  mentor: (MentorRow & { followers: number }) | null;
  nextId: number;
}

async function readOwn(tx: Tx, memberId: number): Promise<OwnFacts> {
  const signed = (await readSigned(tx, memberId)).some(({ kind }) => kind === "copy");
  return { agreements: signed ? ["copy"] : [], fundPassword: (await query(tx, FUND_PASSWORD, [memberId])).length > 0 };
}

export async function prepareFollow(tx: Tx, batch: Batch, memberId: number, mentorNo: string): Promise<CopyReads> {
  await copiesIn(batch).read(tx, [memberId]);
  const [mentor] = await query<MentorRow & { followers: number }>(tx, MENTOR, [mentorNo]);
  const [number] = await query<{ id: number }>(tx, "SELECT nextval('copy_no') AS id");
  if (!number) throw new Error("no number for a copy");
  return { mentor: mentor ?? null, nextId: number.id, ...(await readOwn(tx, memberId)) };
}

export async function prepareCopy(tx: Tx, batch: Batch, memberId: number, copyNo: string): Promise<OwnFacts> {
  await copiesIn(batch).read(tx, [memberId]);
  await copiesIn(batch).readEnded(tx, memberId, copyNo);
  return readOwn(tx, memberId);
}

function checkMayFollow(batch: Batch, memberId: number, own: OwnFacts): void {
  checkEligible("follow", { ...batch.member(memberId), ...own, debtCents: batch.ledger.debt(memberId).owed });
}

/** The mentor, where the member can begin to follow. */
function checkMentor(batch: Batch, memberId: number, { mentor }: CopyReads): MentorRow {
  if (!mentor || mentor.member_id === memberId) throw new Refusal("GEN_NOT_FOUND", {}, "mentorNo");
  if (mentor.removed_at !== null) throw new Refusal("TRD_COPY_REMOVED", {}, "mentorNo");
  if (mentor.closes_at !== null && mentor.closes_at <= batch.at) throw new Refusal("TRD_COPY_DEADLINE", {}, "mentorNo");
  const following = copiesIn(batch).followersOf(mentor.mentor_no);
  if (following.some((row) => row.member_id === memberId)) throw new Refusal("TRD_COPY_FOLLOWING", {}, "mentorNo");
  // Those who began in this batch are not among those counted.
  const begun = copiesIn(batch).begunOf(mentor.mentor_no);
  if (mentor.followers + begun >= batch.rules.of(memberId).copy.followers) throw new Refusal("TRD_COPY_FULL", {}, "mentorNo");
  return mentor;
}

/** Begins to follow a mentor. @throws Refusal one of `followMentor`'s */
export function follow(batch: Batch, memberId: number, body: Body<"followMentor">, reads: CopyReads): CopyRecord {
  checkMayFollow(batch, memberId, reads);
  const mentor = checkMentor(batch, memberId, reads);
  const { minimumCents } = batch.rules.of(memberId).copy;
  const amount = body.amount * CENTS;
  if (amount < minimumCents) throw new Refusal("TRD_PRODUCT_MIN", { n: grouped(String(minimumCents / CENTS)) }, "amount");
  if (amount > batch.ledger.balance(memberId, "available")) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "amount");
  const row: CopyRecord = {
    copy_no: `Y${reads.nextId}`,
    id: reads.nextId,
    member_id: memberId,
    mentor_no: mentor.mentor_no,
    strategy: mentor.strategy,
    name: mentor.name,
    status: "following",
    amount_cents: amount,
    stop_percent: body.stopPercent,
    started_at: batch.at,
    copies_from: batch.at,
    until_at: batch.at + body.days * DAY_MS,
    ended_at: null,
    reason: null,
    kept: false,
    copied: 0,
    left_out: 0,
    slippage_cents: 0,
    version: 0,
  };
  copiesIn(batch).add(row);
  stepCopy(batch, row, "copy.started");
  return row;
}

/** The member's copy that goes on. @throws Refusal GEN_NOT_FOUND, TRD_COPY_DEADLINE, TRD_COPY_REMOVED, TRD_COPY_ENDED */
function openRow(batch: Batch, memberId: number, copyNo: string): CopyRecord {
  const row = copiesIn(batch).row(memberId, copyNo);
  if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "copyNo");
  // Its deadline counts from its moment, also before the clock has acted.
  if (row.reason === "deadline" || (row.reason === null && row.until_at <= batch.at)) throw new Refusal("TRD_COPY_DEADLINE", {}, "copyNo");
  if (row.reason === "removed") throw new Refusal("TRD_COPY_REMOVED", {}, "copyNo");
  if (row.reason !== null) throw new Refusal("TRD_COPY_ENDED", {}, "copyNo");
  return row;
}

/** @throws Refusal one of `pauseCopy`'s */
export function pauseCopy(batch: Batch, memberId: number, copyNo: string): CopyRecord {
  const row = openRow(batch, memberId, copyNo);
  if (row.status !== "following") throw new Refusal("TRD_COPY_NOT_ACTIVE", {}, "copyNo");
  stepCopy(batch, row, "copy.paused");
  return row;
}

/** @throws Refusal one of `resumeCopy`'s */
export function resumeCopy(batch: Batch, memberId: number, copyNo: string, own: OwnFacts): CopyRecord {
  checkMayFollow(batch, memberId, own);
  const row = openRow(batch, memberId, copyNo);
  if (row.status !== "paused") throw new Refusal("TRD_COPY_NOT_PAUSED", {}, "copyNo");
  row.copies_from = batch.at;
  stepCopy(batch, row, "copy.resumed");
  return row;
}

/** Stops: the clock then sells what was copied, or it is kept. @throws Refusal one of `stopCopy`'s */
export function stopCopy(batch: Batch, memberId: number, { copyNo, keep }: Pick<Body<"stopCopy">, "copyNo" | "keep">): CopyRecord {
  const row = openRow(batch, memberId, copyNo);
  row.reason = "member";
  row.kept = keep;
  stepCopy(batch, row, keep ? "copy.stopped" : "copy.stopping");
  return row;
}
