/** Tests the lifecycle of savings plans on a real broker: every state and transition, driven by the member and the clock. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAVINGS_PLAN_FACTS } from "#contract/savings-plan.ts";
import type { SavingsPlanStatus } from "#contract/savings-plan.ts";
import { advance } from "#machines/advance.ts";
import { savingsPlanMachine } from "#machines/savings-plan.ts";
import { query } from "#server/db/database.ts";
import { decided, expectCleanBooks, newId, planNow, startPlan, taipei } from "#tests/server/funds/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(SAVINGS_PLAN_FACTS.map((type) => [type, { type }]));

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker({ clock: { now: taipei("2026-07-01 08:00") } });
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

interface Life {
  member: number;
  planNo: string;
}

/** The month that is due next is decided. */
async function pass({ member, planNo }: Life): Promise<void> {
  const { nextAt, orderedRuns, skippedRuns } = await planNow(broker, member, planNo);
  broker.clock.now = nextAt ?? 0;
  await decided(broker, member, orderedRuns + skippedRuns + 1);
}

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "savingsPlan.changed": ({ member, planNo }) =>
    broker.call("changeSavingsPlan", member, { requestId: newId(), planNo, amount: 6_000, day: 8 }),
  "savingsPlan.paused": ({ member, planNo }) => broker.call("pauseSavingsPlan", member, { requestId: newId(), planNo }),
  "savingsPlan.resumed": ({ member, planNo }) => broker.call("resumeSavingsPlan", member, { requestId: newId(), planNo }),
  "savingsPlan.ended": ({ member, planNo }) => broker.call("endSavingsPlan", member, { requestId: newId(), planNo }),
  "savingsPlan.ordered": pass,
  "savingsPlan.skipped": async (life) => {
    await query(broker.db.kysely, "UPDATE member SET restrictions = ARRAY['tradeBarred'] WHERE id = $1", [life.member]);
    await pass(life);
  },
};

const driven = new Set<string>();

describe("every transition of a savings plan", () => {
  it.each(transitionPaths(savingsPlanMachine, events))("$name", async ({ edges }) => {
    const member = await broker.newMember();
    const { planNo } = await startPlan(broker, member);
    for (const { from, event, to } of edges) {
      await drivers[event]?.({ member, planNo });
      const { status, nextAt } = await planNow(broker, member, planNo);
      expect(status).toBe(to);
      // Only an active plan has something to do.
      expect(nextAt !== null).toBe(to === "active");
      expect(advance(savingsPlanMachine, from as SavingsPlanStatus, event)).toBe(to);
      driven.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(savingsPlanMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toEqual(["active", "ended", "paused"]);
});
