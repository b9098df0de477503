/** Tests the withdrawal lifecycle on a real broker: every state and transition of its machine, driven by the member, the clock and restrictions. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WITHDRAWAL_FACTS } from "#contract/withdrawal.ts";
import type { WithdrawalStatus } from "#contract/withdrawal.ts";
import { advance } from "#machines/advance.ts";
import { withdrawalMachine } from "#machines/withdrawal.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { expectCleanBooks, newId, newPayee, pass, withdraw, withdrawalBecomes } from "#tests/server/funding/fixture.ts";
import { reachable, nameOf, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(WITHDRAWAL_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(withdrawalMachine, events);

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

interface Life {
  member: number;
  withdrawalNo: string;
}

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "withdrawal.cancelled": ({ member, withdrawalNo }) => broker.call("cancelWithdrawal", member, { requestId: newId(), withdrawalNo }),
  "withdrawal.reviewed": async () => pass(broker, 21),
  "withdrawal.approved": async () => pass(broker, 11),
  "withdrawal.paid": async () => pass(broker, 11),
  "withdrawal.failed": async ({ member }) => {
    await query(broker.db.kysely, "UPDATE member SET restrictions = ARRAY['withdrawBarred'] WHERE id = $1", [member]);
    pass(broker, 11);
  },
};

/** Where the money is in each status. */
const MONEY: Record<WithdrawalStatus, { available: number; payout: number }> = {
  requested: { available: 99_000_000, payout: 1_000_000 },
  underReview: { available: 99_000_000, payout: 1_000_000 },
  processing: { available: 99_000_000, payout: 1_000_000 },
  paid: { available: 99_000_000, payout: 0 },
  failed: { available: 100_000_000, payout: 0 },
  cancelled: { available: 100_000_000, payout: 0 },
};

const driven = new Set<string>();

describe("every transition of a withdrawal", () => {
  it.each(paths)("$name", async ({ edges }) => {
    const payee = await newPayee(broker);
    const { withdrawalNo } = await withdraw(broker, payee);
    for (const { from, event, to } of edges) {
      await drivers[event]?.({ member: payee.member, withdrawalNo });
      await withdrawalBecomes(broker, payee.member, withdrawalNo, to as WithdrawalStatus);
      expect(advance(withdrawalMachine, from, event)).toBe(to);
      const { available, payout } = await readBalances(broker.db.kysely, payee.member);
      expect({ available, payout }).toEqual(MONEY[to as WithdrawalStatus]);
      driven.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(withdrawalMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toEqual(["cancelled", "failed", "paid", "processing", "requested", "underReview"]);
});
