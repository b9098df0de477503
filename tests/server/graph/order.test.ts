/** Tests the order lifecycle on a real broker: every state and transition of its machine, driven by commands and the market. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getNextSnapshot } from "xstate";
import { ORDER_FACTS } from "#contract/fact.ts";
import { isOrderFact } from "#contract/fact-kind.ts";
import type { OrderFact } from "#contract/fact.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import type { Order } from "#contract/order.ts";
import { orderMachine } from "#machines/order.ts";
import { chargeInterest } from "#server/trading/clearing/charge-interest.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { pathOf } from "#tests/machines/state-graph.ts";
import type { FakeBook } from "#tests/support/fake-book.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";
import { reachable, nameOf, transitionPaths, completePaths } from "./paths.ts";
import type { Edge, Path } from "./paths.ts";

const WAITS = "order.placed, waits";
const events = {
  ...Object.fromEntries(ORDER_FACTS.map((type) => [type, { type }])),
  [WAITS]: { type: "order.placed", waits: true },
};

/** Cash and margin orders; ex-events and daily interest adjust the latter. */
const OWN = { row: 0, code: "2330", funding: "cash", leverage: 1 };
const BORROWED = { row: 7, code: "2454", funding: "leverage", leverage: 2 };
const LOTS = 12;
/** Lots of a partial fill, enough to be closed partially in turn. */
const PART = 4;
const LIMIT = 100;
/** Trigger price of a conditional order, and its limit. */
const TRIGGER = 101;
const CLOSE_AT = 105;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

/** An order on its path: its member, its facts, and the remaining steps. */
interface Life {
  member: number;
  with: typeof OWN;
  order: Order | null;
  ahead: readonly string[];
}

const units = (price: number): number => price * PRICE_ONE;

function orderOf({ order }: Life): Order {
  if (!order) throw new Error("no order was placed yet");
  return order;
}
const limitOf = (life: Life): number => (orderOf(life).price ?? 0) / PRICE_ONE;

/** A market in which no resting order matches. */
function calm({ row }: typeof OWN, last = LIMIT): void {
  broker.venue.set(row, { bids: [[last - 0.5, 400]], asks: [[last + 0.5, 400]], last, reference: 100 });
}

const place = (life: Life, over: object) => broker.call("placeOrder", life.member, PlaceOrderBody.parse({ ...ticketOf(life), ...over }));
function ticketOf({ with: { code, funding, leverage } }: Life) {
  return { requestId: uuid(), code, funding, leverage, direction: "rise", pricing: "limit", lots: LOTS };
}
const amend = (life: Life) => {
  const { orderNo, status, lots, closingLots } = orderOf(life);
  const now = status === "readyToClose" ? closingLots : lots;
  return broker.call("amendOrder", life.member, { requestId: uuid(), orderNo, lots: now - 1, price: null });
};
/** Closes the whole position if the path ends with it, otherwise a part. */
function close(life: Life) {
  const { orderNo, filledLots, closedLots } = orderOf(life);
  const held = filledLots - closedLots;
  const settles = life.ahead.find((event) => ["order.closed", "order.lotsClosed", "order.closeCancelled"].includes(event));
  return broker.close(life.member, orderNo, { price: CLOSE_AT, lots: settles === "order.closed" ? held : held - 1 });
}
const cancel = (life: Life) => broker.cancel(life.member, orderOf(life).orderNo);

const book = ({ with: { row } }: Life, change: FakeBook): void => broker.venue.set(row, change);

