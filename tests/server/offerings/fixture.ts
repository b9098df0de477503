/** Fixture of tests of offerings: a broker with an unlisted instrument, its issue and crowd, and members who may subscribe. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { Body } from "#contract/endpoints.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import type { OfferingEntry } from "#contract/offering.ts";
import type { OfferingPhase, OfferingRule } from "#contract/offering-kind.ts";
import type { Subscription, SubscriptionStatus } from "#contract/subscription.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import type { Issue, OfferingCrowd } from "#server/venue/issue.ts";
import { FUND_PASSWORD, setFundPassword } from "#tests/server/funding/fixture.ts";
import { signByHand } from "#tests/support/signature.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = () => RequestId.parse(randomUUID());

/** Instruments of issues that are not listed yet. */
const CODES = Array.from({ length: 240 }, (_, nth) => `N${String(nth).padStart(4, "0")}`);
const START = Date.UTC(2026, 6, 1, 2, 0, 0);
/** Hours from the announcement to each moment of an issue. */
export const HOURS = { opens: 1, closes: 2, drawn: 3, payable: 4, allotted: 5, listed: 6 };

export interface OfferingBroker extends TestBroker {
  /** Announces an issue now. @returns its code */
  announce(over?: Partial<Issue>, crowd?: Partial<OfferingCrowd>): string;
  /** Lets hours pass. */
  pass(hours: number): void;
}

let made = 0;

/** A venue with rows for new issues. */
export function issueVenue(clock: { now: number }): FakeVenue {
  const rows = CODES.map((code, nth) => fakeInstrument(INSTRUMENTS.length + nth, code, { shortable: false }));
  return fakeVenue([...INSTRUMENTS, ...rows], () => clock.now);
}

/** An issue at 50.00 with 10 lots and dates an hour apart. */
export function issueOf(code: string, row: number, at: number, over: Partial<Issue> = {}): Issue {
  const hours = (count: number) => epochMs(at + count * HOUR_MS);
  return {
    number: row,
    row,
    code,
    kind: "share",
    board: "listed",
    category: "24",
    zh: code,
    zhCn: code,
    en: code,
    price: 50 * PRICE_ONE,
    lots: 10,
    auction: null,
    leadBroker: { zh: "承銷", zhCn: "承销", en: "Lead" },
    announcedAt: epochMs(at),
    opensAt: hours(HOURS.opens),
    closesAt: hours(HOURS.closes),
    drawnAt: hours(HOURS.drawn),
    payableUntil: hours(HOURS.payable),
    allottedAt: hours(HOURS.allotted),
    tradesFrom: hours(HOURS.listed),
    ...over,
  };
}

/** Opens a broker; on an existing one's database, venue and clock if it is given. */
export async function openOfferings(before?: TestBroker): Promise<OfferingBroker> {
  const clock = before?.clock ?? { now: START };
  const venue = before?.venue ?? issueVenue(clock);
  const broker = await openTestBroker({ venue, clock, ...(before ? { db: before.db } : {}) });
  const announced: { issue: Issue; crowd: OfferingCrowd }[] = venue.issues(0).map((issue) => ({
    issue,
    crowd: venue.offeringCrowd(issue.code) ?? { applications: () => 0, lotsAsked: 0, bids: () => [] },
  }));
  return {
    ...broker,
    announce(over = {}, crowd = {}) {
      const code = CODES[made % CODES.length] ?? "";
      made += 1;
      const row = venue.instrument(code)?.row ?? 0;
      announced.push({
        issue: issueOf(code, row, clock.now, over),
        crowd: { applications: () => 0, lotsAsked: 0, bids: () => [], ...crowd },
      });
      venue.setIssues(announced);
      return code;
    },
    pass: (hours) => void (clock.now += hours * HOUR_MS),
  };
}

/** Ticks the clocks and asks until the answer is the one that is waited for; the error of the last try otherwise. Also works outside the test runner. */
async function waitFor<Result>(broker: TestBroker, ask: () => Promise<Result>): Promise<Result> {
  const until = Date.now() + 30_000;
  for (;;) {
    await broker.tick();
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > until) throw error;
      await wait(20);
    }
  }
}

