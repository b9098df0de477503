/**
 * Tests the market as it is published: members' trades are in the quote, the tape, the bars, the rankings and the replay, as a slow reference
 * that sorts all trades by time says; equal after a restart and on later days; and the market's own trades stay what they were. All of it once
 * more on a day on which members' fills move the prices.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { MAX_TRADES, TAPE_STRIDE } from "#contract/tape.ts";
import { addTrade } from "#server/venue/matching/member-trade.ts";
import type { MemberDay, MemberFill, MemberSpan, MemberTrade } from "#server/venue/matching/member-trade.ts";
import { readNewTrades } from "#server/venue/market-data/new-trades.ts";
import { mix } from "#server/venue/seeded-random.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";
import { barOf, inOrder, logOf, readTape } from "./trade-log.ts";

const START = Date.parse("2026-11-20T10:14:50+08:00");
/** A day on which members' fills move prices. */
const MOVED_START = Date.parse("2026-12-02T10:14:50+08:00");
const MINUTES = 6;
const codes = sampleUniverse(6);

type Hours = "taiwan" | "always";
const open = (hours: Hours): Venue => openVenue({ seed: 17, rate: 400, hours, codes });

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function candles(venue: Venue, row: number, period: CandlePeriod, limit: number): Promise<Candle[]> {
  const { bars } = await venue.candles(venue.instruments[row]?.code ?? "", period, null, limit);
  return Array.from({ length: bars.length / CANDLE_STRIDE }, (_, nth) => {
    const [at = 0, opening = 0, high = 0, low = 0, close = 0, volume = 0] = bars.slice(nth * CANDLE_STRIDE, (nth + 1) * CANDLE_STRIDE);
    return { at, open: opening, high, low, close, volume };
  });
}

/** Some minutes of the market with random trades of members. */
interface Told {
  venue: Venue;
  rows: number[];
  /** The market's own trades since the start as they were printed, the same as they would be without members, and members'. */
  own: MemberTrade[];
  alone: MemberTrade[];
  members: MemberTrade[];
  fills: MemberFill[];
  /** The quotes at the start. */
  from: Map<number, ReturnType<Venue["quote"]>>;
}

/** Whether members' fills move the prices of the day. */
let moves = false;

/** Rows whose instruments trade a lot, some and little. */
function chosenRows(venue: Venue): number[] {
  const traded = venue.instruments
    .filter(({ tradable, kind }) => tradable && kind === "stock")
    .map(({ row }) => ({ row, lots: venue.quote(row).volume }))
    .toSorted((a, b) => b.lots - a.lots);
  return [0, 1 / 2, 1].map((part) => traded[Math.floor(part * (traded.length - 1))]?.row ?? 0);
}

/** Lets the market run with members' trades at its quotes or some levels beyond. `each` is called after each second. */
function run(hours: Hours, seed: number, each: (told: Told) => void = () => undefined): Told {
  const venue = open(hours);
  const rows = chosenRows(venue);
  const from = new Map(rows.map((row) => [row, venue.quote(row)]));
  const told: Told = { venue, rows, own: [], alone: [], members: [], fills: [], from };
  const seen = new Map(told.rows.map((row) => [row, venue.tape(row, 0, 1)[0] ?? 0]));
  venue.start();
  for (let second = 0; second < MINUTES * 60; second += 1) {
    vi.advanceTimersByTime(SECOND_MS);
    for (const row of told.rows) {
      const flat = venue.tape(row, seen.get(row) ?? 0, MAX_TRADES);
      told.alone.push(...readTape(flat, row));
      told.own.push(...readTape(venue.boardTape(row, seen.get(row) ?? 0, MAX_TRADES), row));
      seen.set(row, flat.at(-TAPE_STRIDE) ?? seen.get(row) ?? 0);
    }
    const draw = (nth: number, under: number): number => (mix(mix(seed, second), nth) >>> 0) % under;
    const row = told.rows[draw(0, told.rows.length)] ?? 0;
    const side = draw(1, 2) === 0 ? "asks" : "bids";
    const level = venue.depth(row)[side][draw(2, 5)];
    if (level && draw(3, 10) < 4) {
      // A trade is published up to some milliseconds after it was decided.
      const at = Date.now() - draw(4, 40);
      const trade: MemberTrade = { row, at, price: level[0], lots: 1 + draw(5, 30), side: side === "asks" ? 1 : -1 };
      told.members.push(trade);
      const fill = { row, at, lots: trade.side * trade.lots * (1 + draw(6, 60)) };
      if (moves) told.fills.push(fill);
      venue.report([trade], moves ? [fill] : []);
    }
    each(told);
  }
  return told;
}

