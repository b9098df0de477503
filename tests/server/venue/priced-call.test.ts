/**
 * Tests calls that members' orders are in: their one official price is in the quote, the tape and the bars in place of that of the market alone,
 * after a restart and on later days as well, while what money depends on stays the market's own.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Trade } from "#contract/tape.ts";
import { step } from "#contract/tick.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import type { MemberTrade } from "#server/venue/matching/member-trade.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { CallKind, Venue } from "#server/venue/venue.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

const codes = sampleUniverse(6);
const open = (): Venue => openVenue({ seed: 17, rate: 400, hours: "taiwan", codes });
const taipei = (time: string): number => Date.parse(`2026-11-20T${time}+08:00`);
/** Lots that members' orders add to a call. */
const MORE = 70;

beforeEach(() => {
  vi.useFakeTimers({ now: taipei("08:59:40"), toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const tradesOf = (flat: readonly number[]): Trade[] =>
  Array.from({ length: flat.length / TAPE_STRIDE }, (_, nth) => tradeAt(flat, nth * TAPE_STRIDE));

async function candles(venue: Venue, row: number, period: CandlePeriod): Promise<Candle[]> {
  const { bars } = await venue.candles(venue.instruments[row]?.code ?? "", period, null, 3_000);
  return Array.from({ length: bars.length / CANDLE_STRIDE }, (_, nth) => {
    const [at = 0, opening = 0, high = 0, low = 0, close = 0, volume = 0] = bars.slice(nth * CANDLE_STRIDE, (nth + 1) * CANDLE_STRIDE);
    return { at, open: opening, high, low, close, volume };
  });
}

function chosenRows(venue: Venue): number[] {
  const stocks = venue.instruments.filter(({ tradable, kind }) => tradable && kind === "stock").map(({ row }) => row);
  return [0, 3, 6, 9].map((nth) => stocks[nth] ?? 0);
}

/** Prices the calls of a kind some ticks from the market's own price: by row, up or down. */
function pricedCalls(venue: Venue, kind: CallKind, ticks: readonly number[]): MemberTrade[] {
  const priced: MemberTrade[] = [];
  venue.onCall((call) => {
    if (call.kind !== kind) return;
    chosenRows(venue).forEach((row, nth) => {
      const own = venue.callBook(row, false);
      const alone = own && auctionPriceOf(own);
      const instrument = venue.instruments[row];
      if (!own?.came || !alone || !instrument) throw new Error("no call");
      let price: number = alone.price;
      for (let moved = Math.abs(ticks[nth] ?? 0); moved > 0; moved -= 1)
        price = step(instrument.kind, price, (ticks[nth] ?? 0) > 0 ? 1 : -1);
      const trade: MemberTrade = { row, at: own.came.until, price, lots: MORE, side: 0 };
      priced.push(trade);
      venue.report([trade]);
    });
  });
  return priced;
}

const TICKS = [9, -9, 0, 2];
const shownOf = (venue: Venue, row: number) => {
  const { open: opening, high, low, last, volume } = venue.publicQuote(row);
  return { open: opening, high, low, close: last, volume };
};

/** What a server that starts now knows from the log. */
async function expectSameAfterRestart(venue: Venue, priced: readonly MemberTrade[]): Promise<void> {
  const again = open();
  again.restore({ trades: priced });
  for (const row of chosenRows(venue)) {
    expect(shownOf(again, row), `${row}`).toEqual(shownOf(venue, row));
    expect(Math.abs(again.publicQuote(row).turnover - venue.publicQuote(row).turnover)).toBeLessThanOrEqual(1);
    for (const period of ["minute", "day"] as const) expect(await candles(again, row, period)).toEqual(await candles(venue, row, period));
    const calls = (one: Venue): number[][] =>
      tradesOf(one.publicTape(row, 0, MAX_TRADES)).flatMap(({ at, price, lots, side }) => (side === 0 ? [[at, price, lots]] : []));
    expect(calls(again)).toEqual(calls(venue));
  }
  await again.stop();
}

describe("the opening call", () => {
  test("opens the day at the official price, once on the tape", async () => {
    const venue = open();
    const priced = pricedCalls(venue, "opening", TICKS);
    const firsts = new Map<number, number>();
    venue.onChange((rows) => {
      for (const row of rows) if (!firsts.has(row) && venue.publicQuote(row).last > 0) firsts.set(row, venue.publicQuote(row).last);
    });
    venue.start();
    vi.advanceTimersByTime(40 * SECOND_MS);
    expect(priced).toHaveLength(4);
    for (const { row, price } of priced) {
      expect(venue.publicQuote(row).open).toBe(price);
      // Nobody has seen another price before it.
      expect(firsts.get(row)).toBe(price);
      const own = tradesOf(venue.tape(row, 0, MAX_TRADES)).filter(({ side }) => side === 0);
      const shown = tradesOf(venue.publicTape(row, 0, MAX_TRADES));
      expect(shown.map(({ n }) => n)).toEqual(shown.map((_, nth) => nth + 1));
      expect(shown.filter(({ side }) => side === 0)).toEqual([{ ...own[0], price, lots: (own[0]?.lots ?? 0) + MORE }]);
      expect(venue.publicQuote(row).volume).toBe(venue.quote(row).volume + MORE);
    }
    vi.advanceTimersByTime(2 * MINUTE_MS - (Date.now() % MINUTE_MS));
    for (const { row, price } of priced) {
      const minute = (await candles(venue, row, "minute")).find(({ at }) => at === taipei("09:00:00"));
      const alone = venue.quote(row);
      expect(minute?.open).toBe(price);
      expect(Math.max(minute?.high ?? 0, price)).toBe(minute?.high);
      expect(Math.min(minute?.low ?? 0, price)).toBe(minute?.low);
      expect(shownOf(venue, row)).toMatchObject({ high: Math.max(alone.high, price), low: Math.min(alone.low, price), close: alone.last });
    }
    await expectSameAfterRestart(venue, priced);
    await venue.stop();
  });
});

describe("the closing call", () => {
  beforeEach(() => {
    vi.setSystemTime(taipei("13:24:40"));
  });

  test("closes the day at the official price: nothing else of it is in the day, on no later day either", async () => {
    const venue = open();
    const priced = pricedCalls(venue, "closing", TICKS);
    venue.start();
    vi.advanceTimersByTime(6 * MINUTE_MS);
    expect(priced).toHaveLength(4);
    const alone = open();
    const dayOf = new Map<number, Candle>();
    for (const { row, price } of priced) {
      const minutes = (await candles(alone, row, "minute")).filter(({ at }) => at >= taipei("09:00:00"));
      const [call] = minutes.slice(-1);
      expect(call?.at).toBe(taipei("13:30:00"));
      const before = minutes.slice(0, -1);
      const day = {
        open: before[0]?.open ?? 0,
        high: Math.max(price, ...before.map(({ high }) => high)),
        low: Math.min(price, ...before.map(({ low }) => low)),
        close: price,
        volume: alone.quote(row).volume + MORE,
      };
      expect(shownOf(venue, row), `${row}`).toEqual(day);
      const [shown] = (await candles(venue, row, "day")).slice(-1);
      expect(shown).toMatchObject(day);
      if (shown) dayOf.set(row, shown);
      const [minute] = (await candles(venue, row, "minute")).slice(-1);
      expect(minute).toEqual({
        at: taipei("13:30:00"),
        open: price,
        high: price,
        low: price,
        close: price,
        volume: (call?.volume ?? 0) + MORE,
      });
      const last = tradesOf(venue.publicTape(row, 0, 2));
      expect(last.map(({ side }) => side === 0)).toEqual([false, true]);
      expect(last[1]).toMatchObject({ price, lots: (call?.volume ?? 0) + MORE });
    }
    await expectSameAfterRestart(venue, priced);
    await Promise.all([venue.stop(), alone.stop()]);
    vi.setSystemTime(taipei("13:24:40") + 3 * DAY_MS);
    const [later, free] = [open(), open()];
    later.restore({ trades: priced });
    for (const { row } of priced) {
      const day = dayOf.get(row);
      expect((await candles(later, row, "day")).find(({ at }) => at === day?.at)).toEqual(day);
      // The next day's reference and limits are the market's own.
      expect(later.publicQuote(row)).toEqual(free.quote(row));
      expect([later.previousClose(row), later.limits(row, Date.now())]).toEqual([free.previousClose(row), free.limits(row, Date.now())]);
    }
    await Promise.all([later.stop(), free.stop()]);
  });

  test("that is priced again or taken back leaves one call, at its last price", async () => {
    const venue = open();
    const priced = pricedCalls(venue, "closing", TICKS);
    venue.start();
    vi.advanceTimersByTime(6 * MINUTE_MS);
    const again = priced.map((trade, nth) =>
      nth === 0 ? { ...trade, price: venue.quote(trade.row).last, lots: 0 } : { ...trade, lots: 11 },
    );
    for (const { row } of priced) venue.publicTape(row, 0, MAX_TRADES);
    venue.report(again);
    for (const { row, price, lots } of again) {
      expect(venue.publicQuote(row)).toMatchObject({ last: price, volume: venue.quote(row).volume + lots });
      expect(tradesOf(venue.publicTape(row, 0, 2))[1]).toMatchObject({ price, side: 0 });
    }
    expect(shownOf(venue, priced[0]?.row ?? 0)).toMatchObject({
      high: venue.quote(priced[0]?.row ?? 0).high,
      low: venue.quote(priced[0]?.row ?? 0).low,
    });
    await expectSameAfterRestart(venue, again);
    await venue.stop();
  });

  test("does not pay those who pushed it: after hours the market does not buy above its own price, nor sell below", async () => {
    const venue = open();
    const priced = pricedCalls(venue, "closing", TICKS);
    venue.start();
    vi.advanceTimersByTime(6 * MINUTE_MS);
    vi.setSystemTime(taipei("14:05:00"));
    const sides = priced.map(({ row, price }) => {
      const { bids = [], asks = [] } = venue.callBook(row, false) ?? {};
      expect([...bids, ...asks].map(([at]) => at)).toEqual([...bids, ...asks].map(() => price));
      return [bids.length, asks.length];
    });
    expect(sides).toEqual([
      [0, 1],
      [1, 0],
      [1, 1],
      [0, 1],
    ]);
    await venue.stop();
  });

  test("shows trial prices with members' orders, while the market's own quote has none of them", async () => {
    const venue = open();
    const [row = 0] = chosenRows(venue);
    const up = venue.limits(row, Date.now())?.up ?? 0;
    venue.start();
    vi.advanceTimersByTime(2 * MINUTE_MS);
    const [before, quote] = [venue.depth(row), venue.quote(row)];
    venue.joinCalls((one) => (one === row ? { bids: [[up, 1_000_000]], asks: [] } : null));
    expect(venue.depth(row).trial?.price).toBeGreaterThan(before.trial?.price ?? Infinity);
    expect(venue.quote(row)).toEqual(quote);
    expect(venue.publicQuote(row)).toMatchObject({ bid: venue.depth(row).bids[0]?.[0], last: quote.last });
    // The same for a market order, which counts as the highest price; other rows are as they were.
    venue.joinCalls((one) => (one === row ? { bids: [[null, 1_000_000]], asks: [] } : null));
    vi.advanceTimersByTime(10 * SECOND_MS);
    expect(venue.depth(row).trial?.price).toBeGreaterThan(before.trial?.price ?? Infinity);
    const [, other = 0] = chosenRows(venue);
    expect(venue.publicQuote(other)).toEqual(venue.quote(other));
    await venue.stop();
  });
});
