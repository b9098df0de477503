/** Application that is reviewed: the table row and its conversion to the contract's type. */
import { epochMs } from "#contract/kernel/time.ts";
import type { Application, ApplicationKind, ReviewReason, ReviewStatus } from "#contract/review.ts";

/** The operator's decision. */
export type Verdict = "review.approved" | "review.rejected" | "review.returned";

export interface ApplicationRecord {
  application_no: string;
  id: number;
  member_id: number;
  kind: ApplicationKind;
  status: ReviewStatus;
  statement: string;
  reason: ReviewReason | null;
  note: string | null;
  submitted_at: number;
  changed_at: number;
  verdict: Verdict | null;
  verdict_note: string | null;
}

export function toApplication(row: ApplicationRecord): Application {
  const { application_no: applicationNo, kind, status, statement, reason, note, submitted_at, changed_at } = row;
  return { applicationNo, kind, status, statement, reason, note, submittedAt: epochMs(submitted_at), changedAt: epochMs(changed_at) };
}