/** What members traded since the day's open, beside the market's own day as it is without them. */
function expectQuote({ venue, rows, own, members, from }: Told): void {
  for (const row of rows) {
    const [alone, shown] = [venue.quote(row), venue.publicQuote(row)];
    const theirs = members.filter((trade) => trade.row === row);
    const all = inOrder(
      own.filter((trade) => trade.row === row),
      theirs,
    );
    const lots = theirs.reduce((sum, trade) => sum + trade.lots, 0);
    const value = theirs.reduce((sum, { price, lots: size }) => sum + price * size, 0);
    const prices = all.map(({ price }) => price);
    const begun = from.get(row) ?? alone;
    expect(shown, `${row}`).toEqual({
      ...alone,
      at: Math.max(alone.at, ...theirs.map(({ at }) => at)),
      last: all.at(-1)?.price ?? alone.last,
      high: Math.max(begun.high, ...prices),
      low: Math.min(begun.low, ...prices),
      volume: alone.volume + lots,
      ...(moves
        ? { turnover: shown.turnover, bid: shown.bid, ask: shown.ask }
        : { turnover: alone.turnover + Math.round((value * (venue.instruments[row]?.lotShares ?? 0)) / PRICE_ONE) }),
    });
  }
}

describe.each([
  ["taiwan", "no day of impact", START],
  ["always", "no day of impact", START],
  ["taiwan", "a day on which fills move prices", MOVED_START],
  ["always", "a day on which fills move prices", MOVED_START],
] as const)("a market open %s, on %s", (hours, _, start) => {
  beforeEach(() => {
    moves = start === MOVED_START;
    vi.setSystemTime(start);
  });

  test("the quote has the latest trade, the range and the sums of all trades at every second", async () => {
    let seconds = 0;
    const { venue, members } = run(hours, 1, (told) => {
      expectQuote(told);
      seconds += 1;
    });
    expect(seconds).toBe(MINUTES * 60);
    expect(members.length).toBeGreaterThan(60);
    await venue.stop();
  });

  test("its own market is the same with members and without", async () => {
    const { venue, rows, own, alone: unmoved, members } = run(hours, 2);
    await venue.stop();
    vi.setSystemTime(start);
    const alone = open(hours);
    alone.start();
    const seen = new Map(rows.map((row) => [row, alone.tape(row, 0, 1)[0] ?? 0]));
    const trades: MemberTrade[] = [];
    for (let second = 0; second < MINUTES * 60; second += 1) {
      vi.advanceTimersByTime(SECOND_MS);
      for (const row of rows) {
        const flat = alone.tape(row, seen.get(row) ?? 0, MAX_TRADES);
        trades.push(...readTape(flat, row));
        seen.set(row, flat.at(-TAPE_STRIDE) ?? seen.get(row) ?? 0);
      }
    }
    // A trade that is due may wait for its turn, which depends on what else changed. A minute ends with all of them.
    const minute = (all: readonly MemberTrade[], row: number): unknown => {
      const trades = all.filter((trade) => trade.row === row && trade.at < start + 70 * SECOND_MS);
      const { at, price, side } = trades.at(-1) ?? {};
      return { at, price, side, lots: trades.reduce((sum, { lots }) => sum + lots, 0) };
    };
    expect(members.length).toBeGreaterThan(0);
    // On the other day all of them are printed where they are.
    expect(JSON.stringify(own) === JSON.stringify(unmoved)).toBe(!moves);
    for (const row of rows) {
      expect(minute(unmoved, row), `${row}`).toEqual(minute(trades, row));
      const { seq: __, at: ___, turnover: ____, ...quote } = venue.quote(row);
      expect(quote).toMatchObject({ row, last: alone.quote(row).last, volume: alone.quote(row).volume, high: alone.quote(row).high });
    }
    await alone.stop();
  });

  test("a reader of the tape gets every trade once, numbered without gaps", async () => {
    const readers = new Map<number, () => ReturnType<ReturnType<typeof readNewTrades>>>();
    const got = new Map<number, number[]>();
    const { venue, rows, own, members } = run(hours, 3, (told) => {
      for (const row of told.rows) {
        const read = readers.get(row) ?? readNewTrades(told.venue, row);
        const isFirst = !readers.has(row);
        readers.set(row, read);
        const { trades } = read() ?? { trades: [] };
        if (!isFirst) got.set(row, [...(got.get(row) ?? []), ...trades]);
      }
    });
    for (const row of rows) {
      const flat = got.get(row) ?? [];
      const numbers = readTape(flat, row).map((_, nth) => flat[nth * TAPE_STRIDE] ?? 0);
      const since = (trade: MemberTrade): boolean => trade.row === row && trade.at > start + SECOND_MS;
      expect(numbers).toEqual(numbers.map((_, nth) => (numbers[0] ?? 0) + nth));
      const text = (trades: readonly MemberTrade[]): string[] =>
        trades
          .filter(since)
          .map((trade) => JSON.stringify(trade))
          .toSorted();
      expect(text(readTape(flat, row))).toEqual(text([...own, ...members]));
    }
    const { atBid, atAsk } = venue.depth(rows[0] ?? 0);
    const sold = members.filter(({ row, side }) => row === rows[0] && side < 0).reduce((sum, { lots }) => sum + lots, 0);
    expect(sold).toBeGreaterThan(0);
    expect(atBid + atAsk).toBeLessThanOrEqual(venue.publicQuote(rows[0] ?? 0).volume);
    expect(atBid).toBeGreaterThanOrEqual(sold);
    await venue.stop();
  });

  test("minutes are made of all trades by time, five minutes and the day of the minutes", async () => {
    const { venue, rows, own, members } = run(hours, 4);
    for (const row of rows) {
      const bars = await candles(venue, row, "minute", 2_000);
      const mine = (trade: MemberTrade): boolean => trade.row === row;
      for (let minute = 1; minute < MINUTES; minute += 1) {
        const at = Math.floor(start / MINUTE_MS) * MINUTE_MS + minute * MINUTE_MS;
        const inside = (trade: MemberTrade): boolean => mine(trade) && trade.at >= at && trade.at < at + MINUTE_MS;
        const trades = inOrder(own.filter(inside), members.filter(inside));
        const bar = bars.find((one) => one.at === at);
        if (trades.length === 0) expect(bar).toBeUndefined();
        else expect(bar, `${row} ${minute}`).toEqual(barOf(at, trades));
      }
      const { open: opening, high, low, last, volume } = venue.publicQuote(row);
      const [day] = (await candles(venue, row, "day", 1)).slice(-1);
      expect(day).toMatchObject({ open: opening, high, low, close: last, volume });
      expect(bars.at(-1)?.close).toBe(last);
      const today = bars.filter((bar) => bar.at >= venue.state(Date.now()).opensAt);
      expect(today.reduce((sum, bar) => sum + bar.volume, 0)).toBe(volume);
      const five = await candles(venue, row, "minute5", 2_000);
      expect(five.filter((bar) => bar.at >= venue.state(Date.now()).opensAt).reduce((sum, bar) => sum + bar.volume, 0)).toBe(volume);
    }
    await venue.stop();
  });

  test("after a restart the same prices, sums, bars and tape are told by the log", async () => {
    const { venue, rows, members, fills } = run(hours, 5);
    vi.advanceTimersByTime(MINUTE_MS - (Date.now() % MINUTE_MS));
    const again = open(hours);
    again.restore({ trades: members, fills: logOf({ venue, fills }, start) });
    for (const row of rows) {
      const fields = ({ last, open: opening, high, low, volume, bid, ask }: ReturnType<Venue["quote"]>) => ({
        last,
        opening,
        high,
        low,
        volume,
        bid,
        ask,
      });
      expect(fields(again.publicQuote(row)), `${row}`).toEqual(fields(venue.publicQuote(row)));
      expect(Math.abs(again.publicQuote(row).turnover - venue.publicQuote(row).turnover)).toBeLessThanOrEqual(1);
      for (const period of ["minute", "minute5", "day"] as const)
        expect(await candles(again, row, period, 300), `${row} ${period}`).toEqual(await candles(venue, row, period, 300));
      const flat = again.publicTape(row, 0, MAX_TRADES);
      const tape = readTape(flat, row);
      expect(tape.map(({ at }) => at)).toEqual(tape.map(({ at }) => at).toSorted((a, b) => a - b));
      const from = tape[0]?.at ?? 0;
      const newest = members.filter((trade) => trade.row === row && trade.at > from);
      expect(
        tape.filter((trade) => newest.some((one) => one.at === trade.at && one.price === trade.price && one.lots === trade.lots)),
      ).toEqual(newest);
      const own = readTape(again.boardTape(row, 0, MAX_TRADES), row).filter(({ at }) => at > from);
      expect(tape.filter(({ at }) => at > from)).toEqual(inOrder(own, newest));
    }
    await Promise.all([venue.stop(), again.stop()]);
  });

  test("on a later day the past has them too, summed up by day from some age on", async () => {
    const { venue, rows, members, fills } = run(hours, 6);
    const log = logOf({ venue, fills }, start);
    await venue.stop();
    vi.setSystemTime(start + 4 * DAY_MS);
    const later = open(hours);
    later.restore({ trades: members, fills: log });
    const alone = open(hours);
    const opensAt = venue.state(start).opensAt;
    const summed = open(hours);
    const past = async (code: string): Promise<MemberDay[]> => {
      const mine = members.filter((trade) => venue.instruments[trade.row]?.code === code);
      const span = mine.reduce<MemberSpan | undefined>((sum, trade) => addTrade(sum, trade), undefined) ?? null;
      return [{ opensAt, span, fills: log.find(({ row }) => venue.instruments[row]?.code === code)?.fills ?? [] }];
    };
    summed.restore({ trades: [], before: opensAt + 1, past });
    for (const row of rows) {
      const mine = members.filter((trade) => trade.row === row);
      const lots = mine.reduce((sum, trade) => sum + trade.lots, 0);
      const [with_, without] = [await candles(later, row, "day", 10), await candles(alone, row, "day", 10)];
      expect(await candles(summed, row, "day", 10)).toEqual(with_);
      const changed = with_.filter((bar, nth) => JSON.stringify(bar) !== JSON.stringify(without[nth]));
      expect(changed).toHaveLength(lots > 0 ? 1 : 0);
      const minutes = (await candles(later, row, "minute", 20_000)).filter(({ at }) => at >= opensAt && at < opensAt + DAY_MS);
      const [day] = changed;
      if (day) {
        expect(day.volume).toBe(minutes.reduce((sum, bar) => sum + bar.volume, 0));
        expect(day).toMatchObject({ open: minutes[0]?.open, close: minutes.at(-1)?.close });
        expect([day.high, day.low]).toEqual([Math.max(...minutes.map(({ high }) => high)), Math.min(...minutes.map(({ low }) => low))]);
      }
      // Nothing of today, and nothing that money depends on, has changed.
      expect(later.publicQuote(row)).toEqual(alone.quote(row));
      expect(later.previousClose(row)).toBe(alone.previousClose(row));
    }
    await Promise.all([later.stop(), alone.stop(), summed.stop()]);
  });

  test("rankings sort by what is shown, and the replay of the session has it", async () => {
    const { venue, rows } = run(hours, 7);
    const [row = 0] = rows.slice(-1);
    const lots = 1 + Math.max(...venue.instruments.map((one) => (one.tradable ? venue.publicQuote(one.row).volume : 0)));
    const view = { by: "volume", board: null, category: null, size: 1 } as const;
    const first = venue.rank(view);
    venue.report([{ row, at: Date.now(), price: venue.quote(row).last, lots, side: 1 }]);
    // A ranking is computed at most once a second.
    vi.advanceTimersByTime(SECOND_MS);
    expect([first[0] === row, venue.rank(view)]).toEqual([false, [row]]);
    vi.advanceTimersByTime(MINUTE_MS - (Date.now() % MINUTE_MS));
    const replay = await venue.replaySession(venue.state(Date.now()).opensAt, Date.now());
    for (const one of rows) {
      const { last, open: opening, high, low, volume, turnover } = venue.publicQuote(one);
      const replayed = quoteAt(replay?.quotes ?? [], one * QUOTE_STRIDE);
      expect(replayed).toMatchObject({ last, open: opening, high, low, volume });
      expect(Math.abs(replayed.turnover - turnover)).toBeLessThanOrEqual(1);
    }
    await venue.stop();
  });
});
