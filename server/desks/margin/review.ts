/** Applications for margin, reviewed: by what the operator said, or else by the house's own criteria once they lay long enough. */
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { MarginRule } from "#contract/rule.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { Counter } from "#server/desks/order/counter.ts";
import type { Round } from "#server/desks/order/round.ts";
import { changeHolder, openStanding, standingOf } from "./account.ts";

export interface ReviewDeps {
  db: Database;
  counter: Counter;
  /** Epoch milliseconds. */
  now: () => number;
}

/** What a review looks at. */
interface Applicant {
  member_id: number;
  identity: string;
  trade_barred: boolean;
  credit_score: number;
  created_at: number;
  margin_applied_at: number;
  /** What the operator decided; null leaves it to the house's criteria. */
  margin_verdict: "approved" | "rejected" | null;
}

const APPLICANTS = `
SELECT member_id, identity, trade_barred, credit_score, created_at, margin_applied_at, margin_verdict
FROM trader JOIN member ON id = member_id WHERE margin_status = 'pendingReview'`;

/** Whether an applicant meets the house's criteria. */
function meets(applicant: Applicant, rule: MarginRule, at: number): boolean {
  const { identity, trade_barred, credit_score, created_at } = applicant;
  if (identity !== "verified" || trade_barred) return false;
  return credit_score >= rule.minimumScore && at - created_at >= rule.accountDays * DAY_MS;
}

function decide(round: Round, applicant: Applicant, verdict: "approved" | "rejected"): void {
  const { member_id: memberId, margin_applied_at: appliedAt } = applicant;
  const { holder } = standingOf(round, memberId);
  // Withdrawn meanwhile, or another application than the one that was looked at.
  if (holder.margin_status !== "pendingReview" || holder.margin_applied_at !== appliedAt) return;
  const approved = verdict === "approved";
  changeHolder(round, memberId, approved ? "margin.approved" : "margin.rejected", {
    margin_status: verdict,
    margin_approved_at: approved ? round.at : null,
  });
  round.later(async (tx) => {
    await query(tx, "UPDATE trader SET margin_verdict = NULL WHERE member_id = $1", [memberId]);
  });
}

/** Review what lies there. Resolves when all that are due were decided. */
export async function reviewApplications({ db, counter, now }: ReviewDeps): Promise<void> {
  const at = now();
  for (const applicant of await query<Applicant>(db.kysely, APPLICANTS)) {
    const { member_id: memberId, margin_verdict: said } = applicant;
    const rule = counter.rules.of(memberId).margin;
    if (said === null && at < applicant.margin_applied_at + rule.reviewSeconds * SECOND_MS) continue;
    const verdict = said ?? (meets(applicant, rule, at) ? "approved" : "rejected");
    await counter.submit({
      memberIds: [memberId],
      prepare: (tx, round) => openStanding(tx, round, memberId),
      decide: (round) => decide(round, applicant, verdict),
    });
  }
}
