/**
 * Tests the sums of members' days: what is shown is the same with them as from the whole log, on a later day, half summed, and after a fill that
 * is stored when its day has been summed; and what a start reads does not grow with the log.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { MAX_TRADES } from "#contract/tape.ts";
import { EffectRelay } from "#server/cluster/effect-relay.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { MarketInBatch } from "#server/trading/sequencer/market-in-batch.ts";
import { readMark, sumDays } from "#server/trading/sequencer/member-days.ts";
import { restoreTrades } from "#server/trading/sequencer/stored-effects.ts";
import { calendarOf, firstSession } from "#server/venue/calendar/trading-calendar.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { MemberFill, MemberTrade } from "#server/venue/matching/member-trade.ts";
import { mix } from "#server/venue/seeded-random.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

const TRADED = ["2330", "2317"];
/** Where a day has many sessions, an index is a sum over too many of them for a test. */
const codesOf = (hours: Calendar["hours"]): readonly string[] => (hours === "taiwan" ? [...TRADED, "IX0001"] : TRADED);
/** The days of an index take long to compute, and have nothing of sessions that are read later. */
const INDEX_PERIODS: readonly CandlePeriod[] = ["minute", "minute30"];
const PERIODS: readonly CandlePeriod[] = ["minute", "minute5", "minute15", "minute30", "day", "week", "month"];
/** More than the sessions of which minutes are shown. */
const SESSIONS = 14;

let db: Database;
let now: number;
const venues: Venue[] = [];

beforeEach(async () => {
  db = await openTestDatabase();
});
afterEach(async () => {
  for (const venue of venues.splice(0)) await venue.stop();
  await db.close();
});

type Hours = Calendar["hours"];

/** The market as of now; `at`: of another moment, from which it does not move on. */
function open(hours: Hours, at?: number): Venue {
  const venue = openVenue({ seed: 5, rate: 40, hours, codes: codesOf(hours), now: () => at ?? now });
  venues.push(venue);
  return venue;
}

const rowOf = (venue: Venue, code: string): number => venue.instrument(code)?.row ?? -1;

/** Stores a session of random trades and fills, its last trade the closing call where there are calls; up to now. */
async function storeSession(venue: Venue, hours: Hours, session: number, seed: number): Promise<void> {
  const calendar = calendarOf(hours);
  const [opensAt, closesAt] = [calendar.opensAt(session), calendar.closesAt(session)];
  const batch = new MarketInBatch(venue, Math.min(now, closesAt - 1));
  for (let nth = 0; nth < 24; nth += 1) {
    const draw = (of: number, under: number): number => (mix(mix(seed, session), nth * 8 + of) >>> 0) % under;
    const at = opensAt + Math.floor(((closesAt - opensAt) * nth) / 24) + draw(0, 2_000);
    const row = rowOf(venue, TRADED[draw(1, 2)] ?? "");
    const price = Math.round(venue.previousClose(row) * (0.96 + draw(2, 80) / 1_000));
    const lots = 1 + draw(3, 30);
    if (at >= Math.min(now, closesAt)) break;
    batch.add({ row, at, price, lots, side: draw(4, 2) === 0 ? 1 : -1 });
    await storeFill(venue, { row, at, lots: (draw(4, 2) === 0 ? 1 : -1) * lots * (1 + draw(5, 60)) });
  }
  const row = rowOf(venue, "2330");
  if (hours !== "always" && closesAt < now) batch.addCall({ row, at: closesAt, price: venue.previousClose(row), lots: 9, side: 0 }, true);
  await db.transaction((tx) => batch.write(tx, now));
}

async function storeFill(venue: Venue, { row, at, lots }: MemberFill): Promise<void> {
  const state = venue.state(at);
  const values = [marketName(state), venue.instruments[row]?.code, state.opensAt, at, lots];
  await query(db.kysely, "INSERT INTO member_fill (universe, code, opens_at, at, lots) VALUES ($1, $2, $3, $4, $5)", values);
}

const sessionAt = (hours: Hours, at: number): number => calendarOf(hours).at(at).session;

/** Stores the sessions before a moment and the one of it. */
async function storeSessions(hours: Hours, count = SESSIONS): Promise<void> {
  const [venue, last] = [open(hours), sessionAt(hours, now)];
  for (let session = last - count; session <= last; session += 1) await storeSession(venue, hours, session, 3);
}

