/** Tests opens that are put off: when the rule says so by the published trial prices, what they open at, and that nobody can gain by it. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { tickSize } from "#contract/tick.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Call } from "#server/venue/venue.ts";

const SEED = 9;
const OPENS_AT = Date.parse("2026-12-03T09:00:00+08:00");
const market = marketOf(SEED, "taiwan");
const { calendar } = market;
const { session } = calendar.at(OPENS_AT);

/** The paths of the rows that open late in a session. */
const delayedPaths = (of: number): { row: number; path: Path }[] =>
  market.models.flatMap((model, row) => {
    if (!model || of < model.listed) return [];
    const path = new Path(model, new DailyProcessReader(model, of).next(), market.sessionProfile(of));
    return path.opensIn > 0 ? [{ row, path }] : [];
  });
const delayed = delayedPaths(session);

/** The first of them. */
function firstDelayed(): { row: number; path: Path; code: string } {
  const [first] = delayed;
  if (!first) throw new Error("no open is put off");
  return { ...first, code: market.referenceData.listings[first.row]?.instrument.code ?? "" };
}

describe("the rule", () => {
  test("puts off exactly the opens whose published trial price moved by more than 3.5 % in the last minute", () => {
    let now = OPENS_AT - MINUTE_MS;
    const venue = openVenue({ seed: SEED, rate: 100, hours: "taiwan", now: () => now });
    const rows = venue.instruments.filter(({ row }) => venue.matching(row, now) === "call").map(({ row }) => row);
    const trials = (): number[] => rows.map((row) => venue.depth(row).trial?.price ?? 0);
    const basis = trials();
    const moved = new Set<number>();
    for (now += 5 * SECOND_MS; now < OPENS_AT; now += 5 * SECOND_MS) {
      trials().forEach((price, nth) => {
        const first = basis[nth] ?? 0;
        if (Math.abs(price - first) > 0.035 * first) moved.add(rows[nth] ?? -1);
      });
    }
    now = OPENS_AT + SECOND_MS;
    const putOff = rows.filter((row) => venue.depth(row).isDelayedOpen);
    expect(putOff).toEqual(rows.filter((row) => moved.has(row)));
    expect(putOff).toEqual(delayed.map(({ row }) => row));
    expect(putOff.length).toBeGreaterThan(0);
    expect(putOff.length).toBeLessThan(rows.length / 100);
    for (const row of putOff) expect(venue.depth(row).pausedUntil).toBe(OPENS_AT + 2 * MINUTE_MS);
  });

  test("leaves the days before it came into force as they were", () => {
    const before = calendar.at(Date.parse("2026-11-27T10:00:00+08:00")).session;
    for (let of = before - 4; of <= before; of += 1) expect(delayedPaths(of)).toEqual([]);
    expect(delayedPaths(before + 1).length).toBeGreaterThan(0);
  });
});

