/** Tests the lifecycles of stakes and fund raisings on a real broker: every state and transition, driven by the member, the market and the clock. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { OrderNo } from "#contract/kernel/id.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { RAISE_EVENTS, STAKE_FACTS } from "#contract/raise.ts";
import type { RaiseStatus, StakeStatus } from "#contract/raise.ts";
import { advance } from "#machines/advance.ts";
import { raiseMachine } from "#machines/raise.ts";
import { stakeMachine } from "#machines/stake.ts";
import { query } from "#server/db/database.ts";
import {
  announceFund,
  expectCleanBooks,
  moneyOf,
  newSubscriber,
  openFund,
  reaches,
  stakeIs,
  subscribe,
  withdraw,
} from "#tests/server/funds/fixture.ts";
import { HOURS, openOfferings } from "#tests/server/offerings/fixture.ts";
import type { OfferingBroker } from "#tests/server/offerings/fixture.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const eventsOf = (types: readonly string[]) => Object.fromEntries(types.map((type) => [type, { type }]));
const [stakeEvents, raiseEvents] = [eventsOf(STAKE_FACTS), eventsOf(RAISE_EVENTS)];

let broker: OfferingBroker;
let member: number;
beforeAll(async () => {
  broker = await openOfferings();
});
beforeEach(async () => {
  member = await newSubscriber(broker);
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const driven = { stake: new Set<string>(), raise: new Set<string>() };
const RICH = 1_000_000_000;
const NEED = 5 * 1_200_000 + 6_000;

/** Where the money is in each status; a stake that is sold has brought its price back. */
const MONEY: Record<Exclude<StakeStatus, "terminated">, { available: number; reserved: number; held: number }> = {
  subscribed: { available: RICH - NEED, reserved: NEED, held: 0 },
  inProgress: { available: RICH - NEED, reserved: 0, held: 0 },
  withdrawn: { available: RICH, reserved: 0, held: 0 },
  returned: { available: RICH, reserved: 0, held: 0 },
};

/** Lets as much time pass as is left until a moment after the announcement. */
const until = (began: number, hours: number): void => broker.pass((began - broker.clock.now) / 3_600_000 + hours);

async function sell(code: string, stakeNo: string, began: number): Promise<unknown> {
  until(began, HOURS.listed);
  await reaches(broker, member, code, "listed");
  broker.venue.set(broker.venue.instrument(code)?.row ?? 0, { bids: [[12, 100]], last: 12 });
  const { orderNo } = await stakeIs(broker, member, stakeNo, { status: "inProgress" });
  return broker.close(member, OrderNo.parse(orderNo), { lots: 5 });
}

describe("every transition of a stake", () => {
  it.each(transitionPaths(stakeMachine, stakeEvents))("$name", async ({ edges }) => {
    const began = broker.clock.now;
    // The crowd alone does not reach the least size where it is to fail.
    const fails = edges.some(({ event }) => event === "stake.returned");
    const code = await openFund(broker, member, {}, fails ? 10 : 45);
    const { stakeNo } = await subscribe(broker, member, code);
    for (const { from, event, to } of edges) {
      if (event === "stake.withdrawn") await withdraw(broker, member, stakeNo);
      if (event === "stake.allotted" || event === "stake.returned") until(began, HOURS.closes);
      if (event === "stake.delivered") until(began, HOURS.allotted);
      if (event === "stake.terminated") await sell(code, stakeNo, began);
      await stakeIs(broker, member, stakeNo, { status: to, ...(event === "stake.allotted" ? { allottedLots: 5 } : {}) });
      expect(advance(stakeMachine, from as StakeStatus, event)).toBe(to);
      if (to !== "terminated") expect(await moneyOf(broker, member)).toEqual(MONEY[to as keyof typeof MONEY]);
      driven.stake.add(nameOf({ from, event, to }));
    }
  });
});

describe("every transition of a raising", () => {
  it.each(transitionPaths(raiseMachine, raiseEvents))("$name", async ({ edges }) => {
    const began = broker.clock.now;
    const fails = edges.some(({ event }) => event === "raise.failed");
    const fund = { distributions: 0, yieldPerMillion: 0, indexCode: null, maturesAt: epochMs(began + 10 * 3_600_000) };
    const code = announceFund(broker, { fund }, fails ? 10 : 45);
    await reaches(broker, member, code, "upcoming");
    const at: Record<string, number> = {
      "raise.opened": HOURS.opens,
      "raise.raised": HOURS.closes,
      "raise.failed": HOURS.closes,
      "raise.listed": HOURS.listed,
      "raise.terminated": 10,
    };
    for (const { from, event, to } of edges) {
      until(began, at[event] ?? 0);
      await reaches(broker, member, code, to as RaiseStatus);
      expect(advance(raiseMachine, from as RaiseStatus, event)).toBe(to);
      driven.raise.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered, and the columns take the machines' states only", async () => {
  const stakes = reachable(stakeMachine, stakeEvents);
  const raises = reachable(raiseMachine, raiseEvents);
  expect(stakes.edges.filter((edge) => !driven.stake.has(edge))).toEqual([]);
  expect(raises.edges.filter((edge) => !driven.raise.has(edge))).toEqual([]);
  for (const [table, states] of [
    ["stake", stakes.states],
    ["raise", raises.states],
  ] as const) {
    const [check] = await query<{ definition: string }>(
      broker.db.kysely,
      "SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conrelid = $1::regclass AND conname = $2",
      [table, `${table}_status_check`],
    );
    const words = [...(check?.definition ?? "").matchAll(/'(\w+)'/g)].map(([, word]) => word ?? "");
    expect(new Set(words)).toEqual(new Set(states));
  }
});
