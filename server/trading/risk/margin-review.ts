/** Reviews applications for margin: by the operator's verdict, or by the broker's own criteria after a delay. */
import { missingFor } from "#contract/eligibility.ts";
import type { Restriction } from "#contract/eligibility.ts";
import type { IdentityStatus } from "#contract/identity.ts";
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { MarginRule } from "#contract/rule.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { changeHolder, openMarginAccount, marginIn } from "./margin-account.ts";

export interface ReviewDeps {
  db: Database;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
}

/** The data of a review. */
interface Applicant {
  member_id: number;
  identity: IdentityStatus;
  restrictions: Restriction[];
  credit_score: number;
  created_at: number;
  margin_applied_at: number;
  /** The operator's decision; null leaves it to the broker's criteria. */
  margin_verdict: "approved" | "rejected" | null;
}

const APPLICANTS = `
SELECT member_id, identity, restrictions, credit_score, created_at, margin_applied_at, margin_verdict
FROM trader JOIN member ON id = member_id WHERE margin_status = 'pendingReview'`;

/** Tells whether an applicant meets the broker's criteria. */
function meets(applicant: Applicant, rule: MarginRule, at: number): boolean {
  const { credit_score, created_at } = applicant;
  if (missingFor("openFacility", applicant).length > 0) return false;
  return credit_score >= rule.minimumScore && at - created_at >= rule.accountDays * DAY_MS;
}

function decide(batch: Batch, applicant: Applicant, verdict: "approved" | "rejected"): void {
  const { member_id: memberId, margin_applied_at: appliedAt } = applicant;
  const { holder } = marginIn(batch, memberId);
  // Withdrawn meanwhile, or a newer application.
  if (holder.margin_status !== "pendingReview" || holder.margin_applied_at !== appliedAt) return;
  const approved = verdict === "approved";
  changeHolder(batch, memberId, approved ? "margin.approved" : "margin.rejected", {
    margin_status: verdict,
    margin_approved_at: approved ? batch.at : null,
  });
  batch.deferWrite(async (tx) => {
    await query(tx, "UPDATE trader SET margin_verdict = NULL WHERE member_id = $1", [memberId]);
  });
}

/** Reviews pending applications. Resolves when all that are due were decided. */
export async function reviewApplications({ db, sequencer, now }: ReviewDeps): Promise<void> {
  const at = now();
  for (const applicant of await query<Applicant>(db.kysely, APPLICANTS)) {
    const { member_id: memberId, margin_verdict: said } = applicant;
    const rule = sequencer.rules.of(memberId).margin;
    if (said === null && at < applicant.margin_applied_at + rule.reviewSeconds * SECOND_MS) continue;
    const verdict = said ?? (meets(applicant, rule, at) ? "approved" : "rejected");
    await sequencer.submit({
      memberIds: [memberId],
      prepare: (tx, batch) => openMarginAccount(tx, batch, memberId),
      decide: (batch) => decide(batch, applicant, verdict),
    });
  }
}
