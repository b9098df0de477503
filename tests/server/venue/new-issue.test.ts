/** Tests new issues in the venue: rows that are appended, prices from the listing on, limits, history, and a restart that changes nothing. */
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import type { Quote, RankView } from "#contract/quote.ts";
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import type { Issue, IssueEvent } from "#server/venue/issue.ts";
import { unknownRow } from "#server/venue/market-data/view-snapshot.ts";
import { marketName } from "#server/venue/market-name.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";

const CODES = ["2330", "1101", "0050", "IX0001"];
/** A Monday in Taipei, weeks after the first announcement. */
const MONDAY = Date.UTC(2026, 10, 23, 2);
const SECOND_VOLUME: RankView = { by: "volume", board: null, category: null, size: 100 };

let clock = MONDAY;
const venues: Venue[] = [];
afterEach(async () => {
  for (const venue of venues.splice(0)) await venue.stop();
});

type More = { newIssues?: boolean; held?: string[]; seed?: number };

/** Opens a venue that the caller stops. */
function openLasting(hours: Hours, at: number, more: More = {}): Venue {
  clock = at;
  return openVenue({ seed: 9, rate: 400, hours, codes: CODES, newIssues: true, now: () => clock, ...more });
}

/** Opens a venue that stops when the test ends. */
function open(hours: Hours, at: number, more: More = {}): Venue {
  const venue = openLasting(hours, at, more);
  venues.push(venue);
  return venue;
}

/** Moves the clock of a started venue and waits for its next update. */
async function moveTo(venue: Venue, at: number): Promise<void> {
  clock = at;
  await vi.waitFor(() => expect(venue.fresh(clock)).toBe(true), { timeout: 20_000, interval: 5 });
}

const opensAt = (hours: Hours, sessionsLater: number): number => {
  const calendar = calendarOf(hours);
  return calendar.opensAt(calendar.at(MONDAY).session + sessionsLater) + MINUTE_MS;
};

const pending = (venue: Venue, at: number): Issue => {
  const found = venue.issues(at).find(({ kind, tradesFrom }) => kind === "share" && tradesFrom > at);
  if (!found) throw new Error("no issue is pending");
  return found;
};

test.each(["always", "taiwan", "compressed"] as const)("the market without new issues is the same, row for row (%s)", async (hours) => {
  const plain = open(hours, MONDAY, { newIssues: false });
  const venue = open(hours, MONDAY);
  const { length } = plain.instruments;
  expect(venue.instruments.slice(0, length)).toEqual(plain.instruments);
  expect(venue.categories.slice(0, plain.categories.length)).toMatchObject(plain.categories.map(({ board, code }) => ({ board, code })));
  // Which rows a slot draws for a minor change depends on how many there are; what a minute ends with does not.
  const figures = ({ seq: _seq, at: _at, ...rest }: Quote): unknown => rest;
  for (const { row } of plain.instruments) expect(figures(venue.quote(row))).toEqual(figures(plain.quote(row)));
  expect(await venue.candles("2330", "day", null, 300)).toEqual(await plain.candles("2330", "day", null, 300));
  expect(await venue.candles("IX0001", "minute", null, 50)).toEqual(await plain.candles("IX0001", "minute", null, 50));
  expect(plain.issues(MONDAY)).toEqual([]);
  expect(plain.issueSessionsLeft(MONDAY)).toBeNull();
  expect(marketName(plain.state(MONDAY))).toBe(marketName(venue.state(MONDAY)));
  expect(venue.state(MONDAY).universe).toMatch(new RegExp(`\\+${venue.issues(MONDAY).length}\\+0$`));
});

