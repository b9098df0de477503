/** Tests closes that are put off: when the rule says so by the published trial prices, what trades when, and that the past agrees with it. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import { TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";
import type { MemberTrade } from "#server/venue/matching/member-trade.ts";
import { step } from "#contract/tick.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Call, Venue } from "#server/venue/venue.ts";

const SEED = 9;
const DUE_AT = Date.parse("2026-12-03T13:30:00+08:00");
const TAKES_FROM = DUE_AT + MINUTE_MS;
const HELD_AT = DUE_AT + 3 * MINUTE_MS;
const INDEX = "IX0001";

interface Late {
  row: number;
  path: Path;
  code: string;
}

/** Three of the stocks that close late on the day, and others. */
const codes = ["2889", "3033", "K1230", "2330", "2317", "2454", "1101", "2881", INDEX];

/** The rows whose close is put off in a session. */
function latePaths(at: number, some?: readonly string[]): Late[] {
  const market = marketOf(SEED, "taiwan", some);
  const { session } = market.calendar.at(at);
  return market.models.flatMap((model, row): Late[] => {
    if (!model || session < model.listed) return [];
    const path = new Path(model, new DailyProcessReader(model, session).next(), market.sessionProfile(session));
    return path.closing ? [{ row, path, code: market.referenceData.listings[row]?.instrument.code ?? "" }] : [];
  });
}
const late = latePaths(DUE_AT, codes);
const rows = late.map(({ row }) => row);

/** The first of them. */
function firstLate(): Late {
  const [first] = late;
  if (!first) throw new Error("no close is put off");
  return first;
}

/** The rows whose published trial price leaps by more than the rule's part in the last minute before a moment. */
function leaping(venue: Venue, dueAt: number, setNow: (now: number) => void, hours: Hours): number[] {
  const { stability, trialMs } = VENUE_RULES[hours];
  setNow(dueAt - stability.watchMs);
  const called = venue.instruments.filter(({ row }) => venue.matching(row, dueAt - stability.watchMs) === "call").map(({ row }) => row);
  const trials = (): number[] => called.map((row) => venue.depth(row).trial?.price ?? 0);
  let before = trials();
  const found = new Set<number>();
  for (let now = dueAt - stability.watchMs + trialMs; now < dueAt; now += trialMs) {
    setNow(now);
    const after = trials();
    after.forEach((price, nth) => {
      const was = before[nth] ?? 0;
      if (Math.abs(price - was) * 1000 > stability.perMille * was) found.add(called[nth] ?? -1);
    });
    before = after;
  }
  return [...found].toSorted((a, b) => a - b);
}

describe("the rule", () => {
  test("puts off exactly the closes whose published trial price leaps by more than 3.5 % in the last minute", () => {
    let now = DUE_AT - 2 * MINUTE_MS;
    const venue = openVenue({ seed: SEED, rate: 100, hours: "taiwan", now: () => now });
    const found = leaping(venue, DUE_AT, (at) => (now = at), "taiwan");
    now = DUE_AT + SECOND_MS;
    const putOff = venue.instruments.filter(({ row }) => venue.depth(row).isDelayedClose).map(({ row }) => row);
    expect(putOff).toEqual(found);
    expect(putOff).toEqual(latePaths(DUE_AT).map(({ row }) => row));
    expect(putOff.length).toBeGreaterThan(rows.length);
    expect(putOff.length).toBeLessThan(20);
    for (const row of putOff) {
      expect(venue.depth(row).pausedUntil).toBe(HELD_AT);
      expect(venue.lateClose(row, now)).toEqual({ takesFrom: TAKES_FROM, heldAt: HELD_AT });
    }
    expect(venue.lateClose(putOff[0] ?? -1, HELD_AT)).toBeNull();
    expect(venue.lateClose(putOff[0] ?? -1, DUE_AT - 1)).toBeNull();
  });

  test("leaves the days before it came into force as they were", () => {
    expect(latePaths(Date.parse("2026-12-01T10:00:00+08:00"))).toEqual([]);
    expect(latePaths(Date.parse("2026-12-02T10:00:00+08:00")).length).toBeGreaterThan(0);
  });

  test("leaves out what is under disposition, has no limits, or is no stock", () => {
    for (const { path, row } of latePaths(DUE_AT)) {
      expect(path.calls).toBeNull();
      expect(path.day.up).toBeLessThan(Number.MAX_SAFE_INTEGER);
      expect(marketOf(SEED, "taiwan").models[row]?.kind).toBe("stock");
    }
  });

  test("ends within the break before after-hours trading where a day lasts ten minutes", () => {
    const dueAt = Date.parse("2026-12-03T10:08:30+08:00");
    let now = dueAt - 10 * SECOND_MS;
    const venue = openVenue({ seed: SEED, rate: 100, hours: "compressed", codes: ["2330", "2317"], now: () => now });
    const found = leaping(venue, dueAt, (moment) => (now = moment), "compressed");
    expect(found).toEqual([venue.instrument("2330")?.row]);
    const heldAt = venue.lateClose(found[0] ?? -1, dueAt)?.heldAt ?? Infinity;
    expect(heldAt).toBe(dueAt + 4.5 * SECOND_MS);
    expect(venue.phase(heldAt)).toBe("closed");
  });
});

