/** The lifecycle of a reviewed application: waiting for the member or a reviewer, then rejected, or approved and carried out; decided by the server. */
import { setup } from "xstate";
import type { ReviewFactType } from "#contract/review.ts";

type ReviewEvent = { type: ReviewFactType };

export const reviewMachine = setup({ types: { events: {} as ReviewEvent } }).createMachine({
  id: "review",
  initial: "pendingReview",
  states: {
    pendingReview: {
      on: {
        "review.returned": "waiting",
        "review.approved": "approved",
        "review.rejected": "rejected",
      },
    },
    waiting: {
      on: {
        "review.resubmitted": "pendingReview",
        "review.rejected": "rejected",
      },
    },
    approved: {
      on: {
        "review.started": "processing",
      },
    },
    processing: {
      on: {
        "review.succeeded": "success",
        "review.failed": "failure",
      },
    },
    rejected: { type: "final" },
    success: { type: "final" },
    failure: { type: "final" },
  },
});
