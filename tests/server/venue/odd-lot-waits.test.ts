/**
 * Tests that single shares wait while the board of their row is in a call whose trial price is public: nobody buys them at the last price once the
 * next one shows. The first auction after the call is at its price, and all other rows go on.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

const SEED = 9;
/** So few updates a second that a call is not on the tape at once. */
const SLOW = 1;
const EVERY_MS = 5 * SECOND_MS;
const DAY = Date.parse("2026-12-03T09:00:00+08:00");

beforeEach(() => {
  vi.useFakeTimers({ now: DAY });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A row with a call of its own, and when it waits and for what. */
interface Waiting {
  row: number;
  other: number;
  from: number;
  until: number;
  /** The latest price before the call, and that of the call. */
  before: number;
  price: number;
}

/** The stocks in so many sessions after that of `DAY`, with their paths. */
function paths(hours: Hours, sessions: number, codes?: readonly string[]): { row: number; session: number; path: Path }[] {
  const market = marketOf(SEED, hours, codes);
  const first = market.calendar.at(DAY).session + 1;
  return market.models.flatMap((model, row) => {
    if (model?.kind !== "stock" || first < model.listed) return [];
    const reader = new DailyProcessReader(model, first);
    return Array.from({ length: sessions }, (_, nth) => {
      const session = first + nth;
      return { row, session, path: new Path(model, reader.next(), market.sessionProfile(session)) };
    });
  });
}

const offBy = ({ before, price }: Pick<Waiting, "before" | "price">): number => Math.abs(price / before - 1);

/** The call furthest from the price before it, of those that end a halt or an open that is put off. */
function furthest(hours: Hours, sessions: number, isDelayedOpen: boolean, codes?: readonly string[]): Waiting {
  const calendar = calendarOf(hours);
  const all = paths(hours, sessions, codes);
  const other = all.find(({ path }) => !path.hasHalts && !path.calls)?.row ?? -1;
  const found = all.flatMap(({ row, session, path }): Waiting[] => {
    const at = (minute: number): number => calendar.opensAt(session) + minute * calendar.minuteMs;
    const halts = Array.from({ length: calendar.continuous - 40 }, (_, minute) => path.resumesAt(minute)).filter((halt) => halt !== null);
    return halts.flatMap(({ from, until, price }) => {
      if (isDelayedOpen ? from > 0 : from < 20) return [];
      return [{ row, other, from: at(from), until: at(until), before: from > 0 ? path.mark(from) : path.day.reference, price }];
    });
  });
  const [most] = found.toSorted((a, b) => offBy(b) - offBy(a));
  if (!most) throw new Error("no call");
  return most;
}

/** The odd-lot auctions of a row from now on: when each was due, its price, and the board's latest price on the tape. */
function oddAuctions(venue: Venue, row: number): [at: number, price: number | undefined, last: number][] {
  const auctions: [number, number | undefined, number][] = [];
  venue.onCall(({ kind, rows, at }) => {
    if (kind !== "odd" || rows?.includes(row) === false) return;
    const book = venue.callBook(row, true);
    auctions.push([at, (book && auctionPriceOf(book)?.price) ?? 0, venue.quote(row).last]);
  });
  return auctions;
}

/** The moments from one up to, not including, another at which odd lots have an auction. */
const moments = (from: number, until: number): number[] =>
  Array.from({ length: Math.ceil((until - from) / EVERY_MS) }, (_, nth) => from + nth * EVERY_MS);

describe("a halt", () => {
  test.each([
    ["taiwan", 1, undefined],
    ["compressed", 30, sampleUniverse(3)],
    ["always", 1, undefined],
  ] as const)("with hours %s, single shares wait for its call and trade at the price of it", async (hours, sessions, codes) => {
    const { row, other, from, until, before, price } = furthest(hours, sessions, false, codes);
    expect(offBy({ before, price })).toBeGreaterThan(0.01);
    const start = Math.floor(from / EVERY_MS) * EVERY_MS - 2 * EVERY_MS;
    vi.setSystemTime(start - SECOND_MS);
    const venue = openVenue({ seed: SEED, rate: SLOW, hours, codes });
    const [own, others] = [oddAuctions(venue, row), oddAuctions(venue, other)];
    venue.start();
    vi.advanceTimersByTime(from + SECOND_MS - Date.now());
    expect(venue.matching(row, Date.now())).toBe("call");
    expect(venue.depth(row).trial?.price).toBeGreaterThan(0);
    expect(venue.callBook(row, true)).toBeNull();
    expect(venue.callBook(other, true)).not.toBeNull();
    const first = Math.ceil(until / EVERY_MS) * EVERY_MS;
    vi.advanceTimersByTime(first + 2 * EVERY_MS + SECOND_MS - Date.now());
    expect(own.map(([at]) => at)).toEqual([...moments(start, from), ...moments(first, first + 3 * EVERY_MS)]);
    expect(others.map(([at]) => at)).toEqual(moments(start, first + 3 * EVERY_MS));
    expect(own.find(([at]) => at >= until)?.[1]).toBe(price);
    await venue.stop();
  });

  test("the market's own single shares have waited as long as members'", async () => {
    const { row, from, until } = furthest("taiwan", 1, false);
    vi.setSystemTime(until - SECOND_MS);
    const venue = openVenue({ seed: SEED, rate: SLOW, hours: "taiwan" });
    const came: unknown[] = [];
    venue.onCall(({ kind, at }) => {
      const book = kind === "odd" ? venue.callBook(row, true) : null;
      if (book?.came) came.push([at, Math.floor(book.came.from / SECOND_MS) * SECOND_MS]);
    });
    venue.start();
    vi.advanceTimersByTime(7 * SECOND_MS);
    expect(came).toEqual([
      [until, from],
      [until + EVERY_MS, until],
    ]);
    await venue.stop();
  });
});

describe("an open that is put off", () => {
  test("single shares wait for the call, and first trade at its price", async () => {
    const codes = sampleUniverse(1);
    const { row, other, until, before, price } = furthest("compressed", 60, true, codes);
    expect(offBy({ before, price })).toBeGreaterThan(0.03);
    vi.setSystemTime(until - 3 * SECOND_MS);
    const venue = openVenue({ seed: SEED, rate: SLOW, hours: "compressed", codes });
    const auctions = oddAuctions(venue, row);
    venue.start();
    expect(venue.depth(row).isDelayedOpen).toBe(true);
    expect(venue.callBook(row, true)).toBeNull();
    expect(venue.callBook(other, true)).not.toBeNull();
    vi.advanceTimersByTime(4 * SECOND_MS);
    // The call is not on the tape: without it single shares would trade at yesterday's price.
    expect(auctions).toEqual([[until, price, 0]]);
    await venue.stop();
  });
});

describe("the closing auction", () => {
  test("single shares wait for the close, and trade once more at its price", async () => {
    const codes = sampleUniverse(2);
    const { closesAt: closing, continuous } = calendarOf("taiwan");
    const day = paths("taiwan", 1, codes).map((one) => ({ ...one, before: one.path.mark(continuous), price: one.path.day.close }));
    const [most] = day.filter(({ path }) => !path.calls).toSorted((a, b) => offBy(b) - offBy(a));
    if (!most) throw new Error("nothing trades");
    const { row, session, before: last, price } = most;
    const closesAt = closing(session);
    vi.setSystemTime(closesAt - 5 * MINUTE_MS - 11 * SECOND_MS);
    const venue = openVenue({ seed: SEED, rate: 400, hours: "taiwan", codes });
    const auctions = oddAuctions(venue, row);
    const all: number[] = [];
    venue.onCall(({ kind, at }) => {
      if (kind === "odd") all.push(at);
    });
    venue.start();
    vi.advanceTimersByTime(6 * MINUTE_MS);
    const auctionAt = closesAt - 5 * MINUTE_MS;
    expect(auctions.map(([at]) => at)).toEqual([...moments(auctionAt - 2 * EVERY_MS, auctionAt), closesAt]);
    expect(all).toEqual(auctions.map(([at]) => at));
    expect(auctions.at(-1)?.[1]).toBe(price);
    expect(price).not.toBe(last);
    await venue.stop();
  });
});

test("on a whole day no row has an auction of single shares while a price of its board's next call shows", async () => {
  vi.setSystemTime(DAY + 59 * SECOND_MS);
  const venue = openVenue({ seed: SEED, rate: 400, hours: "compressed", codes: sampleUniverse(6) });
  const tradable = venue.instruments.filter(({ tradable, lotShares }) => tradable && lotShares > 1).map(({ row }) => row);
  const { firstMs } = VENUE_RULES.compressed.oddLot;
  let [auctions, leftOut] = [0, 0];
  venue.onCall(({ kind, rows, at }) => {
    if (kind !== "odd") return;
    auctions += 1;
    const taken = new Set(rows ?? tradable);
    for (const row of tradable) {
      if (!taken.has(row)) leftOut += 1;
      const inCall = venue.matching(row, Date.now()) === "call";
      const { callsEveryMs } = inCall ? venue.depth(row) : { callsEveryMs: null };
      // Under disposition they trade right after a call, at its price.
      if (inCall && callsEveryMs === null) expect(taken.has(row), `${row} at ${at - DAY}`).toBe(false);
      else if (!inCall) expect(taken.has(row), `${row} at ${at - DAY}`).toBe(true);
    }
  });
  venue.start();
  vi.advanceTimersByTime(455 * SECOND_MS);
  expect(auctions).toBe((390 * SECOND_MS - firstMs) / EVERY_MS + 1);
  expect(leftOut).toBeGreaterThan(0);
  await venue.stop();
});
