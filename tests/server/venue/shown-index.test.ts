/**
 * Tests the indices as they are shown: with what members add to their shares, the same on every server and in the bars; what money depends on knows
 * nothing of it.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import type { MemberFill, MemberTrade } from "#server/venue/matching/member-trade.ts";
import { basketsOf } from "#server/venue/simulator/index-basket.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import { finalPrice } from "#server/trading/futures/contracts.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { isFull } from "#tests/support/size.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { logOf } from "./trade-log.ts";

const START = taipei("2026-12-03T10:20:10.000");
const SEED = 11;
const TAIEX = "IX0001";
/** Large shares of the index, and one of another board. */
const CODES = ["2330", "2317", "2454", "6488"];

beforeEach(() => void vi.useFakeTimers({ now: START, toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

const universe = sampleUniverse(2, ...CODES);
const open = (): Venue => openVenue({ seed: SEED, rate: 400, hours: "taiwan", codes: universe });
const rowOf = (venue: Venue, code: string): number => venue.instrument(code)?.row ?? -1;

/** A market in which members buy, and the same one without them. */
interface Pair {
  venue: Venue;
  alone: Venue;
  members: MemberTrade[];
  fills: MemberFill[];
}

/** Lets members buy much of a share, and sell some of another, as an order would. */
function trade({ venue, members, fills }: Pair, code: string, side: 1 | -1, lots: number): void {
  const row = rowOf(venue, code);
  const want = { row, side: side > 0 ? "buy" : "sell", limit: null, lots } as const;
  const executions = venue.plan(want);
  venue.consume(want, executions);
  const trades = executions.map(({ price: at, lots: got }): MemberTrade => ({ row, at: Date.now(), price: at, lots: got, side }));
  const moving = trades.map(({ lots: got, at }) => ({ row, at, lots: side * got }));
  members.push(...trades);
  fills.push(...moving);
  venue.report(trades, moving);
}

/** Some minutes in which members trade. `each` is called every second, before the next trades. */
function run(minutes: number, each: (pair: Pair, second: number) => void = () => undefined): Pair {
  const pair: Pair = { venue: open(), alone: open(), members: [], fills: [] };
  pair.venue.start();
  pair.alone.start();
  for (let second = 0; second < minutes * 60; second += 1) {
    vi.advanceTimersByTime(SECOND_MS);
    each(pair, second);
    const code = CODES[second % CODES.length] ?? "";
    if (second < minutes * 60 - 20) trade(pair, code, code === "2317" ? -1 : 1, 2_000);
  }
  return pair;
}

const stop = ({ venue, alone }: Pair): Promise<unknown> => Promise.all([venue.stop(), alone.stop()]);

/** The points that members add to the index by the prices of its shares. */
function added(venue: Venue): number {
  const { indices, groupOf, shares } = basketsOf(marketOf(SEED, "taiwan", universe));
  const basket = indices.find(({ row }) => row === rowOf(venue, TAIEX));
  const groups = new Set(basket?.groups);
  const value = venue.instruments
    .filter(({ row }) => groups.has(groupOf[row] ?? -1))
    .reduce((sum, { row }) => sum + (venue.publicQuote(row).last - venue.quote(row).last) * (shares[row] ?? 0), 0);
  return value / (basket?.base ?? 1);
}

async function minutesOf(venue: Venue, code: string, limit: number): Promise<number[][]> {
  const { bars } = await venue.candles(code, "minute", null, limit);
  return Array.from({ length: bars.length / CANDLE_STRIDE }, (_, nth) => bars.slice(nth * CANDLE_STRIDE, (nth + 1) * CANDLE_STRIDE));
}

describe("an index as it is shown", () => {
  test("has what members add to its shares, in its price, range and sums; that of the market alone is as without members", async () => {
    let most = 0;
    const pair = run(2, ({ venue, alone }) => {
      for (const code of [TAIEX, "IX0027", "IX0043"]) {
        const row = rowOf(venue, code);
        expect(venue.quote(row), code).toEqual({ ...alone.quote(row), seq: venue.quote(row).seq });
        expect(venue.fairIndex?.(row, Date.now())).toBe(alone.fairIndex?.(row, Date.now()));
      }
      const row = rowOf(venue, TAIEX);
      const [own, shown] = [venue.quote(row), venue.publicQuote(row)];
      most = Math.max(most, Math.abs(shown.last - own.last));
      expect([shown.high >= shown.last, shown.low <= shown.last, shown.open, shown.reference]).toEqual([
        true,
        true,
        own.open,
        own.reference,
      ]);
    });
    const { venue, members } = pair;
    vi.advanceTimersByTime(950);
    const row = rowOf(venue, TAIEX);
    const [own, shown] = [venue.quote(row), venue.publicQuote(row)];
    expect(Math.abs(shown.last - own.last - added(venue))).toBeLessThan(0.02 * 10_000);
    expect(most).toBeGreaterThan(20 * 10_000);
    const listed = members.filter((one) => one.row !== rowOf(venue, "6488"));
    expect(shown.volume - own.volume).toBe(listed.reduce((sum, { lots }) => sum + lots, 0));
    expect(shown.turnover).toBeGreaterThan(own.turnover);
    await stop(pair);
  });

  test("is the same on a server that starts later with the log, at every slot from its first publication on", async () => {
    const pair = run(2);
    const { venue, members, fills } = pair;
    const later = open();
    later.restore({ trades: members, fills: logOf({ venue, fills }, START) });
    const row = rowOf(venue, TAIEX);
    const fields = ({ last, open: first, volume, turnover }: ReturnType<Venue["quote"]>): number[] => [last, first, volume, turnover];
    expect(Math.abs(later.publicQuote(row).last - later.quote(row).last)).toBeGreaterThan(10_000);
    later.start();
    for (let slot = 0; slot < 300; slot += 1) {
      vi.advanceTimersByTime(350);
      if (slot >= 3) expect(fields(later.publicQuote(row))).toEqual(fields(venue.publicQuote(row)));
    }
    const [one, other] = [later.publicQuote(row), venue.publicQuote(row)];
    expect([one.high <= other.high, one.low >= other.low]).toEqual([true, true]);
    await Promise.all([stop(pair), later.stop()]);
  });

  test("its minutes end where it was shown, today, after a restart and on the next day, and the day has them", async () => {
    const ends = new Map<number, number>();
    const pair = run(3, ({ venue }, second) => {
      if (second % 60 === 49) ends.set(Date.now() - MINUTE_MS, venue.publicQuote(rowOf(venue, TAIEX)).last);
    });
    const { venue, alone, members, fills } = pair;
    const log = logOf({ venue, fills }, START);
    const again = open();
    again.restore({ trades: members, fills: log });
    const closes = async (market: Venue, limit: number): Promise<Map<number, number>> =>
      new Map((await minutesOf(market, TAIEX, limit)).map(([at = 0, , , , close = 0]) => [at, close]));
    const [shown, restarted, own] = [await closes(venue, 10), await closes(again, 10), await closes(alone, 10)];
    vi.setSystemTime(START + DAY_MS);
    const tomorrow = open();
    tomorrow.restore({ trades: members, fills: log });
    const past = await closes(tomorrow, 400);
    for (const [at, last] of ends) {
      expect(Math.abs((shown.get(at) ?? 0) - (own.get(at) ?? 0))).toBeGreaterThan(10_000);
      expect(restarted.get(at)).toBe(shown.get(at));
      expect(past.get(at)).toBe(shown.get(at));
      // The last slot of a minute is not published.
      expect(Math.abs((shown.get(at) ?? 0) - last)).toBeLessThan(3 * 10_000);
    }
    expect(ends.size).toBe(3);
    const { opensAt, closesAt } = venue.state(START);
    const levels = (await minutesOf(tomorrow, TAIEX, 600)).filter(([at = 0]) => at >= opensAt && at <= closesAt);
    const replay = await tomorrow.replaySession(opensAt, closesAt);
    const { last, high } = quoteAt(replay?.quotes ?? [], rowOf(tomorrow, TAIEX) * QUOTE_STRIDE);
    expect(last).toBe(levels.at(-1)?.[4]);
    expect(high).toBe(Math.max(...levels.flatMap(([, first = 0, , , close = 0]) => [first, close])));
    // The day's bar needs the long history of the index.
    if (isFull) {
      const day = (await tomorrow.candles(TAIEX, "day", null, 3)).bars.slice(CANDLE_STRIDE, 2 * CANDLE_STRIDE);
      expect(day[4]).toBe(last);
    }
    await Promise.all([stop(pair), again.stop(), tomorrow.stop()]);
  });
});

test("contracts are settled by the index of the market alone", async () => {
  const pair = run(3);
  const { venue, alone } = pair;
  const row = rowOf(venue, TAIEX);
  expect(Math.abs(venue.publicQuote(row).last - venue.quote(row).last)).toBeGreaterThan(20 * 10_000);
  // As if the session ended now.
  const delivery = { opensAt: venue.state(START).opensAt, closesAt: START - 10 * SECOND_MS + 3 * MINUTE_MS };
  const settled = await finalPrice(venue, delivery, 0);
  expect(settled).toBeGreaterThan(0);
  expect(settled).toBe(await finalPrice(alone, delivery, 0));
  await stop(pair);
});

test("a tape that was printed before a late commit is that of the log", async () => {
  const pair = run(1);
  const { venue, members, fills } = pair;
  const row = rowOf(venue, "2330");
  vi.advanceTimersByTime(MINUTE_MS);
  const late: MemberFill = { row, at: Date.now() - 50 * SECOND_MS, lots: 50_000 };
  const before = venue.publicTape(row, 0, 50);
  venue.report([], [late]);
  fills.push(late);
  const again = open();
  again.restore({ trades: members, fills: logOf({ venue, fills }, START) });
  const pricesOf = (flat: number[]): Map<number | undefined, number | undefined> =>
    new Map(Array.from({ length: flat.length / 5 }, (_, nth) => [flat[nth * 5 + 1], flat[nth * 5 + 2]]));
  const [now, told, then] = [pricesOf(venue.publicTape(row, 0, 50)), pricesOf(again.publicTape(row, 0, 50)), pricesOf(before)];
  let [same, moved] = [0, 0];
  for (const [at, each] of told)
    if (now.has(at)) {
      expect(now.get(at), `${at}`).toBe(each);
      same += 1;
      moved += then.get(at) === each ? 0 : 1;
    }
  expect(same).toBeGreaterThan(5);
  expect(moved).toBeGreaterThan(2);
  await Promise.all([stop(pair), again.stop()]);
});