/** How to cause each fact. */
const drivers: Record<string, (life: Life) => Promise<unknown> | void> = {
  "order.placed": (life) => place(life, { price: units(LIMIT) }),
  [WAITS]: (life) => place(life, { price: units(TRIGGER), trigger: { kind: "stop", price: units(TRIGGER) } }),
  "order.triggered": (life) => {
    calm(life.with, TRIGGER);
    book(life, { volume: broker.venue.quote(life.with.row).volume + 1 });
  },
  "order.amended": amend,
  "order.partlyFilled": (life) => book(life, { asks: [[limitOf(life), PART]] }),
  "order.filled": (life) => book(life, { asks: [[limitOf(life), 400]] }),
  "order.cancelled": cancel,
  "order.reduced": cancel,
  "order.closeRequested": close,
  "order.closePartlyFilled": (life) => book(life, { bids: [[CLOSE_AT, 1]] }),
  "order.lotsClosed": (life) => book(life, { bids: [[CLOSE_AT, 400]] }),
  "order.closed": (life) => book(life, { bids: [[CLOSE_AT, 400]] }),
  "order.closeCancelled": cancel,
  // A day passes, and the loan accrues interest.
  "order.adjusted": () => {
    broker.clock.now += DAY_MS;
    return chargeInterest({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
  },
};

/** The state of a machine after these facts. */
function stateAfter(facts: readonly OrderFact[]): string {
  const first = orderMachine.resolveState({ value: { pending: "received" }, context: {} });
  const last = facts.reduce((snapshot, { type, order }) => {
    const event = { type, waits: order.trigger !== null };
    expect(snapshot.can(event), `${pathOf(snapshot.value)} ${type}`).toBe(true);
    return getNextSnapshot(orderMachine, snapshot, event);
  }, first);
  return pathOf(last.value);
}

/** Asserts that the fields of an order fit its state. */
function expectMeant(order: Order, state: string): void {
  expect(order.status).toBe(state.split(".")[0]);
  if (order.status === "pending") {
    expect(order.trigger !== null).toBe(state === "pending.conditional");
    expect(order.filledLots > 0).toBe(state === "pending.partlyFilled");
  }
  expect(order.closingLots > 0).toBe(order.status === "readyToClose");
  if (order.status === "closed") expect(order.closedLots).toBe(order.filledLots);
  if (order.status === "cancelled") expect(order.filledLots).toBe(0);
}

const driven = new Set<string>();

async function step(life: Life, edge: Edge, received: OrderFact[]): Promise<void> {
  const drive = drivers[edge.event];
  if (!drive) throw new Error(`no driver for ${edge.event}`);
  broker.published.length = 0;
  await drive(life);
  await broker.settled();
  const facts = broker.published.flatMap(({ memberId, fact }) => (memberId === life.member && isOrderFact(fact) ? [fact] : []));
  const [fact] = facts;
  expect(facts.map(({ type }) => type)).toEqual([edge.event === WAITS ? "order.placed" : edge.event]);
  if (!fact) return;
  received.push(fact);
  expect(stateAfter(received)).toBe(edge.to);
  expectMeant(fact.order, edge.to);
  life.order = fact.order;
  const { order } = await broker.call("readOrder", life.member, { orderNo: fact.order.orderNo });
  expect(order).toEqual(fact.order);
  driven.add(nameOf(edge));
}

async function live({ edges }: Path): Promise<void> {
  const means = edges.some(({ event }) => event === "order.adjusted") ? BORROWED : OWN;
  calm(means);
  const life: Life = { member: await broker.newMember(), with: means, order: null, ahead: [] };
  const received: OrderFact[] = [];
  for (const [at, edge] of edges.entries()) {
    life.ahead = edges.slice(at + 1).map(({ event }) => event);
    await step(life, edge, received);
  }
  // Facts are stored before they are pushed.
  const { facts } = await broker.call("factsSince", life.member, { after: 0 });
  expect(facts.filter(isOrderFact)).toEqual(received);
  // The order is removed, so that the next one does not match it.
  if (life.order?.status === "pending" || life.order?.status === "readyToClose") await cancel(life);
}

describe("every transition of an order", () => {
  it.each(transitionPaths(orderMachine, events))("$name", live);
});

describe("complete lifecycles of an order", () => {
  it.each(completePaths(orderMachine, events))("$name", live);
});

it("all transitions are covered", () => {
  const { edges, states } = reachable(orderMachine, events);
  expect(edges.filter((edge) => !driven.has(edge))).toEqual([]);
  expect(states).toHaveLength(9);
});
