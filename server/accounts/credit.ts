/** The credit score in a batch: read under the member's lock, changed with a reason, written with everything else. */
import { HIGHEST_SCORE } from "#contract/credit.ts";
import type { CreditReason } from "#contract/credit.ts";
import { TAIPEI_OFFSET_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";

export interface CreditInBatch {
  score: number;
  /** Points that loans have brought in the current month. */
  monthPoints: number;
}

/** The first moment of the Taipei month of a moment. */
function monthStart(at: number): number {
  const local = new Date(at + TAIPEI_OFFSET_MS);
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), 1) - TAIPEI_OFFSET_MS;
}

const READ = `
SELECT credit_score AS score, (
  SELECT coalesce(sum(points), 0)::integer FROM credit_change WHERE member_id = $1 AND reason = 'loanRepaid' AND at >= $2
) AS "monthPoints" FROM member WHERE id = $1`;

const scores = new SharedRows<CreditInBatch>(async (tx, batch, memberId) => {
  const [credit] = await query<CreditInBatch>(tx, READ, [memberId, monthStart(batch.at)]);
  if (!credit) throw new Error(`member ${memberId} has no credit score`);
  return credit;
});

/** Reads a member's score once a batch; the member is locked. */
export const prepareCredit = (tx: Tx, batch: Batch, memberId: number): Promise<CreditInBatch> => scores.read(tx, batch, memberId);

/**
 * Changes the score by points, as far as it stays between 0 and 100, and emits the fact. Call `prepareCredit` first.
 * @returns the points that were really added
 */
export function changeScore(batch: Batch, memberId: number, points: number, reason: CreditReason, loanNo: string | null = null): number {
  const credit = scores.of(batch, memberId);
  if (!credit) throw new Error(`the score of member ${memberId} was not read in this batch`);
  const score = Math.min(HIGHEST_SCORE, Math.max(0, credit.score + points));
  const changed = score - credit.score;
  if (changed === 0) return 0;
  credit.score = score;
  if (reason === "loanRepaid") credit.monthPoints += changed;
  const { at } = batch;
  batch.emit(memberId, { type: "credit.changed", change: { at, points: changed, score, reason, loanNo } });
  batch.deferWrite(async (tx) => {
    await query(tx, "INSERT INTO credit_change (member_id, at, points, score, reason, loan_no) VALUES ($1, $2, $3, $4, $5, $6)", [
      memberId,
      at,
      changed,
      score,
      reason,
      loanNo,
    ]);
    await query(tx, "UPDATE member SET credit_score = $2 WHERE id = $1", [memberId, score]);
  });
  return changed;
}
