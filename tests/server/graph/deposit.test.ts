/** Tests the deposit lifecycle on a real broker: every state and transition of its machine, driven by the sandbox bank's times and proofs. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEPOSIT_FACTS } from "#contract/deposit.ts";
import type { DepositStatus } from "#contract/deposit.ts";
import { advance } from "#machines/advance.ts";
import { depositMachine } from "#machines/deposit.ts";
import { query } from "#server/db/database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { availableOf, deposit, depositBecomes, expectCleanBooks, pass, setFunding } from "#tests/server/funding/fixture.ts";
import { reachable, nameOf, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(DEPOSIT_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(depositMachine, events);

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** Marks the deposit's proof as one that an earlier deposit was credited for. */
async function reuseProof(depositNo: string): Promise<void> {
  const before = await broker.newMember({ depositCents: 0 });
  const earlier = await deposit(broker, before);
  pass(broker, 6);
  await depositBecomes(broker, before, earlier.depositNo, "processing");
  pass(broker, 4);
  await depositBecomes(broker, before, earlier.depositNo, "credited");
  const hash = randomUUID();
  await query(broker.db.kysely, "UPDATE deposit SET proof_hash = $1 WHERE deposit_no = ANY ($2::text[])", [
    hash,
    [earlier.depositNo, depositNo],
  ]);
}

interface Life {
  member: number;
  depositNo: string;
}

const drivers: Record<string, (life: Life) => Promise<void>> = {
  "deposit.received": async () => pass(broker, 6),
  "deposit.credited": async () => pass(broker, 4),
  "deposit.rejected": async ({ member, depositNo }) => {
    // Not booked before the other deposit, whose time passes as well.
    await setFunding(broker, member, { bookSeconds: 1_000 });
    await reuseProof(depositNo);
    pass(broker, 1_000);
  },
  "deposit.expired": async ({ member }) => {
    await setFunding(broker, member, { reportSeconds: 1_000_000 });
    pass(broker, 86_401);
  },
};

const driven = new Set<string>();

describe("every transition of a deposit", () => {
  it.each(paths)("$name", async ({ edges }) => {
    const member = await broker.newMember({ depositCents: 0 });
    const { depositNo } = await deposit(broker, member);
    for (const { from, event, to } of edges) {
      await drivers[event]?.({ member, depositNo });
      await depositBecomes(broker, member, depositNo, to as DepositStatus);
      expect(advance(depositMachine, from, event)).toBe(to);
      expect(await availableOf(broker, member)).toBe(to === "credited" ? 1_000_000 : 0);
      driven.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(depositMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toEqual(["credited", "expired", "pending", "processing", "rejected"]);
});
