/** Fixture of tests of securities lending: a lender with shares, a borrower on the fake venue, days that pass. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Body } from "#contract/endpoints.ts";
import { RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import type { Lending } from "#contract/lending.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import type { DemandListing } from "#server/venue/venue.ts";
import { place } from "#tests/server/money/fixture.ts";
import type { Choices } from "#tests/server/money/fixture.ts";
import { signByHand } from "#tests/support/signature.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = () => RequestId.parse(randomUUID());
let made = 0;

/** A borrower of 2330: up to 20 lots for 30 days at the highest rate, 4 % a year, back within 3 days of a recall. */
export function asks(broker: TestBroker, over: Partial<DemandListing> = {}): DemandListing {
  made += 1;
  const demand = {
    demandId: `${made}-0`,
    row: 0,
    lots: 20,
    days: 30,
    noticeDays: 3,
    partPerMille: 1_000,
    minimumCents: 10_000_000,
    ...over,
  };
  broker.venue.setDemands([demand]);
  return demand;
}

/** A member who has signed, with lots of 2330 at 100. */
export async function lender(broker: TestBroker, lots = 5, choices: Choices = {}): Promise<{ member: number; orderNo: OrderNo }> {
  calm(broker);
  const member = await broker.newMember({ depositCents: 1_000_000_000 });
  await signByHand(broker, member, "lending");
  const { orderNo } = await place(broker, member, { lots, ...choices });
  return { member, orderNo };
}

export function calm(broker: TestBroker, at = 100): void {
  broker.venue.set(0, { bids: [[at, 4000]], asks: [[at, 4000]], last: at, reference: at });
}

/** Lets days pass that ended with a close. */
export async function pass(broker: TestBroker, days: number, close = 100): Promise<void> {
  broker.venue.setFeeDay(broker.venue.feeDay(broker.clock.now) + days, { 0: close });
  await broker.settled();
}

export function lend(
  broker: TestBroker,
  member: number,
  demand: DemandListing,
  orderNo: OrderNo,
  lots: number,
  over: Partial<Body<"lendShares">> = {},
) {
  return broker.call("lendShares", member, { requestId: newId(), demandId: demand.demandId, orderNo, lots, ...over });
}

export async function read(broker: TestBroker, member: number, lendingNo: string): Promise<Lending> {
  const { items } = await broker.call("listLendings", member, { cursor: null });
  const found = items.find((one) => one.lendingNo === lendingNo);
  if (!found) throw new Error(`no loan ${lendingNo}`);
  return found;
}

export const orderOf = async (broker: TestBroker, member: number, orderNo: OrderNo) =>
  (await broker.call("readOrder", member, { orderNo })).order;

export const available = async (broker: TestBroker, member: number): Promise<number> =>
  (await readBalances(broker.db.kysely, member)).available;

export const close = (broker: TestBroker, member: number, orderNo: OrderNo, lots: number) =>
  broker.call("closeOrder", member, { requestId: newId(), orderNo, lots, pricing: "market", price: null, validity: "rod", fixed: false });

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}