describe.each(["taiwan", "compressed"] as const)("as sessions begin (%s)", (hours) => {
  test("rows are appended, events tell of it, and a restart gives the same table and prices", async () => {
    const venue = open(hours, opensAt(hours, 0));
    const events: [string, IssueEvent][] = [];
    venue.onIssue((issue, event) => events.push([issue.code, event]));
    venue.start();
    const before = [...venue.instruments];
    const last = opensAt(hours, 7);
    for (let later = 1; later <= 7; later += 1) await moveTo(venue, opensAt(hours, later));
    expect(venue.instruments.slice(0, before.length)).toEqual(before);
    const added = venue.instruments.slice(before.length);
    expect(added.length).toBeGreaterThanOrEqual(7);
    expect(added.map(({ row }) => row)).toEqual(added.map((_one, nth) => before.length + nth));
    expect(events.filter(([, event]) => event === "announced").map(([code]) => code)).toEqual(added.map(({ code }) => String(code)));
    const listed = venue.issues(last).filter(({ tradesFrom }) => tradesFrom > opensAt(hours, 0) && tradesFrom <= last);
    expect(listed.length).toBeGreaterThan(4);
    expect(new Set(events.filter(([, event]) => event === "listed").map(([code]) => code))).toEqual(
      new Set(listed.map(({ code }) => code)),
    );
    for (const { code, row } of added) expect(venue.instrument(code)?.row).toBe(row);
    expect(venue.categories.reduce((sum, { count }) => sum + count, 0)).toBe(venue.instruments.length);

    const again = open(hours, last, { held: before.map(({ code }) => code) });
    const codes = venue.instruments.map(({ code }) => String(code));
    expect(again.instruments.map(({ code }) => String(code))).toEqual(expect.arrayContaining(codes.slice(-20)));
    for (const { code, tradesFrom, row } of venue.instruments) {
      const twin = again.instrument(code);
      if (!twin) throw new Error(`${code} is gone`);
      expect({ ...twin, row }).toEqual(venue.instrument(code));
      if (tradesFrom === 0 || tradesFrom > last) continue;
      const { reference, open: opened } = again.quote(twin.row);
      expect([reference, opened]).toEqual([venue.quote(row).reference, venue.quote(row).open]);
    }
    if (hours === "taiwan") expect(again.state(last).universe).toBe(venue.state(last).universe);
    for (const one of venue.issues(last)) expect({ ...again.issue(one.code), row: one.row }).toEqual(one);
  });
});

describe("an issue before its listing", () => {
  const venue = openLasting("taiwan", opensAt("taiwan", 0));
  const at = clock;
  const issue = pending(venue, at);
  const { row } = issue;
  afterAll(() => venue.stop());

  test("is in the table and says when it lists, but has no price and does not trade", async () => {
    const instrument = venue.instrument(issue.code);
    expect(instrument).toMatchObject({
      tradable: true,
      tradesFrom: issue.tradesFrom,
      fictitious: true,
      shortable: false,
      marginable: false,
    });
    expect(venue.quote(row)).toMatchObject({ last: 0, reference: 0, volume: 0, bid: 0, ask: 0 });
    expect(venue.depth(row)).toMatchObject({ bids: [], asks: [] });
    expect(venue.matching(row, at)).toBe("none");
    expect([venue.callBook(row, false), venue.callBook(row, true)]).toEqual([null, null]);
    expect(venue.plan({ row, side: "buy", limit: null, lots: 1 })).toEqual([]);
    expect(venue.limits(row, at)).toBeNull();
    for (const period of ["day", "minute", "week"] as const)
      expect(await venue.candles(issue.code, period, null, 50)).toEqual({ bars: [], more: false });
    expect(await venue.profile(issue.code)).toMatchObject({ listedAt: issue.tradesFrom, yearHigh: null });
    expect(await venue.actions(issue.code)).toEqual([]);
    expect(await venue.investors(issue.code)).toEqual([]);
    expect(venue.closedAtLimitDown(row)).toBe(false);
    expect(venue.rank(SECOND_VOLUME)).not.toContain(row);
  });

  test("its profile is made from the underwriting price, which tells nothing of what it is worth", async () => {
    const other = open("taiwan", at, { seed: 10 });
    const twin = pending(other, at);
    for (const [one, of] of [[issue, venue] as const, [twin, other] as const]) {
      const profile = await of.profile(one.code);
      expect(profile?.fundamentals?.book).toBeGreaterThan(one.price / 12);
      expect(profile?.fundamentals?.book).toBeLessThan(one.price * 12);
    }
  });

  test("later issues are hidden: no row, no code, no crowd", () => {
    const newest = venue.issues(at).at(-1);
    const next = `N${String((newest?.number ?? 0) + 1).padStart(4, "0")}`;
    for (const end of ["", "B", "F"]) {
      expect(venue.instrument(next + end)).toBeUndefined();
      expect([venue.issue(next + end), venue.offeringCrowd(next + end)]).toEqual([null, null]);
    }
    expect(unknownRow(venue, { rows: [venue.instruments.length - 1], channels: {} })).toBeUndefined();
    expect(unknownRow(venue, { rows: [venue.instruments.length], channels: {} })).toBe(venue.instruments.length);
    expect(venue.offeringCrowd(issue.code)?.applications(issue.price)).toBeGreaterThan(issue.lots);
    expect(venue.issue("2330")).toBeNull();
    expect(venue.issueSessionsLeft(at)).toBe(500);
  });
});

