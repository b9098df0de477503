/** Fixture of tests of savings plans and fund raisings: starting a plan, waiting for its months, and clean books. */
import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import type { Body } from "#contract/endpoints.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import type { Raise, RaiseStatus, Stake } from "#contract/raise.ts";
import type { SavingsPlan, SavingsRun } from "#contract/savings-plan.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import type { Issue } from "#server/venue/issue.ts";
import { FUND_PASSWORD, setFundPassword } from "#tests/server/funding/fixture.ts";
import { HOURS } from "#tests/server/offerings/fixture.ts";
import type { OfferingBroker } from "#tests/server/offerings/fixture.ts";
import { signByHand } from "#tests/support/signature.ts";
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

/** A fund at NT$12.00 with 100 lots of 1,000 units, of which others ask for 45: a member asks for 2 to 10 of them. */
export function announceFund(broker: OfferingBroker, over: Partial<Issue> = {}, lotsAsked = 45): string {
  const at = broker.clock.now;
  const fund = { distributions: 4, yieldPerMillion: 60_000, indexCode: null, maturesAt: null };
  const dates = { drawnAt: null, payableUntil: epochMs(at + HOURS.closes * HOUR_MS) };
  return broker.announce({ kind: "fund", price: 12 * PRICE_ONE, lots: 100, fund, ...dates, ...over }, { lotsAsked });
}

export const subscribe = (broker: TestBroker, member: number, code: string, over: Partial<Body<"subscribeRaise">> = {}) =>
  broker.call("subscribeRaise", member, { requestId: newId(), code: Code.parse(code), lots: 5, fundPassword: FUND_PASSWORD, ...over });
export const withdraw = (broker: TestBroker, member: number, stakeNo: string) =>
  broker.call("withdrawStake", member, { requestId: newId(), stakeNo });

/** Ticks the clocks until the raising of a code has this status. */
export function reaches(broker: TestBroker, member: number, code: string, status: RaiseStatus): Promise<Raise> {
  return vi.waitFor(
    async () => {
      await broker.tick();
      const found = (await broker.call("listRaises", member, {})).raises.find((raise) => raise.code === code);
      expect(found?.status).toBe(status);
      if (!found) throw new Error(`no raising of ${code}`);
      return found;
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** Announces a fund and opens its window. @returns its code */
export async function openFund(broker: OfferingBroker, member: number, over: Partial<Issue> = {}, lotsAsked = 45): Promise<string> {
  const code = announceFund(broker, over, lotsAsked);
  await reaches(broker, member, code, "upcoming");
  broker.pass(HOURS.opens);
  await reaches(broker, member, code, "raising");
  return code;
}

/** Ticks the clocks until a stake is as described. */
export function stakeIs(broker: TestBroker, member: number, stakeNo: string, like: object): Promise<Stake> {
  return vi.waitFor(
    async () => {
      await broker.tick();
      const found = (await broker.call("listStakes", member, { cursor: null })).items.find((one) => one.stakeNo === stakeNo);
      expect(found).toMatchObject(like);
      if (!found) throw new Error(`no stake ${stakeNo}`);
      return found;
    },
    { timeout: 30_000, interval: 20 },
  );
}

export async function moneyOf(broker: TestBroker, member: number) {
  const { available, reserved, held } = await readBalances(broker.db.kysely, member);
  return { available, reserved, held };
}

/** A verified member with a fund password and the signed agreement. */
export async function newSubscriber(broker: TestBroker, depositCents = 1_000_000_000): Promise<number> {
  const member = await broker.newMember({ depositCents });
  await setFundPassword(broker, member);
  await signByHand(broker, member, "subscription");
  return member;
}
