/** Tests the review lifecycle on a real broker, of agents and of seats: every state and transition of its machine, driven by members, reviewers and restrictions. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { APPLICATION_KINDS, REVIEW_FACTS } from "#contract/review.ts";
import type { ApplicationKind } from "#contract/review.ts";
import { advance } from "#machines/advance.ts";
import { reviewMachine } from "#machines/review.ts";
import { decideApplication } from "#server/accounts/application-review.ts";
import type { Verdict } from "#server/records/application.ts";
import { query } from "#server/db/database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { apply, expectCleanBooks, newId, review, STATEMENT } from "#tests/server/reward/fixture.ts";
import { reachable, nameOf, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(REVIEW_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(reviewMachine, events);

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
  // The test takes each step itself.
  await broker.stop();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

interface Life {
  member: number;
  applicationNo: string;
  kind: ApplicationKind;
}

const decided =
  (verdict: Verdict) =>
  async ({ applicationNo }: Life): Promise<void> => {
    await decideApplication(broker.db.kysely, { applicationNo, verdict, note: null });
    await review(broker, 0);
  };

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "review.returned": decided("review.returned"),
  "review.approved": decided("review.approved"),
  "review.rejected": decided("review.rejected"),
  "review.resubmitted": ({ member, kind }) => broker.call("answerReview", member, { requestId: newId(), kind, statement: STATEMENT }),
  "review.started": () => review(broker, 0),
  "review.succeeded": () => review(broker, 0),
  "review.failed": async ({ member }) => {
    await query(broker.db.kysely, "UPDATE member SET restrictions = ARRAY['frozen'] WHERE id = $1", [member]);
    await review(broker, 0);
  },
};

const driven = new Set<string>();

describe.each(APPLICATION_KINDS)("every transition of the review of %s", (kind) => {
  it.each(paths)("$name", async ({ edges }) => {
    const member = await broker.newMember();
    const { applicationNo } = await apply(broker, member, kind);
    for (const { from, event, to } of edges) {
      await drivers[event]?.({ member, applicationNo, kind });
      const { application } = await broker.call(kind === "agent" ? "readAgent" : "readSeat", member, {});
      expect(application?.status).toBe(to);
      expect(advance(reviewMachine, from, event)).toBe(to);
      driven.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered", () => {
  const { edges } = reachable(reviewMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
});
