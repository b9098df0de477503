/** Tests the tape: exactly the trades behind the quotes, numbered without gaps. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Trade } from "#contract/tape.ts";
import type { Venue } from "#server/venue/venue.ts";
import { Tape } from "#server/venue/market-data/trade-tape.ts";
import { MarketState } from "#server/venue/simulator/market-state.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { sized } from "#tests/support/size.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

const START = Date.parse("2026-11-20T10:14:50+08:00");
/** Everyday a sample of the market. */
const codes = sampleUniverse(6);

const tradesIn = (flat: readonly number[]): Trade[] =>
  Array.from({ length: flat.length / TAPE_STRIDE }, (_, nth) => tradeAt(flat, nth * TAPE_STRIDE));
const tapeOf = (venue: Venue, row: number, after = 0, limit = MAX_TRADES): Trade[] => tradesIn(venue.tape(row, after, limit));
const sum = (trades: readonly Trade[], side?: number): number =>
  trades.reduce((lots, trade) => lots + (side === undefined || trade.side === side ? trade.lots : 0), 0);

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a tape", () => {
  test("keeps the newest trades, returns those newer than requested, and keeps counting", () => {
    const tape = new Tape(2);
    for (let n = 1; n <= 250; n += 1) tape.record(1, 1_000 + n, 100 * n, n, n % 2 === 0 ? 1 : -1);
    expect(tradesIn(tape.read(1, 0, MAX_TRADES)).map(({ n }) => n)).toEqual(Array.from({ length: MAX_TRADES }, (_, at) => 151 + at));
    expect(tradesIn(tape.read(1, 247, MAX_TRADES))).toEqual([
      { n: 248, at: 1_248, price: 24_800, lots: 248, side: 1 },
      { n: 249, at: 1_249, price: 24_900, lots: 249, side: -1 },
      { n: 250, at: 1_250, price: 25_000, lots: 250, side: 1 },
    ]);
    expect(tradesIn(tape.read(1, 10, 2)).map(({ n }) => n)).toEqual([249, 250]);
    expect([tape.read(1, 250, 5), tape.read(1, 900, 5), tape.read(0, 0, 5)]).toEqual([[], [], []]);
    tape.clear();
    expect([tape.count[1], tape.atAsk[1], tape.read(1, 0, 5)]).toEqual([0, 0, []]);
  });

  test("counts unrecorded trades, and returns them once filled in", () => {
    const tape = new Tape(1);
    tape.countOnly(0, 1, 0, 0);
    tape.countOnly(0, 2, 0, 20);
    tape.record(0, 9, 500, 4, -1);
    expect(tradesIn(tape.read(0, 0, 10)).map(({ n }) => n)).toEqual([4]);
    expect([tape.atAsk[0], tape.atBid[0]]).toEqual([20, 4]);
    for (let n = 3; n >= 1; n -= 1) tape.backfill(0, n, n, 100 + n, 10, n === 1 ? 0 : 1);
    expect(tradesIn(tape.read(0, 0, 10)).map(({ n, price }) => [n, price])).toEqual([
      [1, 101],
      [2, 102],
      [3, 103],
      [4, 500],
    ]);
    expect([tape.atAsk[0], tape.unrecorded(0)]).toEqual([20, null]);
  });

  test("counts trades that came before those it has, which keep their order and get their numbers", () => {
    const tape = new Tape(2);
    for (let n = 1; n <= 3; n += 1) tape.record(1, 1_000 + n, 100 * n, n, -1);
    tape.countBefore(1, 2 * MAX_TRADES + 5, 30, 40);
    tape.record(1, 1_004, 400, 4, 1);
    const numbers = [1, 2, 3, 4].map((nth) => 2 * MAX_TRADES + 5 + nth);
    expect(tradesIn(tape.read(1, 0, MAX_TRADES)).map(({ n, price }) => [n, price])).toEqual(numbers.map((n, nth) => [n, 100 * (nth + 1)]));
    expect([tape.count[1], tape.atBid[1], tape.atAsk[1]]).toEqual([numbers[3], 36, 44]);
    const missing = { first: MAX_TRADES + 10, last: 2 * MAX_TRADES + 5 };
    expect(tape.unrecorded(1)).toEqual(missing);
    for (let n = missing.last; n >= missing.first; n -= 1) tape.backfill(1, n, n, 7, 1, 1);
    expect(tradesIn(tape.read(1, 0, MAX_TRADES)).map(({ n }) => n)).toEqual(
      Array.from({ length: MAX_TRADES }, (_, nth) => missing.first + nth),
    );
    expect(tradesIn(tape.read(1, 0, 5)).map(({ price }) => price)).toEqual([7, 100, 200, 300, 400]);
    tape.clear();
    tape.record(1, 1, 500, 1, 1);
    expect(tradesIn(tape.read(1, 0, 5)).map(({ n, price }) => [n, price])).toEqual([[1, 500]]);
  });
});

