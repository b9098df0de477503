/** Tests the review machine: its states are the contract's statuses, and it takes exactly the listed facts. */
import { describe, expect, test } from "vitest";
import { REVIEW_FACTS, REVIEW_STATUSES } from "#contract/review.ts";
import { advance } from "#machines/advance.ts";
import { reviewMachine } from "#machines/review.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(REVIEW_FACTS.map((type) => [type, { type }]));

describe("review", () => {
  const table = {
    pendingReview: { "review.returned": "waiting", "review.approved": "approved", "review.rejected": "rejected" },
    waiting: { "review.resubmitted": "pendingReview", "review.rejected": "rejected" },
    approved: { "review.started": "processing" },
    processing: { "review.succeeded": "success", "review.failed": "failure" },
    rejected: {},
    success: {},
    failure: {},
  };

  test("has exactly the statuses of the contract", () => {
    expect(declaredStates(reviewMachine).toSorted()).toEqual([...REVIEW_STATUSES].toSorted());
  });

  test("accepts exactly the listed facts in every reachable status", () => {
    expect(transitionTable(reviewMachine, events, undefined)).toEqual(table);
  });

  test("advance returns the same transitions, and null for all others", () => {
    for (const status of REVIEW_STATUSES) {
      for (const fact of REVIEW_FACTS) {
        const row: Record<string, string> = table[status];
        expect(advance(reviewMachine, status, fact), `${status} ${fact}`).toBe(row[fact] ?? null);
      }
    }
  });
});
