/** Reviews applications: by the operator's verdict, or by the sandbox reviewer's checks after a while; then carries out what was approved. */
import { isMinor } from "#contract/birth-date.ts";
import { missingFor } from "#contract/eligibility.ts";
import { SECOND_MS, taipeiDay } from "#contract/kernel/time.ts";
import type { ReviewFactType, ReviewReason } from "#contract/review.ts";
import type { RewardRule } from "#contract/reward.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader, Tx } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { ApplicationRecord, Verdict } from "#server/records/application.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { prepareApplication, stepApplication } from "./application.ts";
import { takeMessageNo } from "./notice.ts";

export interface ApplicationReviewDeps {
  db: Database;
  sequencer: Sequencer;
  /** Reports faults; the step is tried again at the next look. */
  report?: ((error: unknown) => void) | undefined;
}

/** What the reviewer looks at. */
interface Applicant {
  credit_score: number;
  birth_date: string | null;
  /** Orders with a fill. */
  orders: number;
}

const OPEN = `SELECT id, member_id, kind FROM application
WHERE status IN ('pendingReview', 'approved', 'processing') OR verdict IS NOT NULL ORDER BY id`;
/** Counting stops where it is enough. */
const APPLICANT = `
SELECT credit_score, birth_date, (
  SELECT count(*)::integer FROM (SELECT FROM "order" WHERE "order".member_id = $1 AND filled_lots > 0 LIMIT $2) AS filled
) AS orders FROM member WHERE id = $1`;

interface Step {
  type: ReviewFactType;
  reason?: ReviewReason;
  note?: string | null;
}

/** Letters that say something: without spaces and repetitions of one letter. */
const lettersOf = (statement: string): number => statement.replaceAll(/\s/g, "").replaceAll(/(.)\1{2,}/gu, "$1").length;

/** The sandbox reviewer's decision. */
function judge(batch: Batch, { kind, member_id: memberId, statement }: ApplicationRecord, applicant: Applicant): Step {
  const rule: RewardRule = batch.rules.of(memberId).reward;
  const { adultYears } = batch.rules.of(memberId).account;
  const rejected = (reason: ReviewReason): Step => ({ type: "review.rejected", reason });
  const member = batch.member(memberId);
  if (missingFor(kind, member).length > 0) return rejected("restricted");
  const { birth_date: birth, credit_score: score, orders } = applicant;
  if (isMinor(birth, taipeiDay(batch.at), adultYears)) return rejected("minor");
  if (batch.ledger.debt(memberId).owed > 0) return rejected("owed");
  if (score < (kind === "agent" ? rule.agentMinimumScore : rule.seatMinimumScore)) return rejected("score");
  if (kind === "seat" && orders < rule.seatMinimumOrders) return rejected("orders");
  if (lettersOf(statement) < rule.statementLetters) return { type: "review.returned", reason: "statement" };
  return { type: "review.approved" };
}

/** What happens to an application now; null while it is too early. */
function stepDue(batch: Batch, row: ApplicationRecord, applicant: Applicant): Step | null {
  const { status, verdict, verdict_note: note } = row;
  if (status === "approved") return { type: "review.started" };
  if (status === "processing") {
    const allowed = missingFor(row.kind, batch.member(row.member_id)).length === 0;
    return allowed ? { type: "review.succeeded" } : { type: "review.failed", reason: "restricted" };
  }
  if (status !== "pendingReview" && !(status === "waiting" && verdict === "review.rejected")) return null;
  if (verdict === "review.approved") return { type: verdict };
  if (verdict !== null) return { type: verdict, reason: "operator", note };
  if (batch.at < row.changed_at + batch.rules.of(row.member_id).reward.reviewSeconds * SECOND_MS) return null;
  return judge(batch, row, applicant);
}

/** A seat is a rule of the member; one that the operator made already may be better. */
const OPEN_SEAT = `
WITH better AS (
  UPDATE rule SET body = body || jsonb_build_object('feePerMillion', least((body ->> 'feePerMillion')::integer, $2::integer))
  WHERE part = 'trade' AND member_id = $1 AND board IS NULL AND kind IS NULL AND code IS NULL AND bonds IS NULL
    AND valid_from IS NULL AND valid_until IS NULL
  RETURNING id
)
INSERT INTO rule (part, member_id, body)
SELECT 'trade', $1, jsonb_build_object('feePerMillion', $2::integer) WHERE NOT EXISTS (SELECT FROM better)`;
const OPEN_AGENT = "INSERT INTO agent (member_id, opened_at) VALUES ($1, $2)";

/** Gives the member what was approved. */
function carryOut(batch: Batch, { kind, member_id: memberId }: ApplicationRecord): void {
  const { seatFeePerMillion } = batch.rules.of(memberId).reward;
  batch.deferWrite(async (tx) => {
    if (kind === "seat") await query(tx, OPEN_SEAT, [memberId, seatFeePerMillion]);
    else await query(tx, OPEN_AGENT, [memberId, batch.at]);
  });
}

/** One step of an application, if it is due. @returns whether a seat was opened, whose rule must be read */
function reviewStep({ id, member_id: memberId, kind }: Pick<ApplicationRecord, "id" | "member_id" | "kind">) {
  let row: ApplicationRecord | null = null;
  let applicant: Applicant | undefined;
  let messageNo = 0;
  return {
    memberIds: [memberId],
    prepare: async (tx: Tx, batch: Batch): Promise<void> => {
      const { latest } = await prepareApplication(tx, batch, memberId, kind);
      row = latest?.id === id ? latest : null;
      [applicant] = await query<Applicant>(tx, APPLICANT, [memberId, batch.rules.of(memberId).reward.seatMinimumOrders]);
      messageNo = await takeMessageNo(tx);
    },
    decide: (batch: Batch): boolean => {
      const step = row && applicant ? stepDue(batch, row, applicant) : null;
      if (!row || !step) return false;
      const { type, ...why } = step;
      stepApplication(batch, row, type, { ...why, messageNo });
      if (type === "review.succeeded") carryOut(batch, row);
      return type === "review.succeeded" && row.kind === "seat";
    },
  };
}

/** Takes the next step of every application, if it is due. */
export async function reviewApplications({ db, sequencer, report }: ApplicationReviewDeps): Promise<void> {
  const open = await query<Pick<ApplicationRecord, "id" | "member_id" | "kind">>(db.kysely, OPEN);
  const seats = await Promise.all(
    open.map((one) =>
      sequencer.submit(reviewStep(one)).catch((error: unknown) => {
        report?.(error);
        return false;
      }),
    ),
  );
  if (seats.includes(true)) await sequencer.rules.reload(db.kysely);
}

/** Looks every second. @returns a function that stops it */
export function startApplicationReview(deps: ApplicationReviewDeps): () => void {
  return every(SECOND_MS, () => reviewApplications(deps), deps.report);
}

export interface ApplicationVerdict {
  applicationNo: string;
  verdict: Verdict;
  /** To the member. */
  note: string | null;
}

const DECIDE = `UPDATE application SET verdict = $2, verdict_note = $3
WHERE application_no = $1 AND (status = 'pendingReview' OR (status = 'waiting' AND $2 = 'review.rejected')) RETURNING application_no`;

/** Stores the operator's decision, which the server applies within a second, or at its next start. @returns whether there was one to decide */
export async function decideApplication(on: Reader, { applicationNo, verdict, note }: ApplicationVerdict): Promise<boolean> {
  return (await query(on, DECIDE, [applicationNo, verdict, note])).length > 0;
}
