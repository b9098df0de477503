/** Tests the schedule and the terms of new issues: pure functions of seed and number that never end, and never leave a phase empty. */
import { describe, expect, test } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { onTick } from "#contract/tick.ts";
import { ANCHOR_DAY, calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { HOURS } from "#server/venue/calendar/session-rules.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import type { Issue } from "#server/venue/issue.ts";
import { Key } from "#server/venue/keyed-random.ts";
import { listReferenceData } from "#server/venue/reference-data/listings.ts";
import { issueOf } from "#server/venue/simulator/issue-listing.ts";
import { IssueSchedule } from "#server/venue/simulator/issue-schedule.ts";
import { SESSIONS_AHEAD, IssueTable, issueRange } from "#server/venue/simulator/issue-table.ts";
import { IssueTermsReader, numberOf } from "#server/venue/simulator/issue-terms.ts";

const SEEDS = [1, 2, "a secret one"];

function issuesOf(hours: Hours, seed: number | string, from: number, until: number): { issues: Issue[]; calendar: Calendar } {
  const calendar = calendarOf(hours);
  const schedule = new IssueSchedule(calendar);
  const reader = new IssueTermsReader(Key.of(seed, "issues"), schedule);
  const numbers = Array.from({ length: until - from }, (_, nth) => from + nth);
  return { issues: numbers.map((number) => issueOf(reader.read(number), number, schedule)), calendar };
}

/** Moments of a session from the first orders to the end of after-hours trading. */
const momentsOf = (calendar: Calendar, session: number): number[] =>
  [calendar.acceptsOrdersAt(session), calendar.opensAt(session), calendar.closesAt(session) - 1, calendar.fixedAt(session) ?? 0].filter(
    Boolean,
  );

describe.each(HOURS)("with the hours %s", (hours) => {
  test.each(SEEDS)(
    "at any moment of any session an issue is upcoming, open, awaiting its draw, and drawn but not listed (seed %s)",
    (seed) => {
      const { issues, calendar } = issuesOf(hours, seed, 0, 320);
      const first = calendar.at(issues[0]?.announcedAt ?? 0).session;
      const drawn = issues.filter(({ kind }) => kind === "share" || kind === "bond");
      for (let session = first + 14; session < first + 180; session += 1) {
        for (const at of momentsOf(calendar, session)) {
          const some = (is: (one: Issue) => boolean): boolean => drawn.some(is);
          const phases = [
            some(({ announcedAt, opensAt }) => announcedAt <= at && at < opensAt),
            some(({ opensAt, closesAt }) => opensAt <= at && at < closesAt + 1),
            some(({ closesAt, drawnAt }) => closesAt <= at && at < (drawnAt ?? 0)),
            some(({ drawnAt, tradesFrom }) => (drawnAt ?? Infinity) <= at && at < tradesFrom),
          ];
          expect(phases, `${session} ${new Date(at).toISOString()}`).toEqual([true, true, true, true]);
        }
      }
    },
  );

  test("every sort keeps coming, and phases follow each other", () => {
    const { issues } = issuesOf(hours, 7, 0, 60);
    const sorts = new Set(issues.map(({ kind, auction }) => `${kind} ${auction !== null}`));
    expect(sorts).toEqual(new Set(["share false", "share true", "bond false", "fund false", "placement false"]));
    for (const { announcedAt, auction, opensAt, closesAt, drawnAt, payableUntil, allottedAt, tradesFrom, price } of issues) {
      const bidding = auction ? [auction.opensAt, auction.closesAt, auction.openedAt] : [];
      const moments = [
        announcedAt,
        ...bidding,
        opensAt,
        closesAt,
        ...(drawnAt === null ? [] : [drawnAt]),
        payableUntil,
        allottedAt,
        tradesFrom,
      ];
      expect(moments).toEqual(moments.toSorted((a, b) => a - b));
      expect(price).toBeGreaterThanOrEqual(10 * 10_000);
      if (!auction) continue;
      expect(auction.minimumPrice).toBeLessThan(price);
      expect(onTick("stock", price), `${price}`).toBe(true);
      // At most 1.3 times the lowest bid, also after rounding.
      expect(price * 10).toBeLessThanOrEqual(auction.minimumPrice * 13);
    }
  });

  test("the session of a number and the numbers of a session agree, without end", () => {
    const schedule = new IssueSchedule(calendarOf(hours));
    for (const number of [0, 1, 2, 3, 77, 1_000, hours === "compressed" ? 1_000_000 : 3_000]) {
      const session = schedule.announced(number);
      expect(schedule.count(session)).toBeGreaterThan(number);
      expect(schedule.count(session - 1)).toBeLessThanOrEqual(number);
    }
    expect(schedule.count(schedule.announced(0) - 1)).toBe(0);
  });

  test("a life takes about an hour where a session is ten minutes, and about two weeks elsewhere", () => {
    for (const { announcedAt, tradesFrom } of issuesOf(hours, 3, 100, 160).issues) {
      const days = (tradesFrom - announcedAt) / DAY_MS;
      expect(days).toBeGreaterThan(hours === "compressed" ? 0.03 : 8);
      expect(days).toBeLessThan(hours === "compressed" ? 0.06 : 35);
    }
  });
});

test("codes and names clash with no others, and prices are on their ticks", () => {
  const { listings } = listReferenceData();
  const { issues } = issuesOf("compressed", 5, 0, 1_200);
  const codes = [...listings.map(({ instrument }) => String(instrument.code)), ...issues.map(({ code }) => code)];
  expect(new Set(codes).size).toBe(codes.length);
  for (const name of ["zh", "zhCn", "en"] as const) {
    const known = new Set(listings.map(({ instrument }) => instrument[name]));
    const names = issues.map((issue) => issue[name]);
    expect(names.filter((one) => known.has(one) || one === "")).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  }
  for (const { code, number, kind, price } of issues) {
    expect(numberOf(code)).toBe(number);
    expect(onTick(kind === "fund" ? "etf" : kind === "bond" ? "bond" : "stock", price)).toBe(true);
  }
  expect(listings.filter(({ instrument }) => numberOf(instrument.code) !== null)).toEqual([]);
});

test("nothing public tells what an issue is worth: worth and premium cannot be read from its other facts", () => {
  const calendar = calendarOf("taiwan");
  const schedule = new IssueSchedule(calendar);
  const reader = new IssueTermsReader(Key.of(11, "issues"), schedule);
  const other = new IssueTermsReader(Key.of(12, "issues"), schedule);
  for (let number = 0; number < 200; number += 1) {
    const terms = reader.read(number);
    const text = JSON.stringify(issueOf(terms, number, schedule));
    expect(text).not.toContain(String(Math.round(terms.fair)));
    expect(terms.fair).not.toBe(other.read(number).fair);
  }
  // What the profile and the sizes of the market are made from.
  const debuts = new IssueTable(11, calendar, { held: [], from: 0, until: 200 }, 0).debuts();
  expect(debuts.map(({ listing }) => listing.anchor)).toEqual(debuts.map((_one, number) => reader.read(number).price));
});

test("issues stay in the table; where a session is ten minutes the newest ones and those that members hold do", () => {
  const range = (hours: Hours, session: number, held: string[] = []) => issueRange(calendarOf(hours), session, held);
  const anchor = (hours: Hours): number => calendarOf(hours).sessionOn(ANCHOR_DAY);
  expect(range("taiwan", anchor("taiwan") + 900, ["2330"])).toMatchObject({ held: [], from: 0 });
  expect(range("taiwan", anchor("taiwan") - 100)).toEqual({ held: [], from: 0, until: 400 });
  const late = range("compressed", anchor("compressed") + 10_000, ["N0005", "N0003B", "N0003B", "N14990", "2330"]);
  expect(late).toEqual({ held: [3, 5], from: 15_000 - 144, until: 15_000 + (SESSIONS_AHEAD * 3) / 2 });
  const table = new IssueTable(1, calendarOf("compressed"), late, 100);
  expect([table.issue(0)?.number, table.issue(1)?.number, table.issue(2)?.number]).toEqual([3, 5, late.from]);
  expect(table.issue(2)?.row).toBe(102);
  const session = anchor("compressed") + 10_000;
  expect(table.shown(session)).toBe(146);
  expect(table.shown(session + 2)).toBe(149);
  expect(table.shown(session + 2 * SESSIONS_AHEAD)).toBe(table.rows);
  expect(table.sessionsLeft(session)).toBe(SESSIONS_AHEAD);
  const another = new IssueTable(1, calendarOf("compressed"), { ...late, held: [3] }, 100);
  expect(another.layout).not.toBe(table.layout);
});
