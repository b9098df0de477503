/** Tests funds with a term in the simulated venue: what is announced, the last session, the value they end at, and a restart that changes nothing. */
import { afterEach, describe, expect, test } from "vitest";
import { hasEnded } from "#contract/instrument.ts";
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import type { FundFacts, Issue } from "#server/venue/issue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";

const CODES = ["2330", "0050", "IX0001"];
const BEFORE = Date.UTC(2026, 10, 23, 2);
const AFTER = Date.UTC(2027, 2, 1, 2);

let clock = 0;
const venues: Venue[] = [];
afterEach(async () => {
  for (const venue of venues.splice(0)) await venue.stop();
});

function open(hours: Hours, at: number, more: { held?: string[]; seed?: number } = {}): Venue {
  clock = at;
  const venue = openVenue({ seed: 9, rate: 400, hours, codes: CODES, newIssues: true, now: () => clock, ...more });
  venues.push(venue);
  return venue;
}

const factsOf = ({ fund }: Issue): FundFacts & { maturesAt: number; lastTradedAt: number; noticeAt: number } => {
  if (!fund || fund.maturesAt === null || fund.lastTradedAt === undefined || fund.noticeAt === undefined) throw new Error("no term");
  return { ...fund, maturesAt: fund.maturesAt, lastTradedAt: fund.lastTradedAt, noticeAt: fund.noticeAt };
};
const withTerm = (venue: Venue, at: number) => venue.issues(at).filter(({ fund }) => fund && fund.maturesAt !== null);

test.each(["always", "taiwan", "compressed"] as const)("about half of the funds have a term, which their name tells (%s)", (hours) => {
  expect(withTerm(open(hours, BEFORE), BEFORE)).toEqual([]);
  const venue = open(hours, AFTER);
  const funds = venue.issues(AFTER).filter(({ kind }) => kind === "fund");
  const ending = withTerm(venue, AFTER);
  expect(ending.length).toBeGreaterThan(funds.length / 5);
  expect(ending.length).toBeLessThan((funds.length * 4) / 5);
  for (const issue of funds) expect(issue.zh.endsWith("目標到期")).toBe(ending.includes(issue));
  const calendar = calendarOf(hours);
  for (const issue of ending) {
    const { maturesAt, lastTradedAt, noticeAt } = factsOf(issue);
    const first = calendar.at(issue.tradesFrom).session;
    const last = calendar.at(lastTradedAt - 1).session;
    expect(calendar.acceptsOrdersAt(last + 1)).toBe(maturesAt);
    expect(last - first).toBeGreaterThanOrEqual(hours === "compressed" ? 5 : 19);
    expect(last - first).toBeLessThan(hours === "compressed" ? 18 : 60);
    expect(noticeAt).toBeGreaterThan(issue.tradesFrom);
    expect(noticeAt).toBeLessThan(lastTradedAt);
    expect(venue.instrument(issue.code)?.tradesUntil).toBe(maturesAt);
  }
  for (const { code } of funds.filter((issue) => !ending.includes(issue))) expect(venue.instrument(code)?.tradesUntil).toBeUndefined();
});

describe.each(["taiwan", "compressed"] as const)("a fund at its end (%s)", (hours) => {
  const calendar = calendarOf(hours);
  const found = (): { code: string; first: number; ends: number } => {
    const venue = open(hours, AFTER);
    const issue = withTerm(venue, AFTER).find((one) => factsOf(one).maturesAt > AFTER && one.tradesFrom < AFTER);
    if (!issue) throw new Error("no fund with a term trades");
    return { code: issue.code, first: calendar.at(issue.tradesFrom).session, ends: calendar.at(factsOf(issue).maturesAt).session };
  };

  test("trades in its last session, ends at that session's close, and stays there; a restart knows the same value", async () => {
    const { code, first, ends } = found();
    const lastly = open(hours, calendar.closesAt(ends - 1) - 1, { held: [code] });
    const row = lastly.instrument(code)?.row ?? -1;
    expect(lastly.matching(row, clock)).not.toBe("none");
    expect(lastly.redemptionPrice(code, clock)).toBeNull();
    const days = (await lastly.candles(code, "day", null, 100)).bars.length;
    const value: (number | null)[] = [];
    for (const session of [ends, ends + 1, ends + 40]) {
      const venue = open(hours, calendar.opensAt(session) + MINUTE_MS, { held: [code] });
      const instrument = venue.instrument(code);
      if (!instrument) throw new Error(`${code} is gone`);
      value.push(venue.redemptionPrice(code, clock));
      expect(hasEnded(instrument, clock)).toBe(true);
      expect(venue.matching(instrument.row, clock)).toBe("none");
      expect(venue.plan({ row: instrument.row, side: "sell", limit: null, lots: 1 })).toEqual([]);
      expect(venue.quote(instrument.row)).toMatchObject({ last: 0, reference: value[0], volume: 0, bid: 0, ask: 0 });
      expect(venue.rank({ by: "volume", board: "listed", category: "etf", size: 100 })).not.toContain(instrument.row);
      const { bars } = await venue.candles(code, "day", null, 100);
      expect(bars.length).toBe(days);
      expect(bars.at(-2)).toBe(value[0]);
      expect((await venue.candles(code, "minute", null, 10)).bars.length > 0).toBe(session < ends + 10);
      if (hours === "taiwan") expect((await venue.investors(code))?.length).toBe(Math.min(20, ends - first));
    }
    expect(value[0]).toBeGreaterThan(0);
    expect(new Set(value).size).toBe(1);
    expect(lastly.redemptionPrice("0050", clock)).toBeNull();
  });

  test("is not among its category's ups and downs any more, and the other funds are", () => {
    const { code, ends } = found();
    const counted = (at: number): number => {
      const venue = open(hours, at, { held: [code] });
      const place = venue.categories.findIndex((one) => one.board === "listed" && one.code === "etf");
      const heats = venue.heat();
      const own = Array.from({ length: heats.length / HEAT_STRIDE }, (_one, nth) => sectorHeatAt(heats, nth * HEAT_STRIDE)).find(
        ({ category }) => category === place,
      );
      const priced = venue.instruments.filter(({ row, category }) => category === "etf" && venue.quote(row).reference > 0);
      const over = priced.filter((one) => hasEnded(one, at)).length;
      expect(own && own.up + own.down + own.flat).toBe(priced.length - over);
      return over;
    };
    const at = calendar.opensAt(ends) + MINUTE_MS;
    expect(counted(at)).toBeGreaterThan(0);
  });
});
