/** The review that an application goes through: a deposit, an agent, a seat. */
import * as z from "zod/mini";

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
