/** Fixture of tests of savings plans and fund raisings: starting a plan, waiting for its months, and clean books. */
import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import type { Body } from "#contract/endpoints.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { SavingsPlan, SavingsRun } from "#contract/savings-plan.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = () => RequestId.parse(randomUUID());

/** A moment in Taipei: `2026-07-06 09:00`. */
export const taipei = (text: string) => epochMs(Date.parse(`${text.replace(" ", "T")}:00+08:00`));

/** NT$5,000 a month for 2330, on the 6th, unless it is said. */
export function startPlan(broker: TestBroker, member: number, over: Partial<Body<"startSavingsPlan">> = {}): Promise<SavingsPlan> {
  return broker.call("startSavingsPlan", member, { requestId: newId(), code: Code.parse("2330"), amount: 5_000, day: 6, ...over });
}

export async function planNow(broker: TestBroker, member: number, planNo: string): Promise<SavingsPlan> {
  const { plans } = await broker.call("listSavingsPlans", member, {});
  const found = plans.find((plan) => plan.planNo === planNo);
  if (!found) throw new Error(`no plan ${planNo}`);
  return found;
}

export const runsOf = async (broker: TestBroker, member: number): Promise<SavingsRun[]> =>
  (await broker.call("listSavingsRuns", member, { planNo: null, cursor: null })).items;

/** Waits until so many months of a member's plans are decided; the newest is first. */
export function decided(broker: TestBroker, member: number, count: number): Promise<SavingsRun[]> {
  return vi.waitFor(
    async () => {
      const runs = await runsOf(broker, member);
      expect(runs).toHaveLength(count);
      return runs;
    },
    { timeout: 30_000, interval: 20 },
  );
}

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}