const readAll = async (broker: TestBroker, member: number) =>
  (await broker.call("listOfferings", member, { phases: null, kinds: null, cursor: null })).page.items;

/** Waits until the offering of a code has this phase. */
export function reaches(broker: TestBroker, member: number, code: string, phase: OfferingPhase): Promise<OfferingEntry> {
  return waitFor(broker, async () => {
    const found = (await readAll(broker, member)).find((one) => one.offering.code === code);
    expect(found?.offering.phase).toBe(phase);
    if (!found) throw new Error(`no offering of ${code}`);
    return found;
  });
}

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}

/** A verified member with a fund password and the signed agreement. */
export async function newSubscriber(broker: TestBroker, depositCents = RICH): Promise<number> {
  const member = await broker.newMember({ depositCents });
  await setFundPassword(broker, member);
  await signByHand(broker, member, "subscription");
  return member;
}

export const RICH = 1_000_000_000;
/** One lot of 1,000 shares at 50.00, the deposit of a tenth, and the fees. */
export const VALUE = 5_000_000;
export const DEPOSIT = 500_000;
export const FEE = 2_000;
export const DELIVERY = 5_000;

export const apply = (broker: TestBroker, member: number, offeringNo: string, over: Partial<Body<"applySubscription">> = {}) =>
  broker.call("applySubscription", member, { requestId: newId(), offeringNo, lots: 1, fundPassword: FUND_PASSWORD, ...over });
export const withdraw = (broker: TestBroker, member: number, subscriptionNo: string) =>
  broker.call("withdrawSubscription", member, { requestId: newId(), subscriptionNo });
export const pay = (broker: TestBroker, member: number, subscriptionNo: string) =>
  broker.call("paySubscription", member, { requestId: newId(), subscriptionNo, fundPassword: FUND_PASSWORD });
export const waive = (broker: TestBroker, member: number, subscriptionNo: string) =>
  broker.call("waiveSubscription", member, { requestId: newId(), subscriptionNo, fundPassword: FUND_PASSWORD });
export const book = (broker: TestBroker, member: number, offeringNo: string) =>
  broker.call("bookOffering", member, { requestId: newId(), offeringNo });

/** One of a member's applications, from their list. */
export async function readSubscription(broker: TestBroker, member: number, subscriptionNo: string): Promise<Subscription> {
  const { items } = await broker.call("listSubscriptions", member, { cursor: null });
  const found = items.find((one) => one.subscriptionNo === subscriptionNo);
  if (!found) throw new Error(`no application ${subscriptionNo}`);
  return found;
}

/** Waits until an application has this status. */
export function becomes(broker: TestBroker, member: number, subscriptionNo: string, status: SubscriptionStatus): Promise<Subscription> {
  return waitFor(broker, async () => {
    const found = await readSubscription(broker, member, subscriptionNo);
    expect(found.status).toBe(status);
    return found;
  });
}

export async function moneyOf(broker: TestBroker, member: number) {
  const { available, reserved } = await readBalances(broker.db.kysely, member);
  return { available, reserved };
}

/** Announces an issue and opens its window. @returns the number of the offering and its code */
export async function openWindow(
  broker: OfferingBroker,
  member: number,
  over: Partial<Issue> = {},
  crowd: Partial<OfferingCrowd> = {},
): Promise<{ offeringNo: string; code: string }> {
  const code = broker.announce(over, crowd);
  await reaches(broker, member, code, "upcoming");
  broker.pass(HOURS.opens);
  const { offering } = await reaches(broker, member, code, "open");
  return { offeringNo: offering.offeringNo, code };
}

/** Gives one member a rule of their own. */
export async function setRule(broker: TestBroker, member: number | null, rule: Partial<OfferingRule>): Promise<void> {
  await query(broker.db.kysely, "INSERT INTO rule (part, member_id, body) VALUES ('offering', $1, $2)", [member, JSON.stringify(rule)]);
  await broker.sequencer.rules.reload(broker.db.kysely);
}