describe.each([
  ["always", 10_000],
  ["always", 200],
  ["taiwan", 1_500],
] as const)("a venue open %s at %i updates a second", (hours, rate) => {
  test("prints exactly what raised the volume, at the last price, against the book before", () => {
    const venue = openVenue({ seed: 11, rate, hours, codes });
    const previous = venue.instruments.map(({ row }) => ({ quote: venue.quote(row), n: tapeOf(venue, row, 0, 1)[0]?.n ?? 0 }));
    const violations: string[] = [];
    const report = (row: number, what: string): void => void violations.push(`row ${row}: ${what}`);
    let printed = 0;
    venue.onChange((rows) => {
      for (const row of rows) {
        if (venue.instruments[row]?.kind === "index") continue;
        const before = previous[row];
        if (!before) continue;
        const quote = venue.quote(row);
        const trades = tapeOf(venue, row, before.n);
        if (sum(trades) !== quote.volume - before.quote.volume)
          report(row, `${sum(trades)} lots for ${quote.volume - before.quote.volume}`);
        if (trades.some(({ n }, nth) => n !== before.n + 1 + nth)) report(row, "a gap");
        if (trades.some(({ lots, at }) => lots < 1 || at > Date.now())) report(row, "no lots, or from the future");
        if (trades.length > 0 && trades.at(-1)?.price !== quote.last) report(row, "the newest is not the last price");
        if (trades.length === 0 && quote.last !== before.quote.last) report(row, "last price changed without a trade");
        const [first] = trades;
        if (first && before.quote.bid > 0 && before.quote.ask > 0) {
          if (first.price >= before.quote.ask && first.side !== 1) report(row, "bought at the ask, but reported otherwise");
          if (first.price <= before.quote.bid && first.side !== -1) report(row, "sold at the bid, but reported otherwise");
        }
        printed += trades.length;
        previous[row] = { quote, n: before.n + trades.length };
      }
    });
    venue.start();
    vi.advanceTimersByTime(40_000);
    expect(violations.slice(0, 5)).toEqual([]);
    // How busy its day is, the market's seed decides.
    expect(printed).toBeGreaterThan(300);
    void venue.stop();
  });

  test("reports both sides of the day's volume, and a complete tape adds up to it", () => {
    const venue = openVenue({ seed: 11, rate, hours, codes });
    venue.start();
    vi.advanceTimersByTime(15_000);
    let complete = 0;
    let checked = 0;
    let auctioned = 0;
    for (const { row, kind } of venue.instruments) {
      if (row % sized(2, 5) !== 0) continue;
      const { atBid, atAsk } = venue.depth(row);
      const { volume } = venue.quote(row);
      if (kind === "index") {
        expect([atBid, atAsk, venue.tape(row, 0, 5)]).toEqual([0, 0, []]);
        continue;
      }
      const trades = tapeOf(venue, row);
      expect(trades.map(({ n }) => n)).toEqual(trades.map((_, nth) => (trades.at(-1)?.n ?? 0) - trades.length + 1 + nth));
      expect(trades.map(({ at }) => at)).toEqual(trades.map(({ at }) => at).toSorted((a, b) => a - b));
      // A call auction has no aggressor. A market around the clock holds one only after a volatility halt, which is rare.
      const auctionLots = volume - atBid - atAsk;
      checked += 1;
      if (auctionLots > 0) auctioned += 1;
      expect(auctionLots).toBeGreaterThanOrEqual(hours === "always" ? 0 : 1);
      if (trades[0]?.n !== 1) continue;
      complete += 1;
      expect([sum(trades), sum(trades, -1), sum(trades, 1)], `row ${row}`).toEqual([volume, atBid, atAsk]);
      const calls = trades.filter(({ side }) => side === 0).map(({ n }) => n);
      expect(calls.length > 0).toBe(auctionLots > 0);
      if (hours !== "always") expect(calls[0]).toBe(1);
    }
    if (hours === "always") expect(auctioned).toBeLessThan(checked / 20);
    else expect(auctioned).toBe(checked);
    expect(complete).toBeGreaterThan(3);
    void venue.stop();
  });
});

