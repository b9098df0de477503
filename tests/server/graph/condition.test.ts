/** Tests the exit-order lifecycle on a real broker: every state and transition of its machine, driven by market, member and broker. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONDITION_FACTS } from "#contract/condition.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { isConditionFact } from "#contract/fact-kind.ts";
import type { ConditionFact } from "#contract/fact.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { PRICE_ONE, price } from "#contract/kernel/money.ts";
import { HOUR_MS, epochMs, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import { advance } from "#machines/advance.ts";
import { conditionMachine } from "#machines/condition.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";
import { reachable, nameOf, transitionPaths } from "./paths.ts";
import type { Path } from "./paths.ts";

/** Exit orders of a locked position wait. They failed in earlier versions, whose records and facts are still read. */
const FORMER = "condition.failed";
const events = Object.fromEntries(CONDITION_FACTS.filter((type) => type !== FORMER).map((type) => [type, { type }]));
const ROW = 0;
const STOP = 98;
/** Of the other exit, whose firing cancels the stop. */
const TAKE_PROFIT = 104;

let broker: TestBroker;
/** Ex-events of the instrument, which the venue announces from their date on. */
const announced: CorporateAction[] = [];
const clock = { now: Date.UTC(2026, 6, 1, 2, 0, 0) };
const day = (): number => taipeiDay(clock.now);

beforeAll(async () => {
  const plain = fakeVenue(INSTRUMENTS, () => clock.now);
  const venue = { ...plain, actions: async () => announced.filter(({ at }) => at <= plain.state(clock.now).opensAt) };
  venue.setDay(taipeiMidnight(day()), taipeiMidnight(day() + 1));
  broker = await openTestBroker({ venue, clock });
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

/** Trades one lot at a price, with enough depth around it. */
function print(last: number): void {
  const volume = broker.venue.quote(ROW).volume + 1;
  broker.venue.set(ROW, { last, volume, bids: [[last, 400]], asks: [[last + 0.5, 400]], reference: 100 });
}

/** Trades one lot at a price at which nobody buys: a close rests. */
function printUnsold(last: number): void {
  const volume = broker.venue.quote(ROW).volume + 1;
  broker.venue.set(ROW, { last, volume, bids: [], asks: [[last + 0.5, 400]], reference: 100 });
}

interface Life {
  member: number;
  orderNo: OrderNo;
}

/** Ends the day. */
function endDay(): void {
  clock.now = taipeiMidnight(day() + 1) + HOUR_MS;
  broker.venue.setDay(taipeiMidnight(day()), taipeiMidnight(day() + 1));
}

/** Splits the shares in two on the next day: every pending price halves. */
function split(): void {
  const reference = price(50 * PRICE_ONE);
  const none = { cash: price(0), rightsMillionths: 0, rightsPrice: price(0), closeBefore: price(100 * PRICE_ONE), reference };
  announced.push({ at: epochMs(taipeiMidnight(day() + 1)), kind: "split", freeMillionths: 1_000_000, ...none });
  clock.now = taipeiMidnight(day() + 1) + HOUR_MS;
  broker.venue.set(ROW, { last: 50, reference: 50, bids: [[50, 400]], asks: [[50.5, 400]] });
  broker.venue.setDay(taipeiMidnight(day()), taipeiMidnight(day() + 1));
}

const drivers: Record<string, (life: Life) => Promise<unknown> | void> = {
  "condition.adjusted": split,
  "condition.fired": () => printUnsold(STOP - 0.5),
  "condition.cancelled": () => printUnsold(TAKE_PROFIT + 0.5),
  "condition.rearmed": endDay,
};

/** The facts of the stop so far. */
const factsOf = ({ member }: Life): ConditionFact[] =>
  broker.published.flatMap(({ memberId, fact }) =>
    memberId === member && isConditionFact(fact) && fact.condition.kind === "stop" ? [fact] : [],
  );

const driven = new Set<string>();

async function live({ edges }: Path): Promise<void> {
  print(100);
  await broker.settled();
  const member = await broker.newMember();
  const exits = [
    { kind: "stop", price: STOP * PRICE_ONE },
    { kind: "takeProfit", price: TAKE_PROFIT * PRICE_ONE },
  ];
  const ticket = { requestId: uuid(), code: "2330", direction: "rise", pricing: "market", price: null, lots: 2, exits };
  const { orderNo } = await broker.call("placeOrder", member, PlaceOrderBody.parse(ticket));
  const life: Life = { member, orderNo };
  expect(factsOf(life).map(({ type, condition }) => [type, condition.status])).toEqual([["condition.set", "waiting"]]);
  for (const { from, event, to } of edges) {
    broker.published.length = 0;
    await drivers[event]?.(life);
    await broker.settled();
    expect(factsOf(life).map(({ type, condition }) => [type, condition.status])).toEqual([[event, to]]);
    expect(advance(conditionMachine, from, event)).toBe(to);
    const { conditions } = await broker.call("listConditions", member, { orderNo });
    expect(conditions.filter(({ kind }) => kind === "stop")).toEqual(factsOf(life).map(({ condition }) => condition));
    driven.add(nameOf({ from, event, to }));
  }
}

describe("every transition of an exit order", () => {
  it.each(transitionPaths(conditionMachine, events))("$name", live);
});

it("all transitions are covered", () => {
  const { edges } = reachable(conditionMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
});
