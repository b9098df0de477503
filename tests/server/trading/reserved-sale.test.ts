/** Tests that a sale reserved for the day of an ex-event stays where its lots do, and is cancelled where they change. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { HOUR_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";
import { MILLION, action, units } from "./ex-terms.ts";

const START = Date.UTC(2026, 6, 1, 2, 0, 0);
const TODAY = taipeiDay(START);

let broker: TestBroker;
let venue: FakeVenue;
let announced: CorporateAction[] = [];
const clock = { now: START };

beforeEach(async () => {
  clock.now = START;
  announced = [];
  const plain = fakeVenue(INSTRUMENTS, () => clock.now);
  venue = { ...plain, actions: async (code) => (code === "2330" ? announced : []) };
  venue.setDay(taipeiMidnight(TODAY), taipeiMidnight(TODAY) + 8 * HOUR_MS);
  venue.set(0, { bids: [[100, 4000]], asks: [[100, 4000]], last: 100, reference: 100 });
  broker = await openTestBroker({ venue, clock });
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

it.each([
  ["stays over a dividend", "dividend", { cash: units(5) }, { status: "readyToClose", closingLots: 2 }],
  ["is cancelled by a split", "split", { freeMillionths: MILLION }, { status: "holding", closingLots: 0 }],
] as const)("%s", async (_, kind, terms, becomes) => {
  const member = await broker.newMember();
  const { orderNo } = await broker.place(member, { lots: 3 });
  venue.setPhase("closed", taipeiMidnight(TODAY + 1) + HOUR_MS / 2);
  const body = { requestId: uuid(), orderNo, pricing: "limit", price: 970_000, lots: 2, validity: "rod", fixed: false } as const;
  const reserved = await broker.call("closeOrder", member, { ...body, reserve: true });
  expect(reserved.reservedFor).toBeDefined();
  const event = action(kind, terms, TODAY + 1);
  announced = [event];
  venue.set(0, { reference: event.reference / PRICE_ONE });
  venue.setPhase("preOpen");
  clock.now = taipeiMidnight(TODAY + 1) + HOUR_MS;
  venue.setDay(taipeiMidnight(TODAY + 1), taipeiMidnight(TODAY + 2));
  await broker.settled();
  const { order } = await broker.call("readOrder", member, { orderNo });
  expect(order).toMatchObject(becomes);
  expect(order.reservedFor).toBeUndefined();
});
