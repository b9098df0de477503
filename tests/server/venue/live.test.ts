/** Tests the running sandbox venue: its ticks equal the bars served later, a restart changes nothing, indices follow their constituents. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Candle } from "#contract/candle.ts";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { dayLimits, onTick } from "#contract/tick.ts";
import { ANCHOR_DAY } from "#server/venue/calendar/trading-calendar.ts";
import type { Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { sized } from "#tests/support/size.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

const START = Date.parse("2026-11-20T10:14:30+08:00");
const RATE = 1_500;
/** Everyday a sample of the market. */
const codes = sampleUniverse(6);

const candlesAt = (flat: readonly number[]): Candle[] =>
  Array.from({ length: flat.length / CANDLE_STRIDE }, (_, nth) => {
    const [at = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = flat.slice(nth * CANDLE_STRIDE, (nth + 1) * CANDLE_STRIDE);
    return { at, open, high, low, close, volume };
  });

/** Builds bars like a client: a tick counts when the volume grew. */
class BarBuilder {
  readonly bars = new Map<string, Candle>();
  readonly #volumes = new Map<number, number>();

  observe(venue: Venue, row: number): void {
    const { at, last, volume } = venue.quote(row);
    const before = this.#volumes.get(row) ?? volume;
    this.#volumes.set(row, volume);
    if (volume <= before) return;
    const start = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    const bar = this.bars.get(`${row} ${start}`);
    if (!bar) this.bars.set(`${row} ${start}`, { at: start, open: last, high: last, low: last, close: last, volume: volume - before });
    else {
      bar.high = Math.max(bar.high, last);
      bar.low = Math.min(bar.low, last);
      bar.close = last;
      bar.volume += volume - before;
    }
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each(["always", "taiwan"] as const)("a venue open %s", (hours) => {
  test("ticks the bars it serves later, and is unchanged by a restart", async () => {
    const venue = openVenue({ seed: 11, rate: RATE, hours, codes });
    const builder = new BarBuilder();
    venue.onChange((rows) => {
      for (const row of rows) builder.observe(venue, row);
    });
    for (const { row } of venue.instruments) builder.observe(venue, row);
    venue.start();
    vi.advanceTimersByTime(2 * MINUTE_MS + 29_500);
    const rows = venue.instruments.filter(({ kind, row }) => kind !== "index" && row % sized(5, 23) === 0).map(({ row }) => row);
    const rowsToCompare = [...rows, venue.instrument("2330")?.row ?? 0, venue.instrument("0050")?.row ?? 0];
    // Let the minute's last trades in, then compare with a venue opened at this moment.
    const again = openVenue({ seed: 11, rate: RATE, hours, codes });
    for (const { row, kind } of venue.instruments) {
      if (kind === "index") continue;
      const [one, other] = [venue.quote(row), again.quote(row)];
      for (const field of ["last", "open", "high", "low", "reference", "volume", "turnover"] as const) {
        if (one[field] !== other[field]) throw new Error(`${field} of row ${row}: ${one[field]}, and ${other[field]} after a restart`);
      }
    }
    vi.useRealTimers();
    let compared = 0;
    for (const row of rowsToCompare) {
      const code = venue.instruments[row]?.code ?? "";
      const { bars } = await venue.candles(code, "minute", null, 5);
      for (const bar of candlesAt(bars)) {
        // The first minute was only half observed.
        if (bar.at <= START) continue;
        expect(builder.bars.get(`${row} ${bar.at}`), `${code} ${bar.at}`).toEqual(bar);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(60);
    await venue.stop();
  });

  test("keeps quotes on ticks and within limits; volume, turnover and seq only grow", () => {
    const venue = openVenue({ seed: 3, rate: RATE, hours, codes });
    const before = venue.instruments.map(({ row }) => venue.quote(row));
    let violations = 0;
    venue.onChange((rows) => {
      for (const row of rows) {
        const quote = venue.quote(row);
        const { kind, limitPercent } = venue.instruments[row] ?? { kind: "index" as const, limitPercent: null };
        const limits = dayLimits({ kind, limitPercent }, quote.reference);
        const prices = [quote.last, quote.high, quote.low, quote.open, quote.bid, quote.ask].filter((price) => price > 0);
        if (prices.some((price) => !onTick(kind, price) || (limits && (price > limits.up || price < limits.down)))) violations += 1;
        if (quote.last > quote.high || quote.last < quote.low) violations += 1;
        if (quote.bid > 0 && quote.ask > 0 && quote.bid >= quote.ask) violations += 1;
        const earlier = before[row];
        if (
          earlier &&
          (quote.seq <= earlier.seq || quote.volume < earlier.volume || quote.turnover < earlier.turnover || quote.at < earlier.at)
        )
          violations += 1;
        before[row] = quote;
      }
    });
    venue.start();
    vi.advanceTimersByTime(20_000);
    expect(violations).toBe(0);
    void venue.stop();
  });

  test("computes every index from its constituents", async () => {
    const venue = openVenue({ seed: 5, rate: RATE, hours, codes });
    // What was free of the new shares of a capital increase since the anchor day adds to the shares of the tables.
    const growth = new Map<number, number>();
    for (const { row, code, kind } of venue.instruments) {
      for (const { at, rightsMillionths, rightsPrice, reference } of kind === "stock" ? await venue.actions(code) : []) {
        if (at < (ANCHOR_DAY + 1) * DAY_MS || at > START) continue;
        growth.set(row, (growth.get(row) ?? 1) * (1 + (rightsMillionths / 1_000_000) * (1 - rightsPrice / reference)));
      }
    }
    venue.start();
    vi.advanceTimersByTime(29_400);
    const valueOf = (board: string, matches: (industry: string) => boolean): { now: number; reference: number } => {
      const sum = { now: 0, reference: 0 };
      for (const { row, kind, board: own, category, issuedThousands, listedDay } of venue.instruments) {
        // New listings of this year are in no index yet.
        if (kind !== "stock" || listedDay > 0 || own !== board || !matches(category)) continue;
        const quote = venue.quote(row);
        const shares = issuedThousands * (growth.get(row) ?? 1);
        sum.now += quote.last * shares;
        sum.reference += quote.reference * shares;
      }
      return sum;
    };
    const electronics = (industry: string): boolean => industry >= "24" && industry <= "31";
    const rules: [string, string, (industry: string) => boolean][] = [
      ["IX0001", "listed", () => true],
      ["IX0043", "otc", () => true],
      ["IX0027", "listed", electronics],
      ["IX0008", "listed", (industry) => !electronics(industry)],
      ["IX0009", "listed", (industry) => industry !== "17" && !electronics(industry)],
      ["IX0039", "listed", (industry) => industry === "17"],
      ["IX0053", "otc", (industry) => industry === "24"],
    ];
    // Up to the update that publishes the indices: one update before each full second.
    vi.advanceTimersByTime(550);
    for (const [code, board, matches] of rules) {
      const quote = venue.quote(venue.instrument(code)?.row ?? 0);
      const { now, reference } = valueOf(board, matches);
      expect(Math.abs(quote.last - (quote.reference * now) / reference), code).toBeLessThanOrEqual(200);
    }
    void venue.stop();
  });
});

describe("the rate", () => {
  const measure = (rate: number, ms: number): { perSecond: number; largest: number } => {
    const venue = openVenue({ seed: 2, rate, hours: "always" });
    let count = 0;
    let largest = 0;
    venue.start();
    venue.onChange((rows) => {
      count += rows.length;
      largest = Math.max(largest, rows.length);
      if (new Set(rows).size !== rows.length) throw new Error("a row was repeated");
    });
    vi.advanceTimersByTime(ms);
    void venue.stop();
    return { perSecond: (count / ms) * 1000, largest };
  };

  test.each([100, 400, 10_000])("of %i updates a second is met", (rate) => {
    expect(Math.abs(measure(rate, 10_000).perSecond / rate - 1)).toBeLessThan(0.1);
  });

  test("shows after a stall what it has missed, each row once, and a silent feed is detected", () => {
    const venue = openVenue({ seed: 2, rate: 400, hours: "always" });
    venue.start();
    vi.advanceTimersByTime(1_000);
    expect(venue.fresh(Date.now())).toBe(true);
    const updates: number[][] = [];
    let updatedAt = 0;
    venue.onChange((rows) => {
      updates.push([...rows]);
      updatedAt = Date.now();
    });
    vi.advanceTimersByTime(1_000);
    expect([venue.fresh(updatedAt + 1_999), venue.fresh(Date.now() + 2_000)]).toEqual([true, false]);
    vi.setSystemTime(Date.now() + 20_000);
    expect(venue.fresh(Date.now())).toBe(false);
    vi.advanceTimersByTime(200);
    expect(venue.fresh(Date.now())).toBe(true);
    // Two updates' worth and the indices before and after it; and one of all that has changed meanwhile.
    const large = updates.filter((rows) => rows.length >= 150);
    expect(large.length).toBe(1);
    expect(new Set(large[0]).size).toBe(large[0]?.length);
    void venue.stop();
  });
});

test("at Taipei midnight a new session starts from the close before", async () => {
  vi.setSystemTime(Date.parse("2026-11-20T23:59:50+08:00"));
  const venue = openVenue({ seed: 4, rate: 2_000, hours: "always", codes });
  const phases: string[] = [];
  venue.onPhase((phase) => phases.push(phase));
  venue.start();
  vi.advanceTimersByTime(9_900);
  const evening = venue.instruments.map(({ row }) => venue.quote(row));
  vi.advanceTimersByTime(5_000);
  expect(phases).toEqual(["open"]);
  for (const { row, kind, code } of venue.instruments) {
    const { reference, open, volume } = venue.quote(row);
    if (kind === "index") expect(Math.abs(reference - (evening[row]?.last ?? 0)), code).toBeLessThanOrEqual(100);
    else expect(reference, code).toBe(evening[row]?.last);
    expect(open, code).toBeGreaterThan(0);
    expect(volume, code).toBeLessThan(Math.max(200, evening[row]?.volume ?? 0));
  }
  await venue.stop();
});

test("a Taiwan day passes through its phases", async () => {
  vi.setSystemTime(Date.parse("2026-11-20T08:59:58+08:00"));
  const venue = openVenue({ seed: 4, rate: 400, hours: "taiwan", codes });
  const phases: string[] = [];
  venue.onPhase((phase) => phases.push(phase));
  const row = venue.instrument("2330")?.row ?? 0;
  expect(venue.quote(row)).toMatchObject({ last: 0, open: 0, volume: 0 });
  expect(venue.depth(row).bids.length).toBe(5);
  venue.start();
  vi.advanceTimersByTime(3_000);
  expect(phases).toEqual(["open"]);
  expect(venue.quote(row).open).toBeGreaterThan(0);
  vi.setSystemTime(Date.parse("2026-11-20T13:24:59+08:00"));
  vi.advanceTimersByTime(5_000);
  const silent = venue.quote(row);
  vi.advanceTimersByTime(4 * MINUTE_MS);
  expect(venue.quote(row)).toMatchObject({ last: silent.last, volume: silent.volume });
  vi.advanceTimersByTime(MINUTE_MS);
  expect(venue.quote(row).volume).toBeGreaterThan(silent.volume);
  expect(phases).toEqual(["open", "closingAuction", "closed"]);
  const closed = venue.quote(row);
  vi.advanceTimersByTime(5 * MINUTE_MS);
  expect(venue.quote(row)).toMatchObject({ last: closed.last, volume: closed.volume });
  expect(venue.fresh(Date.now())).toBe(true);
  await venue.stop();
});

test("a venue opened on a non-trading day reports the last close at its own time, not as of now", async () => {
  vi.setSystemTime(Date.parse("2026-11-21T11:00:00+08:00"));
  const venue = openVenue({ seed: 4, rate: 400, hours: "taiwan", codes });
  const close = Date.parse("2026-11-20T13:30:00+08:00");
  const row = venue.instrument("2330")?.row ?? 0;
  expect(venue.quote(row).at).toBe(close);
  expect(venue.quote(row).volume).toBeGreaterThan(0);
  await venue.stop();
});
