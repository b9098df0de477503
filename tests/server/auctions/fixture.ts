/** Fixture of tests of auctions: an announced issue on the fake venue, bidders, bids, and a clock that is driven by hand. */
import { randomUUID } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { expect } from "vitest";
import type { Bid } from "#contract/bid.ts";
import type { Body } from "#contract/endpoints.ts";
import { RequestId } from "#contract/kernel/id.ts";
import type { Code } from "#contract/kernel/id.ts";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { announceOfferings } from "#server/offerings/announce.ts";
import { auctionTick } from "#server/offerings/auctions/auction-clock.ts";
import type { Issue, SealedBid } from "#server/venue/issue.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = () => RequestId.parse(randomUUID());
export const FUND_PASSWORD = "135790";
/** Cheap to verify. */
const FUND_HASH = await hash(FUND_PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });
export const RICH = 10_000_000_000;

const ISSUES = 60;
const CODES = Array.from({ length: ISSUES }, (_, nth) => `N${String(nth).padStart(4, "0")}`);

/** A broker whose venue lists only issues; `announce` takes one after the other. */
export function openAuctionBroker(over: Parameters<typeof openTestBroker>[0] = {}): Promise<TestBroker> {
  const clock = over.clock ?? { now: Date.UTC(2026, 6, 1, 2, 0, 0) };
  const instruments = CODES.map((code, row) => fakeInstrument(row, code, { tradesFrom: Number.MAX_SAFE_INTEGER }));
  return openTestBroker({ ...over, clock, venue: over.venue ?? fakeVenue(instruments, () => clock.now) });
}

/** What a test says of an auction: 200 lots from 50.00, at most 65.00 for the lottery. */
interface Announced {
  lots?: number;
  minimumPrice?: number;
  crowd?: readonly SealedBid[];
  /** Hours since it should have been announced. */
  late?: number;
}

/** Bids of different bidders of the crowd at one price: none above the cap of a member. */
export function crowdAt(price: number, lots: number): SealedBid[] {
  return Array.from({ length: Math.ceil(lots / 10) }, (_, nth) => ({ price, lots: Math.min(10, lots - 10 * nth) }));
}

/** The hours of an auction's moments after its announcement. */
export const AT = { opens: 1, closes: 3, opened: 5, refunds: 6, payable: 8, allotted: 12, trades: 13 } as const;

const announced = new WeakMap<object, { issue: Issue; crowd: readonly SealedBid[] }[]>();

/** Takes all steps that are due, of auctions, bids and reminders. */
export async function pass(broker: TestBroker): Promise<void> {
  const { db, venue, sequencer, clock, faults } = broker;
  const report = (fault: unknown) => faults.push(fault);
  // The price of its lottery is set where the offering has a row.
  await announceOfferings({ db, venue, report }, new Set(), clock.now);
  const tick = auctionTick({ db, venue, sequencer, now: () => clock.now, report });
  // Announced, started, closed, opened, told, refunded, paid, allotted.
  for (let step = 0; step < 8; step += 1) await tick();
}

/** Announces the next issue; its row is written. @returns its code */
export async function announce(
  broker: TestBroker,
  { lots = 200, minimumPrice = 500_000, crowd = [], late = 0 }: Announced = {},
): Promise<Code> {
  const all = announced.get(broker.venue) ?? [];
  announced.set(broker.venue, all);
  const row = all.length;
  const instrument = broker.venue.instruments[row];
  if (!instrument) throw new RangeError("no issue is left");
  const at = (hours: number) => epochMs(broker.clock.now + (hours - late) * HOUR_MS);
  const names = { zh: "甲證券", zhCn: "甲证券", en: "Alpha Securities" };
  all.push({
    crowd,
    issue: {
      number: row,
      row,
      code: instrument.code,
      kind: "share",
      board: "listed",
      category: "24",
      zh: "新股",
      zhCn: "新股",
      en: "Newcomer",
      price: Math.floor((minimumPrice * 13) / 10),
      lots: 50,
      leadBroker: names,
      announcedAt: at(0),
      opensAt: at(AT.refunds),
      closesAt: at(AT.payable),
      drawnAt: at(10),
      payableUntil: at(11),
      allottedAt: at(AT.allotted),
      tradesFrom: at(AT.trades),
      auction: { opensAt: at(AT.opens), closesAt: at(AT.closes), openedAt: at(AT.opened), minimumPrice, lots },
    },
  });
  broker.venue.setIssues(
    all.map((one) => ({ issue: one.issue, crowd: { applications: () => 1_000, lotsAsked: 0, bids: () => one.crowd } })),
  );
  await pass(broker);
  return instrument.code;
}

/** Moves the clock by hours and takes what is due. */
export async function passHours(broker: TestBroker, hours: number): Promise<void> {
  broker.clock.now += Math.round(hours * HOUR_MS);
  await pass(broker);
}

/** A verified member with a fund password and the agreement. */
export async function newBidder(broker: TestBroker, depositCents: number = RICH): Promise<number> {
  const member = await broker.newMember({ depositCents });
  await query(broker.db.kysely, "UPDATE member SET fund_password_hash = $2 WHERE id = $1", [member, FUND_HASH]);
  await signByHand(broker, member, "subscription");
  return member;
}

export function bid(broker: TestBroker, member: number, code: Code, over: Partial<Body<"placeBid">> = {}): Promise<Bid> {
  const body = { requestId: newId(), code, price: 550_000, lots: 4, fundPassword: FUND_PASSWORD, ...over };
  return broker.call("placeBid", member, body);
}

export const pay = (broker: TestBroker, member: number, bidNo: string, over: Partial<Body<"payBid">> = {}): Promise<Bid> =>
  broker.call("payBid", member, { requestId: newId(), bidNo, fundPassword: FUND_PASSWORD, ...over });

/** A member's bid as it is now. */
export async function bidNow(broker: TestBroker, member: number, bidNo: string): Promise<Bid> {
  const { items } = await broker.call("listBids", member, { cursor: null });
  const found = items.find((one) => one.bidNo === bidNo);
  if (!found) throw new Error(`no bid ${bidNo}`);
  return found;
}

export async function moneyOf(broker: TestBroker, member: number): Promise<{ available: number; reserved: number }> {
  const { available, reserved } = await readBalances(broker.db.kysely, member);
  return { available, reserved };
}

/** The facts of a member's bids, in order, without the changes of wallets. */
export const factsOf = (broker: TestBroker, member: number): string[] =>
  broker.published.flatMap(({ memberId, fact }) =>
    memberId === member && (fact.type.startsWith("bid.") || fact.type === "auction.started") ? [fact.type] : [],
  );

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}
