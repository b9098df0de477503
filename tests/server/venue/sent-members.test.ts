/** Tests that the history's thread knows what members did, though each query tells it only what has changed. */
import { expect, test, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { IndexHistory } from "#server/venue/history/index-history.ts";
import { KnownMembers, SentMembers } from "#server/venue/history/sent-members.ts";
import type { MembersChange } from "#server/venue/history/sent-members.ts";
import { DailyBarCache } from "#server/venue/simulator/daily-bar-cache.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import { MemberTrades } from "#server/venue/simulator/member-trades.ts";
import type { MemberSession } from "#server/venue/simulator/public-market.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";
import { taipei } from "#tests/support/taipei-time.ts";

const START = taipei("2026-12-07 10:00:00");
const KEPT = 3;
const market = marketOf(1, "taiwan", sampleUniverse(2, "2330"));
const { calendar } = market;
const today = calendar.at(START).session;

/** A log of members, told to a thread through copies as messages are. */
function talk() {
  const trades = new MemberTrades(calendar, KEPT - 1);
  const sessionOf = (row: number, session: number): MemberSession => ({
    row,
    minutes: trades.minutesOf(row, session),
    fills: trades.fills(row, session),
  });
  const told = new SentMembers({
    memberRows: (session) => trades.rowsOf(session),
    memberState: (row, session) => ({ span: trades.day(row, session), fills: trades.fills(row, session).length }),
    sessionOf,
  });
  let [known, thread] = [new KnownMembers(KEPT), 1];
  const tell = (newest = today): MembersChange => {
    const sessions = Array.from({ length: KEPT }, (_, nth) => newest - nth);
    const change = structuredClone(told.change(sessions, thread));
    known.apply(change);
    return change;
  };
  const all = (session: number) => trades.rowsOf(session).map((row) => sessionOf(row, session));
  const received = (session: number) => known.of(session)?.members ?? [];
  const byRow = (members: readonly MemberSession[]) => members.toSorted((a, b) => a.row - b.row);
  return {
    trades,
    told,
    tell,
    version: () => known.of(today)?.version,
    agrees: (session = today) => expect(byRow(received(session))).toEqual(byRow(all(session))),
    received,
    die: () => void ([known, thread] = [new KnownMembers(KEPT), thread + 1]),
  };
}

const buy = (row: number, at: number, price = 100_000) => ({ row, at, price, lots: 2, side: 1 as const });
const rowsIn = ({ sessions }: MembersChange) => sessions.map(({ session, members }) => [session, members.map(({ row }) => row)]);

test("a query tells the rows that changed since the last one, and no others", () => {
  const { trades, tell, agrees, version } = talk();
  expect(tell()).toEqual({ whole: true, sessions: [] });
  trades.add(buy(3, START));
  trades.add(buy(5, START));
  expect(rowsIn(tell())).toEqual([[today, [3, 5]]]);
  agrees();
  const before = version();
  expect(tell()).toEqual({ whole: false, sessions: [] });
  expect(version()).toBe(before);
  trades.add(buy(5, START + 1));
  expect(rowsIn(tell())).toEqual([[today, [5]]]);
  expect(version()).not.toBe(before);
  trades.addFill(3, START + 2, 7);
  expect(rowsIn(tell())).toEqual([[today, [3]]]);
  // The price of a call replaces that of an earlier telling.
  trades.add({ ...buy(4, START + MINUTE_MS), side: 0 });
  tell();
  trades.add({ ...buy(4, START + MINUTE_MS, 110_000), side: 0 });
  expect(rowsIn(tell())).toEqual([[today, [4]]]);
  agrees();
});

test("a thread in place of one that died is told everything", () => {
  const { trades, tell, agrees, die } = talk();
  trades.add(buy(3, START));
  tell();
  die();
  expect(rowsIn(tell())).toEqual([[today, [3]]]);
  agrees();
});

test("what a restore takes away is forgotten", () => {
  const { trades, told, tell, agrees, received } = talk();
  trades.add(buy(3, START));
  trades.add(buy(5, START));
  tell();
  trades.clear();
  trades.add(buy(5, START));
  told.forget();
  expect(tell().whole).toBe(true);
  agrees();
  expect(received(today).map(({ row }) => row)).toEqual([5]);
});

test("a new session keeps the ones before it, and drops the oldest", () => {
  const { trades, tell, agrees, received } = talk();
  trades.add(buy(3, START - 3 * DAY_MS));
  const first = calendar.at(START - 3 * DAY_MS).session;
  trades.add(buy(3, START));
  tell();
  agrees();
  agrees(first);
  trades.add(buy(3, calendar.opensAt(first + KEPT) + MINUTE_MS));
  expect(rowsIn(tell(first + KEPT))).toEqual([[first + KEPT, [3]]]);
  agrees();
  expect(received(first)).toEqual([]);
});

test("a chart sums up only the rows that changed", () => {
  const { trades, tell } = talk();
  const known = new KnownMembers(KEPT);
  const history = new IndexHistory(market, new DailyBarCache(market));
  const rowOf = (wanted: string): number => market.referenceData.listings.findIndex(({ instrument }) => instrument.code === wanted);
  const [index, first] = [rowOf("IX0001"), rowOf("2330")];
  const second = market.models.findIndex((model, row) => model !== null && row !== first);
  const summed = vi.spyOn(Path.prototype, "tape");
  const closes = (): number[] => {
    known.apply(tell());
    summed.mockClear();
    return history.minutes(index, today, 200, null, known).map(({ close }) => close);
  };
  expect(index).toBeGreaterThanOrEqual(0);
  const alone = closes();
  trades.addFill(first, START, 50_000);
  trades.addFill(second, START, 1);
  const bought = closes();
  const both = summed.mock.calls.length;
  expect(bought).not.toEqual(alone);
  expect(closes()).toEqual(bought);
  expect(summed).not.toHaveBeenCalled();
  trades.addFill(first, START + 1, 50_000);
  expect(closes()).not.toEqual(bought);
  const one = summed.mock.calls.length;
  trades.addFill(second, START + 1, 1);
  closes();
  expect(one + summed.mock.calls.length).toBe(both);
  summed.mockRestore();
});
