/** Tests stocks under disposition: traded by calls alone, at the marks of their interval, in every part of the market that shows them. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Trade } from "#contract/tape.ts";
import { HOURS } from "#server/venue/calendar/session-rules.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import type { CallOrder } from "#server/venue/matching/call-auction.ts";
import type { Kind } from "#contract/instrument.ts";
import { step } from "#contract/tick.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import type { Call, Venue } from "#server/venue/venue.ts";

const SEED = 9;
const OPENS_AT = Date.parse("2026-12-03T09:00:00+08:00");

interface Disposed {
  row: number;
  code: string;
  path: Path;
}

/** The rows under disposition in the session of a moment. */
function disposedIn(hours: Hours, at: number): Disposed[] {
  const market = marketOf(SEED, hours);
  const { session } = market.calendar.at(at);
  return market.models.flatMap((model, row) => {
    if (!model || session < model.listed) return [];
    const day = new DailyProcessReader(model, session).next();
    const code = market.referenceData.listings[row]?.instrument.code ?? "";
    return day.watch.level === "disposition" ? [{ row, code, path: new Path(model, day, market.sessionProfile(session)) }] : [];
  });
}

/** One with calls every so many minutes. */
function oneOf(disposed: readonly Disposed[], minutes: number): Disposed {
  const found = disposed.find(({ path }) => path.day.watch.everyMinutes === minutes);
  if (!found) throw new Error("nothing under disposition");
  return found;
}

const tradesOf = (flat: readonly number[]): Trade[] =>
  Array.from({ length: flat.length / TAPE_STRIDE }, (_, nth) => tradeAt(flat, nth * TAPE_STRIDE));

describe.each(HOURS)("with hours %s", (hours) => {
  const { calendar } = marketOf(SEED, hours);
  const disposed = disposedIn(hours, OPENS_AT + HOUR_MS);

  test("a day's calls are all that trades in it, one price each, and add up to the day", () => {
    expect(disposed.length).toBeGreaterThan(2);
    const marks = new Float64Array(calendar.minutes + 1);
    const traded = new Int32Array(calendar.minutes + 1);
    const bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    for (const { path } of disposed) {
      const { day } = path;
      let [open, high, low, lots] = [0, 0, Infinity, 0];
      const minutes: number[] = [];
      path.tape(marks, traded, calendar.minutes);
      for (let minute = 0; minute < calendar.minutes; minute += 1) {
        const volume = traded[minute] ?? 0;
        expect([volume, marks[minute + 1]]).toEqual([path.lots(minute + 1) - path.lots(minute), path.mark(minute + 1)]);
        if (volume === 0) continue;
        minutes.push(minute);
        path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, volume, bar);
        expect([bar.open, bar.high, bar.low]).toEqual([bar.close, bar.close, bar.close]);
        open ||= bar.open;
        high = Math.max(high, bar.high);
        low = Math.min(low, bar.low);
        lots += volume;
      }
      expect([open, high, low, bar.close, lots]).toEqual([day.open, day.high, day.low, day.close, day.volume]);
      const before = Array.from({ length: calendar.continuous }, (_, minute) => minute).filter(
        (minute) => minute % day.watch.everyMinutes === 0,
      );
      expect(minutes).toEqual(calendar.continuous < calendar.minutes ? [...before, calendar.minutes - 1] : before);
    }
  });
});