/** A market that was given the whole log. */
async function openWhole(hours: Hours, at = now): Promise<Venue> {
  const venue = open(hours, at);
  const trades = await query<MemberTrade & { code: string }>(db.kysely, "SELECT code, at, price, lots, side FROM member_trade ORDER BY id");
  const fills = await query<MemberFill & { code: string; opensAt: number }>(
    db.kysely,
    'SELECT code, opens_at AS "opensAt", at, lots FROM member_fill ORDER BY id',
  );
  const byDay = Map.groupBy(fills, ({ code, opensAt }) => `${code} ${opensAt}`);
  venue.restore({
    trades: trades.map(({ code, ...each }) => ({ ...each, row: rowOf(venue, code) })),
    fills: [...byDay.values()].map((some) => ({
      row: rowOf(venue, some[0]?.code ?? ""),
      opensAt: some[0]?.opensAt ?? 0,
      fills: some.map((each) => [each.at, each.lots] as const),
    })),
  });
  return venue;
}

/** A market as a server starts it. */
async function openStarted(hours: Hours): Promise<Venue> {
  const venue = open(hours);
  await sumDays({ db, venue, now: () => now });
  await restoreTrades(db.kysely, venue, now);
  return venue;
}

/** Everything that members' trades and fills change of what is shown. */
async function shown(venue: Venue): Promise<unknown> {
  const { opensAt } = venue.state(now);
  const of = async (code: string): Promise<unknown> => {
    const row = rowOf(venue, code);
    const bars: unknown[] = [];
    const isIndex = venue.instruments[row]?.kind === "index";
    for (const period of isIndex ? INDEX_PERIODS : PERIODS) bars.push(period, (await venue.candles(code, period, null, 2_500)).bars);
    const { seq: _seq, ...quote } = venue.publicQuote(row);
    const { seq: _depth, ...depth } = venue.depth(row);
    const profile = isIndex ? null : await venue.profile(code);
    return { bars, quote, depth, profile, tape: venue.publicTape(row, 0, MAX_TRADES) };
  };
  const all: unknown[] = [];
  for (const { code } of venue.instruments) all.push(code, await of(code));
  return [all, await venue.replaySession(opensAt, now)];
}

/** The days of an instrument as they are shown. */
const daysOf = async (venue: Venue, code: string): Promise<readonly number[]> => (await venue.candles(code, "day", null, 2_500)).bars;

describe.each([
  ["taiwan", taipei("2027-03-10T11:20:00")],
  ["always", taipei("2027-03-10T11:20:00")],
  ["compressed", taipei("2026-12-10T11:25:00")],
] as const)("in %s hours", (hours, start) => {
  beforeEach(() => {
    now = start;
  });

  it("what is shown is the same with the sums as from the whole log", async () => {
    await storeSessions(hours);
    const [whole, started] = [await openWhole(hours), await openStarted(hours)];
    expect(await query(db.kysely, "SELECT FROM member_day")).not.toHaveLength(0);
    expect(await shown(started)).toEqual(await shown(whole));
    expect(await daysOf(started, "2330")).not.toEqual(await daysOf(open(hours), "2330"));
  });

  it("and so it is days later, where nothing was summed meanwhile, and for a server that sums nothing", async () => {
    await storeSessions(hours);
    await sumDays({ db, venue: open(hours), now: () => now });
    const mark = await readMark(db.kysely, marketName(open(hours).state(now)));
    now += 4 * DAY_MS;
    await storeSession(open(hours), hours, sessionAt(hours, now), 4);
    const [whole, follower] = [await openWhole(hours), open(hours)];
    await new EffectRelay({ db, venue: follower, now: () => now }).open();
    const expected = await shown(whole);
    expect(await shown(follower)).toEqual(expected);
    expect(await shown(await openStarted(hours))).toEqual(expected);
    // The follower reads further back in the sums than they went when it started.
    expect(await readMark(db.kysely, marketName(whole.state(now)))).toBeGreaterThan(mark);
    expect(await shown(follower)).toEqual(expected);
    await sumDays({ db, venue: whole, now: () => now });
    expect(await shown(await openStarted(hours))).toEqual(expected);
  });
});

