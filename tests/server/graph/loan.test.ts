/** Tests the loan lifecycle on a real broker: every state and transition of its machine, driven by the member and by the days. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOAN_FACTS } from "#contract/loan.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { advance } from "#machines/advance.ts";
import { loanMachine } from "#machines/loan.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { draw, expectCleanBooks, loanNow, offer, passDays, repay, setCredit, sign } from "#tests/server/credit/fixture.ts";
import { nameOf, reachable, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(LOAN_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(loanMachine, events);
const START = Date.UTC(2026, 6, 1, 2, 0, 0);

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
  loanNo: string;
}

/** What members bought with all their money, by member. */
const bought = new Map<number, OrderNo>();
const LOTS = 12;

/** Spends what the member has, so that nothing can be debited. */
async function spend(member: number): Promise<void> {
  broker.venue.set(0, { bids: [[100, 400]], asks: [[100, 400]], last: 100, reference: 100 });
  const { orderNo } = await broker.place(member, { lots: LOTS, price: 100 });
  bought.set(member, orderNo);
}

/** Sells it again. */
async function raise(member: number): Promise<void> {
  const orderNo = bought.get(member);
  if (orderNo !== undefined) await broker.close(member, orderNo, { lots: LOTS });
  bought.delete(member);
}

const drivers: Record<string, (life: Life) => Promise<unknown>> = {
  "loan.signed": ({ member }) => sign(broker, member),
  "loan.drawn": ({ member, loanNo }) => draw(broker, member, loanNo),
  "loan.lapsed": async () => {
    broker.clock.now += 31 * MINUTE_MS;
    await passDays(broker, 1);
  },
  "loan.accrued": () => passDays(broker, 1),
  "loan.partlyRepaid": async ({ member, loanNo }) => {
    await raise(member);
    await repay(broker, member, loanNo, 100);
  },
  "loan.overdue": async ({ member }) => {
    await spend(member);
    await setCredit(broker, member, { graceDays: 0 });
    await passDays(broker, 8);
  },
  "loan.repaid": async ({ member, loanNo }) => {
    await raise(member);
    const { principalCents, interestCents } = await loanNow(broker, member, loanNo);
    await repay(broker, member, loanNo, principalCents + interestCents);
  },
};

const driven = new Set<string>();

describe("every transition of a loan", () => {
  it.each(paths)("$name", async ({ edges }) => {
    broker.clock.now = START;
    const member = await broker.newMember({ depositCents: 112_000_000 });
    const { loanNo } = await offer(broker, member, 10_000_000, 7);
    for (const { from, event, to } of edges) {
      await drivers[event]?.({ member, loanNo });
      expect((await loanNow(broker, member, loanNo)).status).toBe(to);
      expect(advance(loanMachine, from, event)).toBe(to);
      driven.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(loanMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toEqual(["drawn", "lapsed", "offered", "overdue", "repaid", "signed"]);
});