test("tells nothing of the rest of a minute: neither where it trades between two key trades nor the turnover", () => {
  const market = marketOf(11, "taiwan");
  const state = new MarketState(market);
  const from = START + 10_000;
  state.advance(market.calendar.at(from), from);
  const { count } = state;
  let minor = 0;
  let moved = 0;
  const seen = {
    low: state.minuteLow.slice(),
    high: state.minuteHigh.slice(),
    printed: state.printed.slice(),
    n: state.tape.count.slice(),
  };
  const violations: string[] = [];
  for (let offset = 0; offset < MINUTE_MS; offset += 500) {
    for (let row = 0; row < count; row += 1) {
      if ((state.trades.count[row] ?? 0) === 0) continue;
      const traded = state.minuteOpen[row] ?? 0;
      state.print(row, offset, from + offset);
      const n = state.tape.count[row] ?? 0;
      const [low, high] = [state.minuteLow[row] ?? 0, state.minuteHigh[row] ?? 0];
      if (n > (seen.n[row] ?? 0) && traded > 0 && state.printed[row] === seen.printed[row]) {
        minor += 1;
        if (low < (seen.low[row] ?? 0) || high > (seen.high[row] ?? 0)) violations.push(`row ${row}: a minor trade at a new price`);
      }
      const lots = (state.volume[row] ?? 0) - (state.lotsBefore[row] ?? 0);
      const mean = ((state.turnover[row] ?? 0) - (state.turnoverBefore[row] ?? 0)) / lots;
      if (lots > 0 && (mean < low - 0.01 || mean > high + 0.01))
        violations.push(`row ${row}: turnover at ${mean}, traded ${low} to ${high}`);
      if (lots > 0 && low === high) moved += 1;
      seen.n[row] = n;
      seen.printed[row] = state.printed[row] ?? 0;
      seen.low[row] = low;
      seen.high[row] = high;
    }
  }
  expect(violations.slice(0, 5)).toEqual([]);
  expect([minor > 500, moved > 500]).toEqual([true, true]);
});

test("the trades of minutes before the start are counted when somebody asks", () => {
  const market = marketOf(11, "taiwan", codes);
  const state = new MarketState(market);
  state.advance(market.calendar.at(START), START);
  const row = market.models.findIndex((model) => model && model.parameters.baseLots > 5_000);
  const printed = state.tape.count[row] ?? 0;
  expect(printed).toBeLessThan(60);
  expect(state.tapeOf(row).count[row]).toBeGreaterThan(300);
  expect(tradesIn(state.readTape(row, 0, 1))[0]?.n).toBe(state.tape.count[row]);
  const sides = (state.tape.atBid[row] ?? 0) + (state.tape.atAsk[row] ?? 0);
  expect(sides).toBeGreaterThan(0);
  expect(sides).toBeLessThan(state.volume[row] ?? 0);
});

test("a new session starts a new tape", () => {
  vi.setSystemTime(Date.parse("2026-11-20T23:59:50+08:00"));
  const venue = openVenue({ seed: 4, rate: 2_000, hours: "always", codes });
  venue.start();
  vi.advanceTimersByTime(9_900);
  const row = venue.instrument("2330")?.row ?? 0;
  expect(tapeOf(venue, row).at(-1)?.n).toBeGreaterThan(1_000);
  vi.advanceTimersByTime(200);
  const midnight = Date.parse("2026-11-21T00:00:00+08:00");
  expect(tapeOf(venue, row)[0]).toMatchObject({ n: 1, at: midnight, price: venue.quote(row).open });
  expect(venue.depth(row).atBid + venue.depth(row).atAsk).toBe(venue.quote(row).volume);
  void venue.stop();
});

test("the closing auction has no aggressor side", () => {
  vi.setSystemTime(Date.parse("2026-11-20T13:29:58+08:00"));
  const venue = openVenue({ seed: 4, rate: 400, hours: "taiwan", codes });
  venue.start();
  const row = venue.instrument("2330")?.row ?? 0;
  const { atBid, atAsk } = venue.depth(row);
  const { volume } = venue.quote(row);
  vi.advanceTimersByTime(5_000);
  const closing = tapeOf(venue, row).at(-1);
  expect(closing).toMatchObject({ side: 0, at: Date.parse("2026-11-20T13:30:00+08:00"), lots: venue.quote(row).volume - volume });
  expect(venue.depth(row)).toMatchObject({ atBid, atAsk });
  // Opened after the close, the venue reports the same.
  const later = openVenue({ seed: 4, rate: 400, hours: "taiwan", codes });
  expect(tapeOf(later, row).at(-1)).toEqual(closing);
  void venue.stop();
  void later.stop();
});