describe("on the venue", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: OPENS_AT - 10 * SECOND_MS, toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const disposed = disposedIn("taiwan", OPENS_AT);
  const { row, code, path } = oneOf(disposed, 5);
  const open = (): Venue => openVenue({ seed: SEED, rate: 400, hours: "taiwan" });

  /** The calls of a row as a listener reads them: their kind, moment and price. */
  function received(venue: Venue, of: number): [kind: Call["kind"], at: number, price: number][] {
    const calls: [Call["kind"], number, number][] = [];
    venue.onCall(({ kind, rows }) => {
      if (kind === "odd" || rows?.includes(of) === false) return;
      const book = venue.callBook(of, false);
      calls.push([kind, Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS, (book && auctionPriceOf(book)?.price) ?? 0]);
      expect(book?.printed).toBeGreaterThan(0);
    });
    return calls;
  }

  test("it trades at the open and every five minutes, at the price of each call, and orders wait in between", async () => {
    const venue = open();
    const calls = received(venue, row);
    venue.start();
    vi.advanceTimersByTime(12 * MINUTE_MS);
    const at = (minute: number): number => OPENS_AT + minute * MINUTE_MS;
    expect(calls.map(([kind, moment]) => [kind, moment])).toEqual([
      ["opening", at(0)],
      ["periodic", at(5)],
      ["periodic", at(10)],
    ]);
    const trades = tradesOf(venue.publicTape(row, 0, MAX_TRADES));
    expect(trades.map((trade) => [trade.at, trade.price, trade.side])).toEqual(calls.map(([, moment, price]) => [moment, price, 0]));
    expect(trades.map(({ lots }) => lots)).toEqual([0, 5, 10].map((minute) => path.lots(minute + 1) - path.lots(minute)));
    expect(venue.quote(row).last).toBe(path.mark(11));
    expect(venue.matching(row, Date.now())).toBe("call");
    expect(venue.plan({ row, side: "buy", limit: null, lots: 1 })).toEqual([]);
    expect(venue.instrument(code)?.watch).toBe("disposition");
    await venue.stop();
  });

  test("after a stall over its open and its next call it has that one alone: one book fills one call", async () => {
    const venue = open();
    const calls = received(venue, row);
    const ordinary = venue.instruments.find(({ watch, kind }) => watch === "none" && kind === "stock")?.row ?? 0;
    const others = received(venue, ordinary);
    venue.start();
    vi.advanceTimersByTime(5 * SECOND_MS);
    vi.setSystemTime(OPENS_AT + 5 * MINUTE_MS + SECOND_MS);
    vi.advanceTimersByTime(5 * SECOND_MS);
    expect(calls).toEqual([["periodic", OPENS_AT + 5 * MINUTE_MS, path.mark(6)]]);
    expect(others.map(([kind]) => kind)).toEqual(["opening"]);
    await venue.stop();
  });

  test("a few lots of a member do not make the price of a call, and real size does", async () => {
    const venue = open();
    const moved: number[] = [];
    const movedByMuch: number[] = [];
    const ticks = (kind: Kind, from: number, to: number): number => {
      let count = 0;
      for (let at = from; at !== to && count < 200; count += 1) at = step(kind, at, to > from ? 1 : -1);
      return count;
    };
    venue.onCall(({ kind, rows }) => {
      if (kind !== "periodic" && kind !== "opening") return;
      for (const one of disposed) {
        if (rows && !rows.includes(one.row)) continue;
        const book = venue.callBook(one.row, false);
        const alone = book && auctionPriceOf(book);
        if (!book?.limits || !alone) continue;
        expect(alone.price).toBe(
          kind === "opening" ? one.path.day.open : one.path.mark(Math.round((Date.now() - OPENS_AT) / MINUTE_MS) + 1),
        );
        const { up, down } = book.limits;
        const joined = (bids: CallOrder[], asks: CallOrder[]): number =>
          auctionPriceOf({ ...book, bids: [...book.bids, ...bids], asks: [...book.asks, ...asks] })?.price ?? 0;
        for (const lots of [1, 3, 10])
          for (const price of [joined([[up, lots]], []), joined([], [[down, lots]])]) moved.push(ticks(book.kind, alone.price, price));
        const { volume } = one.path.day;
        movedByMuch.push(Math.abs(joined([[up, 5 * Math.max(volume, 100)]], []) / alone.price - 1));
      }
    });
    venue.start();
    vi.advanceTimersByTime(11 * MINUTE_MS + 5 * SECOND_MS);
    expect(moved.length).toBeGreaterThan(disposed.length * 6);
    expect(Math.max(...moved)).toBeLessThanOrEqual(2);
    expect(Math.max(...movedByMuch)).toBeGreaterThan(0.02);
    await venue.stop();
  });

  test("a call is printed at its moment, the closing one too", async () => {
    for (const minute of [10, 270]) {
      const at = OPENS_AT + minute * MINUTE_MS;
      vi.setSystemTime(at - 50 * SECOND_MS);
      const market = open();
      market.start();
      vi.advanceTimersByTime(50 * SECOND_MS + 200);
      for (const one of disposed) {
        if (!one.path.calls?.isAt(minute)) continue;
        const tape = market.publicTape(one.row, 0, MAX_TRADES);
        expect(tradeAt(tape, tape.length - TAPE_STRIDE)).toMatchObject({ at, price: one.path.mark(minute + 1) });
      }
      await market.stop();
    }
  });

  test("single shares trade after each call, at its price: while the next price shows in the trials, nobody buys at the last one", async () => {
    vi.setSystemTime(OPENS_AT + 9 * MINUTE_MS);
    const venue = open();
    const odd: [at: number, price: number | undefined][] = [];
    let others = 0;
    venue.onCall(({ kind, rows }) => {
      if (kind !== "odd") return;
      others += 1;
      if (rows?.includes(row) === false) return;
      const book = venue.callBook(row, true);
      odd.push([Date.now(), (book && auctionPriceOf(book)?.price) ?? 0]);
    });
    venue.start();
    vi.advanceTimersByTime(7 * MINUTE_MS);
    expect(odd.map(([at, price]) => [Math.floor(at / SECOND_MS) * SECOND_MS, price])).toEqual([
      [OPENS_AT + 10 * MINUTE_MS, path.mark(11)],
      [OPENS_AT + 15 * MINUTE_MS, path.mark(16)],
    ]);
    expect(others).toBeGreaterThan(70);
    await venue.stop();
  });

  test("between calls the next one's time and trial match are shown, and the call goes on from the trials", async () => {
    const venue = open();
    venue.start();
    vi.advanceTimersByTime(11 * MINUTE_MS);
    const depth = venue.depth(row);
    expect(depth).toMatchObject({ pausedUntil: OPENS_AT + 15 * MINUTE_MS, callsEveryMs: 5 * MINUTE_MS, isDelayedOpen: false });
    expect(depth.trial?.price).toBeGreaterThan(0);
    vi.advanceTimersByTime(14 * MINUTE_MS + 59 * SECOND_MS + OPENS_AT - Date.now());
    const [before, lots] = [venue.depth(row).trial, path.lots(16) - path.lots(15)];
    expect(Math.abs((before?.price ?? 0) - path.mark(16))).toBeLessThanOrEqual(0.01 * path.mark(16));
    expect(before?.lots).toBeGreaterThanOrEqual(0.5 * lots);
    vi.advanceTimersByTime(2 * SECOND_MS);
    expect(venue.depth(row).pausedUntil).toBe(OPENS_AT + 20 * MINUTE_MS);
    const ordinary = venue.instruments.find(({ watch, kind }) => watch === "none" && kind === "stock")?.row ?? 0;
    expect(venue.depth(ordinary).callsEveryMs).toBeNull();
    await venue.stop();
  });

  test("a restart between two calls changes nothing, and knows the calls that have been", async () => {
    vi.setSystemTime(OPENS_AT + 3 * MINUTE_MS);
    const venue = open();
    venue.start();
    vi.advanceTimersByTime(9 * MINUTE_MS + 30 * SECOND_MS);
    const twin = open();
    for (const one of disposed) {
      expect(twin.depth(one.row)).toMatchObject({ ...venue.depth(one.row), seq: twin.depth(one.row).seq, at: twin.depth(one.row).at });
      const { last, open: opened, high, low, volume } = venue.quote(one.row);
      expect(twin.quote(one.row)).toMatchObject({ last, open: opened, high, low, volume });
      expect(twin.publicTape(one.row, 0, MAX_TRADES)).toEqual(venue.publicTape(one.row, 0, MAX_TRADES));
    }
    expect(twin.state(Date.now()).universe).toBe(venue.state(Date.now()).universe);
    const past = twin.pastCalls(Date.now()).filter(({ rows, except = [] }) => rows?.includes(row) ?? !except.includes(row));
    // All that trades in the minute of a call trades in it, also in that of the opening call.
    expect(past.map(({ kind, at, share }) => [kind, at, share])).toEqual(
      [0, 5, 10].map((minute) => [minute === 0 ? "opening" : "periodic", OPENS_AT + minute * MINUTE_MS, 1]),
    );
    const slow = oneOf(disposed, 20);
    expect(twin.pastCalls(OPENS_AT + HOUR_MS).filter(({ rows }) => rows?.includes(slow.row))).toHaveLength(4);
    await Promise.all([venue.stop(), twin.stop()]);
  });

  test("the closing auction is its last call, and its past has bars at the calls alone", async () => {
    vi.setSystemTime(OPENS_AT + 4 * HOUR_MS + 18 * MINUTE_MS);
    const venue = open();
    const calls = received(venue, row);
    venue.start();
    vi.advanceTimersByTime(13 * MINUTE_MS);
    expect(calls).toEqual([
      ["periodic", OPENS_AT + 260 * MINUTE_MS, path.mark(261)],
      ["closing", OPENS_AT + 270 * MINUTE_MS, path.day.close],
    ]);
    await venue.stop();
    vi.useRealTimers();
    const next = openVenue({ seed: SEED, rate: 400, hours: "taiwan", now: () => OPENS_AT + 24 * HOUR_MS + 30 * SECOND_MS });
    const { bars } = await next.candles(code, "minute", null, 60);
    const starts = bars.filter((_, nth) => nth % CANDLE_STRIDE === 0).filter((at) => at < OPENS_AT + 6 * HOUR_MS && at >= OPENS_AT);
    expect(starts.map((at) => (at - OPENS_AT) / MINUTE_MS)).toEqual([...(path.calls?.minutes ?? [])]);
    const [, opened, high, low, close, volume] = (await next.candles(code, "day", null, 2)).bars;
    expect([opened, high, low, close, volume]).toEqual([path.day.open, path.day.high, path.day.low, path.day.close, path.day.volume]);
    await next.stop();
  });

  test("around the clock the day begins with a call of its own, and after the last the next is at midnight", async () => {
    const at = Date.parse("2026-12-03T23:57:30+08:00");
    const [first] = disposedIn("always", at + 10 * MINUTE_MS);
    if (!first) throw new Error("nothing under disposition");
    vi.setSystemTime(at);
    const venue = openVenue({ seed: SEED, rate: 400, hours: "always" });
    const waits = oneOf(disposedIn("always", at), 5);
    expect(venue.depth(waits.row)).toMatchObject({ pausedUntil: at + 2.5 * MINUTE_MS, trial: null });
    const calls = received(venue, first.row);
    venue.start();
    vi.advanceTimersByTime(8 * MINUTE_MS);
    const midnight = at + 2.5 * MINUTE_MS;
    expect(calls).toEqual([
      ["periodic", midnight, first.path.day.open],
      ["periodic", midnight + 5 * MINUTE_MS, first.path.mark(6)],
    ]);
    await venue.stop();
  });
});
