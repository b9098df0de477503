/** The review that an application goes through: to become an agent, or to take a seat. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { EpochMs } from "./kernel/time.ts";
import { eligibilityRefusals } from "./eligibility.ts";

/** In the specification's words. Waiting means for the member; processing means that what was approved is being carried out. */
export const REVIEW_STATUSES = ["pendingReview", "waiting", "approved", "rejected", "processing", "success", "failure"] as const;
export const ReviewStatus = z.enum(REVIEW_STATUSES);
export type ReviewStatus = z.infer<typeof ReviewStatus>;

export const REVIEW_FACTS = [
  /** The reviewer asks the member for more. */
  "review.returned",
  /** The member adds what was asked for. */
  "review.resubmitted",
  "review.approved",
  "review.rejected",
  /** What was approved is being carried out. */
  "review.started",
  "review.succeeded",
  "review.failed",
] as const;
export type ReviewFactType = (typeof REVIEW_FACTS)[number];

export const APPLICATION_KINDS = ["agent", "seat"] as const;
export const ApplicationKind = z.enum(APPLICATION_KINDS);
export type ApplicationKind = z.infer<typeof ApplicationKind>;

/**
 * Why an application was returned, rejected or failed: the statement says too little; a minor; a credit score too low; money owed; too few
 * executed orders; a restricted account; or the operator's decision.
 */
export const REVIEW_REASONS = ["statement", "minor", "score", "owed", "orders", "restricted", "operator"] as const;
export const ReviewReason = z.enum(REVIEW_REASONS);
export type ReviewReason = z.infer<typeof ReviewReason>;

export const Application = z.object({
  applicationNo: z.string(),
  kind: ApplicationKind,
  status: ReviewStatus,
  /** What the member wrote. */
  statement: z.string(),
  reason: z.nullable(ReviewReason),
  /** What the operator wrote to the member. */
  note: z.nullable(z.string()),
  submittedAt: EpochMs,
  changedAt: EpochMs,
});
export type Application = z.infer<typeof Application>;

/** Whether a member who has this application may make another one. */
export const mayApplyAgain = ({ status }: Pick<Application, "status">): boolean => status === "rejected" || status === "failure";

export const STATEMENT_MAX = 500;
/** What the member writes; how much is enough, the reviewer decides. */
export const Statement = z
  .string("GEN_FORM_INCOMPLETE")
  .check(z.trim(), z.minLength(1, "GEN_FORM_INCOMPLETE"), z.maxLength(STATEMENT_MAX, "GEN_PARAM_ERROR"));

const common = ["GEN_FORM_INCOMPLETE", "GEN_PARAM_ERROR", "GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;

export const reviewEndpoints = {
  applyForAgent: endpoint({
    path: "/agent/apply",
    access: "member",
    does: "Apply to become an agent, once.",
    body: z.object({ requestId: RequestId, statement: Statement }),
    data: Application,
    refusals: [...common, ...eligibilityRefusals("agent"), "ACC_APPLICATION_EXISTS"],
  }),
  applyForSeat: endpoint({
    path: "/seat/apply",
    access: "member",
    does: "Apply for a seat account, once.",
    body: z.object({ requestId: RequestId, statement: Statement }),
    data: Application,
    refusals: [...common, ...eligibilityRefusals("seat"), "ACC_SEAT_EXISTS", "ACC_APPLICATION_EXISTS"],
  }),
  answerReview: endpoint({
    path: "/review/answer",
    access: "member",
    does: "Answer the reviewer's question about an application: a new statement, which is reviewed again.",
    body: z.object({ requestId: RequestId, kind: ApplicationKind, statement: Statement }),
    data: Application,
    refusals: [...common, ...eligibilityRefusals("agent"), "GEN_NOT_FOUND"],
  }),
};