describe("an issue after its listing", () => {
  /** The eighth session of an issue that was announced on the Monday. */
  const before = open("taiwan", opensAt("taiwan", 0));
  const issue = pending(before, clock);
  const calendar = calendarOf("taiwan");
  const first = calendar.at(issue.tradesFrom).session;
  const at = calendar.opensAt(first + 7) + 60 * MINUTE_MS;

  test("trades, with limits from its sixth session on, and has a history from its first", async () => {
    const venue = open("taiwan", at);
    const { row } = issue;
    const quote = venue.quote(row);
    expect(quote.reference).toBeGreaterThan(issue.price / 2);
    expect(quote.reference).toBeLessThan(issue.price * 2);
    expect(quote.last).toBeGreaterThan(0);
    expect(venue.matching(row, at)).toBe("continuous");
    expect(venue.plan({ row, side: "buy", limit: null, lots: 1 }).length).toBeGreaterThan(0);
    expect(venue.limits(row, calendar.opensAt(first))).toBeNull();
    expect(venue.limits(row, calendar.opensAt(first + 4))).toBeNull();
    expect(venue.limits(row, calendar.opensAt(first + 5))).not.toBeNull();
    expect(venue.rank(SECOND_VOLUME)).toContain(row);
    const days = await venue.candles(issue.code, "day", null, 50);
    expect(days.bars.length / 6).toBe(8);
    expect((await venue.candles(issue.code, "minute", null, 400)).bars.length).toBeGreaterThan(36);
    expect((await venue.investors(issue.code))?.length).toBe(7);
    const { category, board } = issue;
    const place = venue.categories.findIndex((one) => one.code === category && one.board === board);
    const heats = venue.heat();
    const heat = Array.from({ length: heats.length / HEAT_STRIDE }, (_one, nth) => sectorHeatAt(heats, nth * HEAT_STRIDE)).find(
      (one) => one.category === place,
    );
    expect((heat?.up ?? 0) + (heat?.down ?? 0) + (heat?.flat ?? 0)).toBeGreaterThan(0);
    const replay = await venue.replaySession(calendar.opensAt(first + 7), at);
    expect(quoteAt(replay?.quotes ?? [], row * QUOTE_STRIDE)).toMatchObject({ row, reference: quote.reference, open: quote.open });
  });

  test("keeps its row in hours with many sessions only if somebody holds it", () => {
    const later = opensAt("compressed", 3 * 144);
    const young = open("compressed", MONDAY);
    const old = pending(young, MONDAY);
    expect(open("compressed", later).instrument(old.code)).toBeUndefined();
    const kept = open("compressed", later, { held: ["2330", old.code, "N999999"] });
    const row = kept.instrument(old.code)?.row ?? -1;
    expect(row).toBe(CODES.length);
    expect(kept.quote(row).last).toBeGreaterThan(0);
    expect(kept.issue(old.code)).toMatchObject({ row, price: old.price, tradesFrom: old.tradesFrom });
    expect(kept.state(later).universe).not.toBe(open("compressed", later).state(later).universe);
    expect(marketName(kept.state(later))).toBe(marketName(young.state(MONDAY)));
  });
});

test("a fund tells its distributions and its index, which the market has, and nothing else does", () => {
  const venue = open("compressed", MONDAY);
  const issues = venue.issues(MONDAY);
  const funds = issues.filter(({ kind }) => kind === "fund");
  expect(funds.length).toBeGreaterThan(4);
  for (const { fund } of issues.filter(({ kind }) => kind !== "fund")) expect(fund).toBeUndefined();
  for (const { fund } of funds) {
    expect(fund?.maturesAt).toBeNull();
    expect((fund?.distributions ?? 0) > 0).toBe((fund?.yieldPerMillion ?? 0) > 0);
    expect(fund?.yieldPerMillion).toBeLessThan(100_000);
    expect(["IX0001", "IX0027", "IX0039", null]).toContain(fund?.indexCode);
  }
  expect(new Set(funds.map(({ fund }) => fund?.indexCode)).size).toBeGreaterThan(1);
});
