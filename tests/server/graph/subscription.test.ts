/** Tests the lifecycle of an application on a real broker: every state and transition, driven by the member and the clock. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SUBSCRIPTION_FACTS } from "#contract/subscription.ts";
import type { SubscriptionStatus } from "#contract/subscription.ts";
import { advance } from "#machines/advance.ts";
import { subscriptionMachine } from "#machines/subscription.ts";
import { query } from "#server/db/database.ts";
import {
  DELIVERY,
  DEPOSIT,
  FEE,
  VALUE,
  apply,
  becomes,
  expectCleanBooks,
  moneyOf,
  newSubscriber,
  openOfferings,
  openWindow,
  pay,
  reaches,
  readSubscription,
  setRule,
  waive,
  withdraw,
} from "#tests/server/offerings/fixture.ts";
import type { OfferingBroker } from "#tests/server/offerings/fixture.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(SUBSCRIPTION_FACTS.filter((type) => type !== "subscription.applied").map((type) => [type, { type }]));
const paths = transitionPaths(subscriptionMachine, events);

let broker: OfferingBroker;
beforeAll(async () => {
  broker = await openOfferings();
  await setRule(broker, null, { barredDraws: 0 });
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

interface Life {
  member: number;
  subscriptionNo: string;
  offeringNo: string;
  code: string;
}

/** Passes to the draw. */
const pass = async ({ member, code }: Life): Promise<void> => {
  broker.pass(1);
  await reaches(broker, member, code, "closed");
  broker.pass(1);
};
const toPayment = async ({ member, code }: Life): Promise<void> => {
  const { payableFrom } = (await reaches(broker, member, code, "drawn")).offering;
  broker.clock.now = Math.max(broker.clock.now, payableFrom ?? 0);
};

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "subscription.withdrawn": ({ member, subscriptionNo }) => withdraw(broker, member, subscriptionNo),
  "subscription.won": pass,
  "subscription.notWon": pass,
  "subscription.reminded": async ({ member, code }) => {
    const { payableFrom, payableUntil } = (await reaches(broker, member, code, "drawn")).offering;
    broker.clock.now = Math.ceil(((payableFrom ?? 0) + payableUntil) / 2);
  },
  "subscription.voided": async (life) => {
    // Before the draw by a lost secret, after it by a market that is gone.
    const { status } = await readSubscription(broker, life.member, life.subscriptionNo);
    const loss =
      status === "subscribing"
        ? "DELETE FROM offering_secret WHERE offering_no = $1"
        : "UPDATE offering SET market = 'another' WHERE offering_no = $1";
    await query(broker.db.kysely, loss, [life.offeringNo]);
    broker.pass(2);
    await reaches(broker, life.member, life.code, "void");
    broker.faults.length = 0;
  },
  "subscription.paid": async (life) => {
    await toPayment(life);
    await pay(broker, life.member, life.subscriptionNo);
  },
  "subscription.waived": async (life) => {
    await toPayment(life);
    await waive(broker, life.member, life.subscriptionNo);
  },
  "subscription.paymentFailed": async ({ member, code }) => {
    broker.clock.now = (await reaches(broker, member, code, "drawn")).offering.payableUntil;
  },
  "subscription.allotted": async ({ member, code }) => {
    broker.clock.now = (await reaches(broker, member, code, "drawn")).offering.allottedAt;
    await reaches(broker, member, code, "allotted");
  },
};

/** Enough for the application, the whole price, or not. */
const POOR = FEE + DELIVERY + DEPOSIT;
const ABLE = FEE + DELIVERY + VALUE;

/** Where the money is in each status, before the delivery. */
const MONEY: Record<SubscriptionStatus, (had: number) => { available: number; reserved: number }> = {
  subscribing: (had) => ({ available: had - POOR, reserved: DELIVERY + DEPOSIT }),
  withdrawn: (had) => ({ available: had - FEE, reserved: 0 }),
  won: (had) => ({ available: had - POOR, reserved: DELIVERY + DEPOSIT }),
  notWon: (had) => ({ available: had - FEE, reserved: 0 }),
  paid: (had) => ({ available: had - ABLE, reserved: DELIVERY + VALUE }),
  paymentFailed: (had) => ({ available: had - FEE - DEPOSIT, reserved: 0 }),
  waived: (had) => ({ available: had - FEE - DEPOSIT, reserved: 0 }),
  voided: (had) => ({ available: had, reserved: 0 }),
};

const driven = new Set<string>();

describe("every transition of an application", () => {
  it.each(paths)("$name", async ({ edges }) => {
    const has = (type: string): boolean => edges.some(({ event }) => event === type);
    const had = has("subscription.paymentFailed") ? POOR : ABLE;
    const member = await newSubscriber(broker, had);
    // Among so many others nobody wins.
    const crowd = { applications: () => (has("subscription.notWon") ? 1_000_000_000_000 : 0) };
    const { offeringNo, code } = await openWindow(broker, member, {}, crowd);
    const { subscriptionNo } = await apply(broker, member, offeringNo);
    for (const { from, event, to } of edges) {
      await drivers[event]?.({ member, subscriptionNo, offeringNo, code });
      await becomes(broker, member, subscriptionNo, to as SubscriptionStatus);
      expect(advance(subscriptionMachine, from as SubscriptionStatus, event)).toBe(to);
      const expected = MONEY[to as SubscriptionStatus](had);
      expect(await moneyOf(broker, member)).toEqual(event === "subscription.allotted" ? { ...expected, reserved: 0 } : expected);
      driven.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered, and the column takes every status", async () => {
  const { edges, states } = reachable(subscriptionMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  const found = await query<{ status: string }>(broker.db.kysely, "SELECT DISTINCT status FROM subscription ORDER BY status");
  expect(new Set(states)).toEqual(new Set([...found.map(({ status }) => status), "subscribing", "won"]));
});