describe("the price", () => {
  test("is that of the moment of the call, and everything after it is as on a day without the rule", () => {
    for (const { row, path } of delayed) {
      const model = market.models[row];
      if (!model || !path.day.opening) throw new Error("no model");
      const { trial } = path.day.opening;
      const plain = new Path(model, { ...path.day, open: trial, opening: null }, market.sessionProfile(session));
      expect(plain.mark(0)).toBe(trial);
      expect(Math.abs(path.day.open - plain.mark(2))).toBeLessThanOrEqual(tickSize(model.kind, path.day.open));
      if (!plain.hasHalts) for (let mark = 3; mark <= calendar.minutes; mark += 1) expect(path.mark(mark)).toBe(plain.mark(mark));
    }
    expect(delayed.some(({ path }) => path.day.open !== path.day.opening?.trial)).toBe(true);
  });

  test("keeps the day's range, lots and close, in minutes that add up to them", () => {
    for (const { path } of delayed) {
      const bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
      let [open, high, low, lots] = [0, 0, Infinity, 0];
      for (let minute = 0; minute < calendar.minutes; minute += 1) {
        const volume = path.lots(minute + 1) - path.lots(minute);
        if (minute < 2) expect(volume).toBe(0);
        if (volume === 0) continue;
        path.bar(minute, path.mark(minute), path.mark(minute + 1), volume, bar);
        open ||= bar.open;
        high = Math.max(high, bar.high);
        low = Math.min(low, bar.low);
        lots += volume;
      }
      const { day } = path;
      expect([open, high, low, bar.close, lots]).toEqual([day.open, day.high, day.low, day.close, day.volume]);
    }
  });

  test("does not follow from what the market did while it was awaited", () => {
    // Of the sum of what follows the call in many of them, in units of its own deviation.
    let [sum, squares, sameSign, count] = [0, 0, 0, 0];
    for (let of = session; of < session + 8; of += 1) {
      for (const { row, path } of delayedPaths(of)) {
        const model = market.models[row];
        if (!model) continue;
        const factor = model.market.path(of);
        const meanwhile = Math.sign((factor[2] ?? 0) - (factor[0] ?? 0));
        const after = Math.log(path.mark(30) / path.day.open) / path.day.deviation;
        sum += after;
        sameSign += meanwhile * after;
        squares += after * after;
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(30);
    expect(Math.abs(sum) / Math.sqrt(squares)).toBeLessThan(3);
    expect(Math.abs(sameSign) / Math.sqrt(squares)).toBeLessThan(3);
  });
});

describe("on the venue", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: OPENS_AT - 2 * SECOND_MS });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const open = () => openVenue({ seed: SEED, rate: 400, hours: "taiwan" });

  test("nothing trades before the call, which leaves out no row and takes none twice; a restart in between changes nothing", async () => {
    const { row, path } = firstDelayed();
    const venue = open();
    const calls: Call[] = [];
    const prices: (number | undefined)[] = [];
    venue.onCall((call) => {
      if (call.kind === "opening") calls.push(call);
      const book = call.kind === "opening" && call.rows?.includes(row) ? venue.callBook(row, false) : null;
      if (book) prices.push(auctionPriceOf(book)?.price);
      if (book) expect(book.came).toEqual({ from: OPENS_AT - 30 * MINUTE_MS, until: OPENS_AT + 2 * MINUTE_MS });
    });
    venue.start();
    vi.advanceTimersByTime(MINUTE_MS);
    const { reference } = path.day;
    expect(venue.quote(row)).toMatchObject({ last: 0, open: 0, volume: 0, reference });
    expect(venue.matching(row, Date.now())).toBe("call");
    expect(venue.plan({ row, side: "buy", limit: null, lots: 1 })).toEqual([]);
    const depth = venue.depth(row);
    expect(depth).toMatchObject({ isDelayedOpen: true, pausedUntil: OPENS_AT + 2 * MINUTE_MS });
    const twin = open();
    expect(twin.depth(row)).toMatchObject({ trial: depth.trial, bids: depth.bids, pausedUntil: depth.pausedUntil, isDelayedOpen: true });
    expect(twin.quote(row)).toMatchObject({ last: 0, open: 0, volume: 0 });
    const index = venue.instrument("IX0001")?.row ?? -1;
    expect(twin.quote(index).open).toBe(venue.quote(index).open);
    vi.advanceTimersByTime(MINUTE_MS + 3 * SECOND_MS);
    expect(prices).toEqual([path.day.open]);
    const late = delayed.map((one) => one.row);
    expect(calls.map(({ rows }) => rows?.filter((one) => late.includes(one)))).toEqual([[], late]);
    expect(calls[0]?.rows?.length).toBe(venue.instruments.length - late.length);
    expect(venue.quote(row).open).toBe(path.day.open);
    expect(venue.depth(row)).toMatchObject({ trial: null, pausedUntil: null, isDelayedOpen: false });
    expect(venue.matching(row, Date.now())).toBe("continuous");
    expect(venue.publicTape(row, 0, 1).length).toBeGreaterThan(0);
    await venue.stop();
  });

  test("its past has the same open, in days and in minutes, and the call at its own moment", async () => {
    const { row, path, code } = firstDelayed();
    vi.useRealTimers();
    const now = OPENS_AT + 10 * MINUTE_MS;
    const venue = openVenue({ seed: SEED, rate: 400, hours: "taiwan", now: () => now });
    const minutes = (await venue.candles(code, "minute", null, 20)).bars;
    const first = Array.from({ length: minutes.length / 6 }, (_, nth) => minutes.slice(nth * 6, nth * 6 + 6)).find(
      ([at = 0]) => at >= OPENS_AT,
    );
    expect(first?.slice(0, 2)).toEqual([OPENS_AT + 2 * MINUTE_MS, path.day.open]);
    const rows = delayed.map((one) => one.row);
    const [onTime] = venue.pastCalls(now);
    expect(onTime).toMatchObject({ kind: "opening", at: OPENS_AT, except: expect.arrayContaining(rows) });
    const ofRow = venue.pastCalls(now).filter((call) => call.rows?.includes(row) ?? !call.except?.includes(row));
    expect(ofRow).toMatchObject([{ kind: "opening", at: OPENS_AT + 2 * MINUTE_MS, rows }]);
    expect(venue.pastCalls(OPENS_AT + MINUTE_MS).every(({ at }) => at === OPENS_AT)).toBe(true);
    expect(venue.quote(row).open).toBe(path.day.open);
    await venue.stop();
    const next = openVenue({ seed: SEED, rate: 400, hours: "taiwan", now: () => now + 24 * 60 * MINUTE_MS });
    const [, opened] = (await next.candles(code, "day", null, 2)).bars;
    expect(opened).toBe(path.day.open);
    await next.stop();
  });
});
