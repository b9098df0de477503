/**
 * Tests the margin-call lifecycle on a real broker: every state and transition of its machine, driven by prices, payments, the calendar and
 * forced sales.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isMarginFact } from "#contract/fact-kind.ts";
import type { MarginFact } from "#contract/fact.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { MARGIN_FACTS } from "#contract/margin.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import { advance } from "#machines/advance.ts";
import { marginCallMachine } from "#machines/margin-call.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { reachable, nameOf, transitionPaths } from "./paths.ts";

const events = Object.fromEntries(MARGIN_FACTS.map((type) => [type, { type }]));
const paths = transitionPaths(marginCallMachine, events).map((path, row) => ({ ...path, row }));
const codeOf = (row: number): string => String(3000 + row);

/** Bought at 100 with a loan of 60: called below 78, cleared from 99.6. */
const BOUGHT = 100;
const CALLED = 75;
const BETWEEN = 90;
const CLEARED = 105;

let broker: TestBroker;
beforeAll(async () => {
  const clock = { now: Date.UTC(2026, 6, 1, 2, 0, 0) };
  // One instrument per path, so that forced sales of one path do not match bids of another.
  const venue = fakeVenue(
    paths.map(({ row }) => fakeInstrument(row, codeOf(row))),
    () => clock.now,
  );
  broker = await openTestBroker({ venue, clock });
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

interface Life {
  member: number;
  row: number;
  dueAt: number;
}

/** Trades at a price; without bids unless some are given. */
function print({ row }: Pick<Life, "row">, last: number, bids: [number, number][] = []): void {
  broker.venue.set(row, { last, reference: last, volume: broker.venue.quote(row).volume + 1, bids, asks: [[last + 0.5, 400]] });
}

const drivers: Record<string, (life: Life) => Promise<unknown> | void> = {
  "margin.paid": ({ member }) => broker.call("payMargin", member, { requestId: RequestId.parse(randomUUID()), amount: 1 }),
  "margin.recovered": (life) => print(life, BETWEEN),
  "margin.fell": (life) => print(life, CALLED),
  "margin.cleared": (life) => print(life, CLEARED),
  // Without bids, the forced sale has to wait.
  "margin.overdue": (life) => {
    broker.clock.now = Math.max(broker.clock.now, life.dueAt + 1);
    print(life, CALLED);
  },
  "margin.liquidated": (life) => print(life, CALLED, [[CALLED, 400]]),
};

const factsOf = ({ member }: Pick<Life, "member">): MarginFact[] =>
  broker.published.flatMap(({ memberId, fact }) => (memberId === member && isMarginFact(fact) ? [fact] : []));

/** Resolves when exactly these facts were emitted. */
async function expectFacts(life: Pick<Life, "member">, wanted: readonly [type: string, status: string][]): Promise<void> {
  const now = () => factsOf(life).map(({ type, account }) => [type, account.call?.status ?? ""]);
  await vi.waitFor(() => expect(now().length).toBeGreaterThanOrEqual(wanted.length), { timeout: 30_000 });
  await broker.settled();
  expect(now()).toEqual(wanted);
}

/** A member with a margin position that was just called. */
async function called(row: number): Promise<Life> {
  const member = await broker.newMember();
  await query(broker.db.kysely, "UPDATE trader SET margin_status = 'approved' WHERE member_id = $1", [member]);
  print({ row }, BOUGHT);
  const ticket = { requestId: randomUUID(), code: codeOf(row), direction: "rise", pricing: "limit", price: BOUGHT * 10_000, lots: 10 };
  broker.venue.set(row, { asks: [[BOUGHT, 400]] });
  const order = await broker.call("placeOrder", member, PlaceOrderBody.parse({ ...ticket, funding: "margin" }));
  expect(order).toMatchObject({ status: "holding", funding: "margin" });
  print({ row }, CALLED);
  await expectFacts({ member }, [["margin.called", "due"]]);
  const dueAt = factsOf({ member })[0]?.account.call?.dueAt ?? 0;
  expect(dueAt).toBeGreaterThan(broker.clock.now);
  expect(dueAt).toBeLessThan(broker.clock.now + 30 * DAY_MS);
  return { member, row, dueAt };
}

const driven = new Set<string>();

describe("every transition of a margin call", () => {
  it.each(paths)("$name", async ({ edges, row }) => {
    broker.published.length = 0;
    const life = await called(row);
    for (const { from, event, to } of edges) {
      broker.published.length = 0;
      await drivers[event]?.(life);
      await expectFacts(life, [[event, to]]);
      expect(advance(marginCallMachine, from, event)).toBe(to);
      const { calls } = await broker.call("readMargin", life.member, {});
      expect(calls.map(({ status }) => status)).toEqual([to]);
      expect(calls[0]?.endedAt === null).toBe(to === "due" || to === "paused" || to === "overdue");
      driven.add(nameOf({ from, event, to }));
    }
  });
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(marginCallMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toEqual(["cleared", "due", "liquidated", "overdue", "paused"]);
});