describe("on the venue", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: DUE_AT - 5 * SECOND_MS });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const open = () => openVenue({ seed: SEED, rate: 400, hours: "taiwan", codes });

  test("nothing trades before the call, which leaves out no row and takes none twice; a restart in between changes nothing", async () => {
    const { row, path } = firstLate();
    const { close, volume } = path.day;
    const venue = open();
    const calls: Call[] = [];
    const prices: (number | undefined)[] = [];
    venue.onCall((call) => {
      if (call.kind !== "closing") return;
      calls.push(call);
      if (!call.rows?.includes(row)) return;
      const book = venue.callBook(row, false);
      prices.push(book ? auctionPriceOf(book)?.price : 0);
      expect(book?.came).toEqual({ from: DUE_AT - 5 * MINUTE_MS, until: HELD_AT });
    });
    venue.start();
    vi.advanceTimersByTime(2 * MINUTE_MS);
    const before = venue.quote(row);
    expect(before.last).toBe(path.mark(path.closing?.due ?? 0));
    expect(before.volume).toBeLessThan(volume);
    expect(venue.matching(row, Date.now())).toBe("call");
    expect(venue.plan({ row, side: "buy", limit: null, lots: 1 })).toEqual([]);
    const depth = venue.depth(row);
    expect(depth).toMatchObject({ isDelayedClose: true, isDelayedOpen: false, pausedUntil: HELD_AT });
    expect(depth.trial).not.toBeNull();
    const twin = open();
    expect(twin.depth(row)).toMatchObject({ trial: depth.trial, bids: depth.bids, asks: depth.asks, isDelayedClose: true });
    expect(twin.quote(row)).toMatchObject({ last: before.last, volume: before.volume, high: before.high, low: before.low });
    const index = venue.instrument(INDEX)?.row ?? -1;
    expect(twin.quote(index)).toMatchObject({ last: venue.quote(index).last, volume: venue.quote(index).volume });
    twin.start();
    vi.advanceTimersByTime(HELD_AT + 2 * SECOND_MS - Date.now());
    expect(prices).toEqual([close]);
    expect(calls.map(({ at }) => at)).toEqual([DUE_AT, HELD_AT]);
    expect(calls.map((call) => call.rows?.filter((one) => rows.includes(one)))).toEqual([[], rows]);
    expect(calls[0]?.rows?.length).toBe(venue.instruments.length - rows.length);
    const third = open();
    for (const market of [venue, twin, third]) {
      expect(market.quote(row)).toMatchObject({ last: close, volume });
      expect(market.depth(row)).toMatchObject({ trial: null, pausedUntil: null, isDelayedClose: false });
      expect(market.matching(row, Date.now())).toBe("none");
      const tape = market.publicTape(row, 0, 2);
      expect(tradeAt(tape, tape.length - TAPE_STRIDE)).toMatchObject({ at: HELD_AT, price: close, side: 0 });
      expect(market.quote(index).last).toBe(venue.quote(index).last);
      expect(market.quote(index).volume).toBe(venue.quote(index).volume);
    }
    await Promise.all([venue.stop(), twin.stop()]);
  });

  test("its trial prices go on to be published, and come back to where it closes", async () => {
    const { row, path } = firstLate();
    const venue = open();
    const shown: number[] = [];
    venue.onChange((changed) => {
      const trial = changed.includes(row) && Date.now() > DUE_AT ? venue.depth(row).trial : null;
      if (trial) shown.push(trial.price);
    });
    venue.start();
    vi.advanceTimersByTime(HELD_AT - Date.now() - 1);
    expect(new Set(shown).size).toBeGreaterThan(5);
    const { trial = 0 } = path.closing ?? {};
    const off = (price: number): number => Math.abs(price / path.day.close - 1);
    expect(off(trial)).toBeGreaterThan(0.03);
    expect(off(shown[0] ?? 0)).toBeGreaterThan(0.02);
    expect(off(shown.at(-1) ?? 0)).toBeLessThan(0.01);
    await venue.stop();
  });

  test("odd lots wait for it and have their last call right after it", async () => {
    const { row } = firstLate();
    const venue = open();
    const other = venue.instrument("2330")?.row ?? -1;
    const odd: { at: number; rows: number[] }[] = [];
    venue.onCall((call) => {
      if (call.kind !== "odd") return;
      const books = [row, other].filter((one) => (call.rows?.includes(one) ?? true) && venue.callBook(one, true) !== null);
      if (books.length > 0) odd.push({ at: call.at, rows: books });
    });
    venue.start();
    vi.advanceTimersByTime(4 * MINUTE_MS);
    expect(odd).toEqual([
      { at: DUE_AT, rows: [other] },
      { at: HELD_AT, rows: [row] },
    ]);
    await venue.stop();
  });

  test("with members' orders in it the official close is theirs, once on the tape, in bars and after hours, also after a restart", async () => {
    const { row, path, code } = firstLate();
    const venue = open();
    const priced: MemberTrade[] = [];
    venue.onCall((call) => {
      if (call.kind !== "closing" || !call.rows?.includes(row)) return;
      const own = venue.callBook(row, false);
      const alone = own && auctionPriceOf(own);
      if (!own?.came || !alone) throw new Error("no call");
      priced.push({ row, at: own.came.until, price: step(own.kind, step(own.kind, alone.price, 1), 1), lots: 70, side: 0 });
      venue.report(priced);
    });
    venue.start();
    vi.advanceTimersByTime(HELD_AT + 2 * SECOND_MS - Date.now());
    const official = priced[0]?.price ?? 0;
    expect(official).toBeGreaterThan(path.day.close);
    const twin = open();
    twin.restore({ trades: priced });
    vi.setSystemTime(DUE_AT + 31 * MINUTE_MS);
    const evening = open();
    evening.restore({ trades: priced });
    for (const market of [venue, twin, evening]) {
      expect(market.publicQuote(row)).toMatchObject({ last: official, volume: path.day.volume + 70 });
      expect(market.quote(row).last).toBe(path.day.close);
      const tape = market.publicTape(row, 0, 2);
      expect(tradeAt(tape, tape.length - TAPE_STRIDE)).toMatchObject({ at: HELD_AT, price: official, side: 0 });
      vi.useRealTimers();
      const minute = (await market.candles(code, "minute", null, 1)).bars;
      expect([minute[0], minute[4]]).toEqual([HELD_AT, official]);
      expect((await market.candles(code, "day", null, 1)).bars[4]).toBe(official);
      vi.useFakeTimers({ now: DUE_AT + 31 * MINUTE_MS });
    }
    expect(evening.callBook(row, false)?.asks.map(([price]) => price)).toEqual([official]);
    await Promise.all([venue.stop(), twin.stop(), evening.stop()]);
  });

  test("after hours it trades at the official close, and the block sellers wait for it", async () => {
    const { row, path } = firstLate();
    const venue = open();
    venue.start();
    vi.advanceTimersByTime(MINUTE_MS);
    expect(venue.blocks.offers(Date.now()).filter((offer) => rows.includes(offer.row))).toEqual([]);
    vi.setSystemTime(DUE_AT + 40 * MINUTE_MS);
    vi.advanceTimersByTime(SECOND_MS);
    expect(venue.phase(Date.now())).toBe("fixedPrice");
    const book = venue.callBook(row, false);
    expect(book && auctionPriceOf(book)?.price).toBe(path.day.close);
    expect(venue.publicQuote(row).last).toBe(path.day.close);
    await venue.stop();
  });
});

