/** Tests call auctions over a compressed day (phases, trial matches, odd lots), and volatility halts after sudden price moves. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { onTick } from "#contract/tick.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import type { Call } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { sized } from "#tests/support/size.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

const DAY = Date.parse("2026-11-20T12:00:00+08:00");

beforeEach(() => {
  vi.useFakeTimers({ now: DAY });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a compressed day", () => {
  const codes = sampleUniverse(2);
  const open = () => openVenue({ seed: 3, rate: 100, hours: "compressed", codes });

  test("passes through its phases and auctions, each at the price its book gives", async () => {
    const venue = open();
    const events: string[] = [];
    const rows = venue.instruments.filter(({ tradable, row }) => tradable && row % sized(7, 97) === 0).map(({ row }) => row);
    const check = ({ kind }: Call): void => {
      for (const row of rows) {
        const { code } = venue.instruments[row] ?? {};
        const book = venue.callBook(row, kind === "odd" || kind === "lateOdd");
        const { open: opened, last } = venue.quote(row);
        if (!book) continue;
        const { price } = auctionPriceOf(book) ?? {};
        if (kind === "opening") expect(price, `${code} opens`).toBe(opened);
        else if (kind !== "resume") expect(price, `${code} ${kind}`).toBe(last);
      }
    };
    venue.onPhase((phase) => events.push(phase));
    venue.onCall((call) => {
      if (call.kind !== "odd" && call.kind !== "resume") events.push(`${call.kind}!`);
      check(call);
    });
    venue.start();
    vi.advanceTimersByTime(10 * MINUTE_MS + SECOND_MS);
    expect(events).toEqual([
      "open",
      "opening!",
      "closingAuction",
      "closed",
      "closing!",
      "oddLot",
      "fixedPrice",
      "closed",
      "fixed!",
      "lateOdd!",
      "preOpen",
    ]);
    await venue.stop();
  });

  test("publishes trial matches before the open, which are no trades", async () => {
    const venue = open();
    const changed = vi.fn<(rows: readonly number[]) => void>();
    venue.onChange(changed);
    const row = venue.instrument("2330")?.row ?? 0;
    venue.start();
    vi.advanceTimersByTime(30 * SECOND_MS);
    const depth = venue.depth(row);
    expect(venue.matching(row, Date.now())).toBe("call");
    expect(depth.trial?.lots).toBeGreaterThan(0);
    expect(onTick("stock", depth.trial?.price ?? 0)).toBe(true);
    expect(depth.bids.length).toBeGreaterThan(0);
    expect(depth.asks.length).toBeGreaterThan(0);
    expect((depth.bids[0]?.[0] ?? 0) < (depth.asks[0]?.[0] ?? 0)).toBe(true);
    expect(venue.quote(row)).toMatchObject({ last: 0, open: 0, volume: 0, bid: depth.bids[0]?.[0], ask: depth.asks[0]?.[0] });
    expect(venue.tape(row, 0, 10)).toEqual([]);
    expect(venue.plan({ row, side: "buy", limit: null, lots: 1 })).toEqual([]);
    // A venue of the same market opened now has the same trial match.
    const twin = open();
    expect(twin.callBook(row, false)).toEqual(venue.callBook(row, false));
    expect(twin.depth(row).trial).toEqual(depth.trial);
    vi.advanceTimersByTime(30 * SECOND_MS);
    expect(venue.matching(row, Date.now())).toBe("continuous");
    expect(venue.depth(row).trial).toBeNull();
    await venue.stop();
  });

  test("matches odd lots every five seconds from the first time on, at the close once more, and at no other time", async () => {
    vi.setSystemTime(DAY + 7.2 * MINUTE_MS);
    const venue = open();
    const odd: number[] = [];
    venue.onCall(({ kind, at }) => {
      if (kind === "odd") odd.push((at - DAY) / SECOND_MS);
    });
    venue.start();
    vi.advanceTimersByTime(4.3 * MINUTE_MS);
    expect(odd).toEqual([435, 440, 445, 510, 675, 680, 685, 690]);
    const row = venue.instrument("2330")?.row ?? 0;
    const book = venue.callBook(row, true);
    expect(auctionPriceOf(book ?? { kind: "stock", bids: [], asks: [], anchor: 0, limits: null })?.price).toBe(venue.quote(row).last);
    expect(venue.callBook(venue.instrument("BTC")?.row ?? 0, true)).toBeNull();
    await venue.stop();
  });

  test("tells when a call was due, however late it takes place", async () => {
    const due: [string, number][] = [];
    const late = [1_300, 2_900];
    for (const [before, ms] of [
      [59_500, late],
      [509_500, late],
      [569_500, late],
    ] as const) {
      for (const pause of ms) {
        vi.setSystemTime(DAY + before);
        const venue = open();
        venue.onCall(({ kind, at }) => {
          if (kind !== "odd") due.push([kind, (at - DAY) / SECOND_MS]);
        });
        vi.setSystemTime(DAY + before + pause);
        venue.start();
        await venue.stop();
      }
    }
    expect(due.filter(([kind]) => kind !== "resume")).toEqual([
      ...late.map(() => ["opening", 60]),
      ...late.map(() => ["closing", 510]),
      ...late.flatMap(() => [
        ["fixed", 570],
        ["lateOdd", 570],
      ]),
    ]);
  });

  test("has odd lots of its own around the close in the auction after hours, which are the same at its end", async () => {
    vi.setSystemTime(DAY + 7.2 * MINUTE_MS);
    const venue = open();
    const row = venue.instrument("2330")?.row ?? 0;
    venue.start();
    const sharesAt = (seconds: number): number | undefined => {
      vi.setSystemTime(DAY + seconds * SECOND_MS);
      vi.advanceTimersByTime(100);
      const book = venue.callBook(row, true);
      return book ? auctionPriceOf(book)?.lots : undefined;
    };
    const usual = sharesAt(445) ?? 0;
    expect(usual).toBeGreaterThan(0);
    sharesAt(512);
    expect(venue.callBook(row, true)?.lot?.side).not.toBe("both");
    expect(sharesAt(516) ?? 0).toBeGreaterThan(usual);
    const late = venue.callBook(row, true);
    expect(late?.lot?.side).toBe("both");
    expect(late && auctionPriceOf(late)?.price).toBe(venue.quote(row).last);
    sharesAt(571);
    expect({ ...venue.callBook(row, true), came: null }).toEqual({ ...late, came: null });
    await venue.stop();
  });

  test("trades nothing on the board after the close", async () => {
    vi.setSystemTime(DAY + 8.7 * MINUTE_MS);
    const venue = open();
    const row = venue.instrument("2330")?.row ?? 0;
    const { last, volume } = venue.quote(row);
    venue.start();
    vi.advanceTimersByTime(10 * SECOND_MS);
    expect(venue.phase(Date.now())).toBe("fixedPrice");
    expect(venue.matching(row, Date.now())).toBe("none");
    const book = venue.callBook(row, false);
    expect(book?.limits).toEqual({ up: last, down: last });
    vi.advanceTimersByTime(MINUTE_MS);
    expect(venue.quote(row)).toMatchObject({ last, volume });
    await venue.stop();
  });

  test("has bars that add up to a day, at full minutes", async () => {
    vi.useRealTimers();
    const venue = openVenue({ seed: 3, rate: 100, hours: "compressed", codes, now: () => DAY + 9 * MINUTE_MS });
    const { bars } = await venue.candles("2330", "minute", null, 8);
    const ats = bars.filter((_, at) => at % 6 === 0);
    expect(ats.every((at) => at % MINUTE_MS === 0)).toBe(true);
    expect(ats).toEqual(ats.toSorted((a, b) => a - b));
    expect(new Set(ats).size).toBe(ats.length);
    const volumes = bars.filter((_, at) => at % 6 === 5).slice(-8);
    expect(volumes.reduce((sum, lots) => sum + lots, 0)).toBe(venue.quote(venue.instrument("2330")?.row ?? 0).volume);
    const days = (await venue.candles("2330", "day", null, 300)).bars.filter((_, at) => at % 6 === 0);
    expect(new Set(days).size).toBe(days.length);
    await venue.stop();
  });
});

describe("a sudden price move halts an instrument", () => {
  const market = marketOf(9, "taiwan");
  const { calendar } = market;
  const session = calendar.at(DAY).session;

  /** The instruments that are halted in a session, with their paths. */
  const haltedRows = (): { row: number; path: Path }[] =>
    market.models.flatMap((model, row) => {
      if (!model || session < model.listed) return [];
      const path = new Path(model, new DailyProcessReader(model, session).next(), market.sessionProfile(session));
      return path.hasHalts ? [{ row, path }] : [];
    });

  test("halts a few instruments a day, and outside of halts no price is further from the average than allowed", () => {
    const halted = haltedRows();
    expect(halted.length).toBeGreaterThan(0);
    expect(halted.length).toBeLessThan(market.models.length / 20);
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    for (const { path } of halted) {
      const turnovers: number[] = [];
      const lots: number[] = [];
      for (let minute = 0; minute < calendar.continuous - 3; minute += 1) {
        const volume = path.lots(minute + 1) - path.lots(minute);
        path.bar(minute, path.mark(minute), path.mark(minute + 1), volume, bar);
        const window = <Item>(list: readonly Item[]): Item[] => list.slice(Math.max(0, minute - 5), minute);
        const before = window(lots).reduce((sum, each) => sum + each, 0);
        const average = window(turnovers).reduce((sum, each) => sum + each, 0) / before;
        if (path.haltAt(minute)) expect(volume).toBe(0);
        else if (volume > 0 && before > 0 && !path.resumesAt(minute)) {
          expect(bar.high).toBeLessThanOrEqual(average * 1.035);
          expect(bar.low).toBeGreaterThanOrEqual(average * 0.965);
        }
        lots.push(volume);
        turnovers.push(volume > 0 ? ((bar.open + bar.high + bar.low + bar.close) / 4) * volume : 0);
      }
    }
  });

  test("has minutes that add up to the day, in one pass and one by one", () => {
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    for (const { path } of haltedRows()) {
      const marks = new Float64Array(calendar.minutes + 1);
      const traded = new Int32Array(calendar.minutes + 1);
      path.tape(marks, traded, calendar.minutes);
      let [high, low, lots] = [0, Infinity, 0];
      for (let minute = 0; minute < calendar.minutes; minute += 1) {
        const volume = traded[minute] ?? 0;
        expect(path.lots(minute + 1) - path.lots(minute)).toBe(volume);
        lots += volume;
        if (volume === 0) continue;
        expect([marks[minute], marks[minute + 1]]).toEqual([path.mark(minute), path.mark(minute + 1)]);
        path.bar(minute, path.mark(minute), path.mark(minute + 1), volume, bar);
        high = Math.max(high, bar.high);
        low = Math.min(low, bar.low);
      }
      expect([high, low, lots]).toEqual([path.day.high, path.day.low, path.day.volume]);
    }
  });

  test("nothing trades for two minutes, then an auction follows; a restart in between changes nothing", async () => {
    const { row, path } = haltedRows()[0] ?? {};
    if (row === undefined || !path) throw new Error("no instrument is halted");
    const minute = Array.from({ length: calendar.continuous }, (_, each) => each).find((each) => path.haltAt(each)) ?? 0;
    const halt = path.haltAt(minute);
    const from = calendar.opensAt(session) + minute * MINUTE_MS;
    vi.setSystemTime(from - 2 * SECOND_MS);
    const venue = openVenue({ seed: 9, rate: 400, hours: "taiwan" });
    const calls: Call[] = [];
    venue.onCall((call) => calls.push(call));
    const changedAt: number[] = [];
    venue.onChange((rows) => {
      if (rows.includes(row)) changedAt.push(Date.now());
    });
    venue.start();
    expect(venue.matching(row, Date.now())).toBe("continuous");
    vi.advanceTimersByTime(3 * SECOND_MS);
    expect(venue.matching(row, Date.now())).toBe("call");
    expect(changedAt.some((at) => at >= from)).toBe(true);
    const { volume, last } = venue.quote(row);
    vi.advanceTimersByTime(MINUTE_MS);
    const depth = venue.depth(row);
    expect(depth.pausedUntil).toBe(from + 2 * MINUTE_MS);
    expect(depth.trial?.lots).toBeGreaterThan(0);
    expect(venue.quote(row)).toMatchObject({ volume, last });
    const twin = openVenue({ seed: 9, rate: 400, hours: "taiwan" });
    expect(twin.depth(row)).toMatchObject({ trial: depth.trial, pausedUntil: depth.pausedUntil, bids: depth.bids });
    expect(twin.quote(row)).toMatchObject({ volume, last });
    let auctionPrice: number | undefined;
    venue.onCall(({ kind }) => {
      if (kind !== "resume") return;
      const book = venue.callBook(row, false);
      auctionPrice = book ? auctionPriceOf(book)?.price : undefined;
    });
    vi.advanceTimersByTime(MINUTE_MS);
    const resumed = calls.filter(({ kind, rows }) => kind === "resume" && rows?.includes(row));
    expect(resumed.map(({ at }) => at)).toEqual([from + 2 * MINUTE_MS]);
    expect(auctionPrice).toBe(halt?.price);
    expect(venue.matching(row, Date.now())).toBe("continuous");
    expect(venue.quote(row).volume).toBeGreaterThan(volume);
    expect(venue.depth(row)).toMatchObject({ trial: null, pausedUntil: null });
    await venue.stop();
  });
});