describe("what is stored in a day that has been summed", () => {
  /** Two batches of an old session, of which the second comes when it has been summed. @returns how to write that one */
  async function late(): Promise<{
    at: number;
    write: () => Promise<MarketInBatch>;
    reported: { trades: MemberTrade[]; fills: MemberFill[] };
  }> {
    now = taipei("2027-03-10T13:29:59.900");
    const [venue, at] = [open("taiwan"), now];
    await storeSessions("taiwan", 1);
    const row = rowOf(venue, "2330");
    const batch = new MarketInBatch(venue, at);
    const price = Math.round(venue.previousClose(row) * 1.08);
    batch.add({ row, at, price, lots: 50, side: 1 });
    // What members take at the market's own best price.
    batch.addFill(row, "buy", venue.quote(row).last, 50);
    const write = async (): Promise<MarketInBatch> => {
      await db.transaction((tx) => batch.write(tx, now));
      return batch;
    };
    return { at, write, reported: { trades: [{ row, at, price, lots: 50, side: 1 }], fills: [{ row, at, lots: 50 }] } };
  }

  it("corrects its sum, with the next start and on the servers that show it already", async () => {
    const { write, reported } = await late();
    now = taipei("2027-04-28T10:20:00");
    const [leader, follower, before] = [await openStarted("taiwan"), open("taiwan"), await openWhole("taiwan")];
    const relay = new EffectRelay({ db, venue: follower, now: () => now });
    await relay.open();
    for (const venue of [leader, follower]) expect(await daysOf(venue, "2330")).toEqual(await daysOf(before, "2330"));
    await write();
    leader.report(reported.trades, reported.fills);
    await relay.catchUp();
    const expected = await shown(await openWhole("taiwan"));
    expect(await shown(await openStarted("taiwan"))).toEqual(expected);
    expect(await daysOf(leader, "2330")).not.toEqual(await daysOf(before, "2330"));
    expect(await shown(leader)).toEqual(expected);
    expect(await shown(follower)).toEqual(expected);
  });

  it("is left out with its transaction", async () => {
    const { write } = await late();
    now = taipei("2027-04-28T10:20:00");
    await openStarted("taiwan");
    const sums = await query(db.kysely, "SELECT * FROM member_day ORDER BY code, opens_at");
    const { transaction } = db;
    db = {
      ...db,
      transaction: (work) =>
        transaction(async (tx) => {
          await work(tx);
          throw new Error("killed");
        }),
    };
    await expect(write()).rejects.toThrow("killed");
    db = { ...db, transaction };
    expect(await query(db.kysely, "SELECT * FROM member_day ORDER BY code, opens_at")).toEqual(sums);
    await write();
    expect(await query(db.kysely, "SELECT * FROM member_day ORDER BY code, opens_at")).not.toEqual(sums);
  });
});

it("a chart reads the days of its history, and none of those before", async () => {
  now = taipei("2027-03-10T13:20:00");
  const [venue, calendar] = [open("taiwan"), calendarOf("taiwan")];
  const first = firstSession(calendar, sessionAt("taiwan", now));
  const opened = [first - 1, first, first + 1].map((session) => calendar.opensAt(session));
  for (const at of opened) await storeFill(venue, { row: rowOf(venue, "2330"), at, lots: 5 });
  await sumDays({ db, venue, now: () => now });
  const read: unknown[] = [];
  const reading = new Proxy<Reader>(db.kysely, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== "executeQuery") return typeof value === "function" ? (value.bind(target) as unknown) : value;
      return async (...asked: Parameters<Reader["executeQuery"]>) => {
        const result = await target.executeQuery(...asked);
        read.push(...(result.rows as { opensAt: number }[]).map(({ opensAt }) => opensAt));
        return result;
      };
    },
  });
  await restoreTrades(db.kysely, venue, now, reading);
  await venue.candles("2330", "day", null, 10);
  expect(read).toEqual(opened.slice(1));
});

it("a start reads as much of a long log as of a short one", async () => {
  now = taipei("2027-03-10T13:20:00");
  /** The rows that a start reads, of which one of fills holds those of a day. */
  const rowsRead = async (): Promise<number> => {
    let read = 0;
    const venue = open("taiwan");
    await sumDays({ db, venue, now: () => now });
    const counting = new Proxy<Reader>(db.kysely, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== "executeQuery") return typeof value === "function" ? (value.bind(target) as unknown) : value;
        return async (...asked: Parameters<Reader["executeQuery"]>) => {
          const result = await target.executeQuery(...asked);
          for (const row of result.rows as { fills?: readonly unknown[] }[]) read += row.fills?.length ?? 1;
          return result;
        };
      },
    });
    await restoreTrades(counting, venue, now);
    return read;
  };
  await storeSessions("taiwan", 12);
  const short = await rowsRead();
  const [venue, calendar] = [open("taiwan"), calendarOf("taiwan")];
  const oldest = calendar.opensAt(sessionAt("taiwan", now) - 12);
  // The same again of 60 sessions before.
  for (const table of ["member_trade", "member_fill"]) {
    const values = table === "member_trade" ? "price, lots, side" : "lots";
    for (let nth = 1; nth <= 60; nth += 1)
      await query(
        db.kysely,
        `INSERT INTO ${table} (universe, code, opens_at, at, ${values}) SELECT universe, code, $1, at - $2 + $1, ${values} FROM ${table} WHERE opens_at = $2`,
        [calendar.opensAt(sessionAt("taiwan", now) - 12 - nth), oldest],
      );
  }
  await query(db.kysely, "DELETE FROM member_day_mark");
  expect(await rowsRead()).toBe(short);
  expect(short).toBeGreaterThan(0);
  expect(await readMark(db.kysely, marketName(venue.state(now)))).toBe(venue.state(now - MINUTE_MS).opensAt);
});