describe("its past", () => {
  test("has the close at its own moment, in minutes, days and calls, and nothing of it before", async () => {
    const { row, path, code } = firstLate();
    let now = HELD_AT - MINUTE_MS;
    const venue = openVenue({ seed: SEED, rate: 400, hours: "taiwan", codes, now: () => now });
    const last = async (period: "minute" | "day", of = code) => (await venue.candles(of, period, null, 3)).bars.slice(-CANDLE_STRIDE);
    expect((await last("minute"))[0]).toBeLessThan(DUE_AT);
    expect((await last("day"))[4]).toBe(path.mark(path.closing?.due ?? 0));
    expect((await last("minute", INDEX))[0]).toBeLessThanOrEqual(DUE_AT);
    expect(venue.pastCalls(now).filter((call) => call.rows?.includes(row) ?? !call.except?.includes(row))).toMatchObject([
      { kind: "opening" },
    ]);
    const session = DUE_AT - 270 * MINUTE_MS;
    const quoteOf = async (until: number) => quoteAt((await venue.replaySession(session, until))?.quotes ?? [], row * QUOTE_STRIDE).last;
    expect(await quoteOf(now)).toBe(path.mark(path.closing?.due ?? 0));
    await venue.stop();
    now = HELD_AT + SECOND_MS;
    const after = openVenue({ seed: SEED, rate: 400, hours: "taiwan", codes, now: () => now });
    const minutes = (await after.candles(code, "minute", null, 2)).bars.slice(-CANDLE_STRIDE);
    expect([minutes[0], minutes[4]]).toEqual([HELD_AT, path.day.close]);
    expect((await after.candles(code, "minute", HELD_AT + 1, 1)).bars[0]).toBe(HELD_AT);
    expect((await after.candles(code, "day", null, 1)).bars[4]).toBe(path.day.close);
    const own = after.pastCalls(now).filter((call) => call.rows?.includes(row) ?? !call.except?.includes(row));
    expect(own.map(({ kind, at }) => [kind, at])).toEqual([
      ["opening", DUE_AT - 270 * MINUTE_MS],
      ["closing", HELD_AT],
    ]);
    await after.stop();
  });
});
