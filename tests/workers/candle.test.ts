/** Tests the forming bar against reference bars: with conflated, late, shuffled and repeated quotes, and after history. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CANDLE_PERIODS } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, epochMs, formatDateTime, HOUR_MS, MINUTE_MS, taipeiDay } from "#contract/kernel/time.ts";
import type { Quote } from "#contract/quote.ts";
import { aggregateBars, FormingBar } from "#workers/chart/candle.ts";
import type { Merged, Seam } from "#workers/chart/candle.ts";
import { ALL_DAY, barStart, hoursOf } from "#workers/chart/period.ts";
import type { Hours } from "#workers/chart/period.ts";
import { flat, quote } from "./sample.ts";
import { flatBars, referenceBars, quotesOf, TAIWAN, taiwanTrades, trades, TUESDAY } from "./trading.ts";
import type { Trade } from "./trading.ts";

const FORMED = ["minute", "minute5", "minute15", "minute30", "day"] as const;
const merge = (forming: FormingBar, each: Quote): Merged => forming.merge(flat(each), 0);

/** Feeds quotes into a forming bar that continues history and collects the final state of each bar. */
function mergedBars(period: CandlePeriod, quotes: readonly Quote[], hours: Hours = ALL_DAY, seam: Seam | null = null): Candle[] {
  const forming = new FormingBar(period, hours, false, seam);
  const bars = new Map<number, Candle>();
  for (const each of quotes) {
    merge(forming, each);
    if (forming.bar) bars.set(forming.bar.at, { ...forming.bar });
  }
  return [...bars.values()];
}

describe("barStart", () => {
  const at = Date.UTC(2025, 6, 9, 5, 17, 42); // Wednesday 13:17:42 in Taipei
  const starts: Record<CandlePeriod, string> = {
    minute: "2025.07.09 13:17:00",
    minute5: "2025.07.09 13:15:00",
    minute15: "2025.07.09 13:15:00",
    minute30: "2025.07.09 13:00:00",
    day: "2025.07.09 00:00:00",
    week: "2025.07.07 00:00:00",
    month: "2025.07.01 00:00:00",
  };
  for (const period of CANDLE_PERIODS)
    it(`${period}: ${starts[period]}`, () => expect(formatDateTime(barStart(period, at))).toBe(starts[period]));

  it("assigns Sunday to the preceding Monday's week and midnight to its own day", () => {
    expect(formatDateTime(barStart("week", Date.UTC(2025, 6, 13, 3)))).toBe("2025.07.07 00:00:00");
    expect(formatDateTime(barStart("day", Date.UTC(2025, 6, 12, 16)))).toBe("2025.07.13 00:00:00");
    expect(formatDateTime(barStart("month", Date.UTC(2025, 6, 31, 16)))).toBe("2025.08.01 00:00:00");
  });

  it("gives the closing match its own bar, which includes late and after-hours matches; the first bar includes everything before the open", () => {
    const start = (hours: number, period: CandlePeriod): string =>
      formatDateTime(barStart(period, TUESDAY + hours * HOUR_MS, TAIWAN)).slice(11);
    expect([13.49, 13.5, 13.55, 14.5].map((hours) => start(hours, "minute"))).toEqual(["13:29:00", "13:30:00", "13:30:00", "13:30:00"]);
    expect([13.49, 13.5, 14.5].map((hours) => start(hours, "minute30"))).toEqual(["13:00:00", "13:30:00", "13:30:00"]);
    expect([8.999, 9].map((hours) => start(hours, "minute5"))).toEqual(["09:00:00", "09:00:00"]);
  });
});

describe("several sessions a day", () => {
  const at = (minute: number, second = 0): number => TUESDAY + (600 + minute) * MINUTE_MS + second * 1_000;
  const tick = (minute: number, second: number, last: number, volume: number): Quote =>
    quote(0, { at: at(minute, second), last, open: 100, high: Math.max(100, last), low: Math.min(100, last), volume });

  it("have bars around the clock", () => {
    expect(hoursOf({ opensAt: epochMs(at(1)), closesAt: epochMs(at(8)) })).toEqual(ALL_DAY);
    expect(hoursOf({ opensAt: epochMs(TUESDAY + 9 * HOUR_MS), closesAt: epochMs(TUESDAY + 13.5 * HOUR_MS) })).toEqual(TAIWAN);
  });

  it("count their volume from zero each", () => {
    const quotes = [tick(1, 0, 110, 5), tick(7, 30, 120, 40), tick(11, 0, 100, 3), tick(11, 20, 130, 8)];
    const bars = mergedBars("minute", quotes).map(({ open, high, close, volume }) => ({ open, high, close, volume }));
    expect(bars).toEqual([
      { open: 100, high: 110, close: 110, volume: 5 },
      { open: 120, high: 120, close: 120, volume: 35 },
      { open: 100, high: 130, close: 130, volume: 8 },
    ]);
  });

  it("continue from a history that contains several sessions", () => {
    const bar = { at: at(11), open: 100, high: 105, low: 100, close: 105, volume: 10 };
    const seam: Seam = { bar, today: { high: 140, low: 90, volume: 500 } };
    const bars = mergedBars("minute", [tick(12, 1, 106, 60), tick(12, 5, 107, 64)], ALL_DAY, seam);
    expect(bars.at(-1)).toMatchObject({ at: at(12), close: 107, volume: 4 });
  });
});

describe("the forming bar", () => {
  it("equals the reference bar when every trade arrives", () => {
    fc.assert(
      fc.property(trades, fc.constantFrom(...FORMED), (traded, period) => {
        expect(mergedBars(period, quotesOf(traded))).toEqual(referenceBars(period, traded));
      }),
    );
  });

  it("equals the reference bar at the exchange's hours over several days", () => {
    fc.assert(
      fc.property(taiwanTrades, fc.constantFrom(...FORMED), (traded, period) => {
        expect(mergedBars(period, quotesOf(traded), TAIWAN)).toEqual(referenceBars(period, traded, TAIWAN));
      }),
    );
  });

  it("loses nothing to conflation within a bar, thanks to the day's extremes and volume", () => {
    fc.assert(
      fc.property(trades, fc.infiniteStream(fc.boolean()), (traded, keep) => {
        const quotes = quotesOf(traded);
        const start = (at: number): number => barStart("minute", quotes[at]?.at ?? 0);
        const isEdge = (at: number): boolean => start(at - 1) !== start(at) || start(at + 1) !== start(at);
        const kept = quotes.filter((_, at) => isEdge(at) || keep.next().value === true);
        const all = mergedBars("minute", quotes);
        const some = mergedBars("minute", kept);
        const plain = ({ at, open, close, volume }: Candle) => ({ at, open, close, volume });
        expect(some.map(plain)).toEqual(all.map(plain));
        // The day's extremes survive dropped quotes; lesser extremes between two quotes are unknown.
        let dayHigh = 0;
        for (const [at, bar] of all.entries()) {
          if (bar.high > dayHigh) expect(some[at]?.high).toBe(bar.high);
          dayHigh = Math.max(dayHigh, bar.high);
        }
      }),
    );
  });

  it("does not change for repeated or late quotes, nor for order-book changes without a trade", () => {
    fc.assert(
      fc.property(trades, fc.infiniteStream(fc.nat()), fc.constantFrom(...FORMED), (traded, chance, period) => {
        const quotes = quotesOf(traded);
        const noisy = quotes.flatMap((each, at) => {
          const earlier = quotes[Number(chance.next().value) % (at + 1)];
          // The same volume at a later time, even in the next bar, is not a trade.
          const bookChange = quote(0, { ...each, at: Math.min(each.at + 90_000, (quotes[at + 1]?.at ?? Infinity) - 1), bid: 1 });
          const sameDay = taipeiDay(bookChange.at) === taipeiDay(each.at) ? [bookChange] : [];
          return earlier ? [each, ...sameDay, each, earlier] : [each];
        });
        expect(mergedBars(period, noisy)).toEqual(mergedBars(period, quotes));
      }),
    );
  });

  it("is the same for any arrival order of a bar's quotes", () => {
    fc.assert(
      fc.property(trades, fc.constantFrom(...FORMED), fc.infiniteStream(fc.nat()), (traded, period, chance) => {
        const quotes = quotesOf(traded);
        const groups = [...Map.groupBy(quotes, ({ at }) => barStart(period, at)).values()];
        const shuffled = groups.flatMap((group) =>
          group
            .map((each) => ({ each, place: Number(chance.next().value) }))
            .toSorted((a, b) => a.place - b.place)
            .map(({ each }) => each),
        );
        expect(mergedBars(period, shuffled)).toEqual(referenceBars(period, traded));
      }),
    );
  });

  it("continues seamlessly from history, even with repeated quotes", () => {
    const cut = fc.record({ known: fc.double({ min: 0, max: 1, noNaN: true }), live: fc.double({ min: 0, max: 1, noNaN: true }) });
    const market = fc.oneof(
      trades.map((traded) => ({ traded, hours: ALL_DAY })),
      taiwanTrades.map((traded) => ({ traded, hours: TAIWAN })),
    );
    fc.assert(
      fc.property(market, cut, fc.constantFrom(...FORMED), ({ traded, hours }, { known, live }, period) => {
        // History was read after `read` trades; the live stream started somewhat earlier.
        const read = 1 + Math.floor(known * (traded.length - 1));
        const begun = Math.floor(live * read);
        const past: readonly Trade[] = traded.slice(0, read);
        const history = referenceBars(period, past, hours);
        const bar = history.at(-1);
        const last = quotesOf(past).at(-1);
        if (!bar || !last) return;
        const merged = mergedBars(period, quotesOf(traded).slice(begun), hours, { bar, today: last });
        const seamless = new Map([...history, ...merged].map((each) => [each.at, each]));
        expect([...seamless.values()]).toEqual(referenceBars(period, traded, hours));
      }),
    );
  });

  it("reports whether anything changed and which bar became final", () => {
    const bar: Candle = { at: TUESDAY + TAIWAN.openMs, open: 100, high: 120, low: 90, close: 110, volume: 40 };
    const forming = new FormingBar("minute", ALL_DAY, false, { bar, today: { high: 150, low: 80, volume: 1000 } });
    const tick = (afterMs: number, last: number, volume: number): Merged =>
      merge(forming, quote(0, { at: bar.at + afterMs, last, open: 100, high: 150, low: 80, volume }));
    expect(tick(1, 110, 1000)).toBe("same");
    expect(tick(2, 125, 1003)).toBe("changed");
    expect(forming.bar).toEqual({ ...bar, high: 125, close: 125, volume: 43 });
    expect(tick(3, 0, 1005)).toBe("same");
    expect(tick(-MINUTE_MS, 100, 990)).toBe("same");
    expect(tick(MINUTE_MS, 130, 1004)).toBe("rolled");
    expect(forming.closed).toEqual({ ...bar, high: 125, close: 125, volume: 43 });
    expect(forming.bar).toMatchObject({ open: 130, volume: 1 });
    expect(bar.volume).toBe(40);
  });

  it("follows every price of a price-only instrument", () => {
    const forming = new FormingBar("minute", ALL_DAY, true, null);
    const tick = (afterMs: number, last: number): Merged =>
      merge(forming, quote(0, { at: TUESDAY + afterMs, last, open: 320, high: 330, low: 310, volume: 0 }));
    tick(0, 325);
    expect(tick(1_000, 315)).toBe("changed");
    expect(tick(1_000, 315)).toBe("same");
    expect(tick(500, 999)).toBe("same");
    expect(forming.bar).toMatchObject({ open: 320, high: 330, low: 310, close: 315, volume: 0 });
    expect(tick(MINUTE_MS, 316)).toBe("rolled");
  });
});

describe("weeks and months", () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 120 }).map((each) =>
    each
      .toSorted((a, b) => a - b)
      .map((day, nth): Candle => {
        const price = 100 + ((day * 37 + nth * 11) % 50);
        return {
          at: TUESDAY + day * DAY_MS,
          open: price,
          high: price + (day % 7),
          low: price - (day % 5),
          close: price + 1,
          volume: day + 1,
        };
      }),
  );

  it("are aggregated from trading days, whichever days were traded", () => {
    const monthOf = (at: number): string => formatDateTime(at).slice(0, 7);
    const weekOf = (at: number): number => Math.floor((taipeiDay(at) + 3) / 7);
    fc.assert(
      fc.property(days, fc.constantFrom("week" as const, "month" as const), (each, period) => {
        const groups = [...Map.groupBy(each, ({ at }) => (period === "week" ? weekOf(at) : monthOf(at))).values()];
        const obvious = groups.map((group) => ({
          at: barStart(period, group[0]?.at ?? 0),
          open: group[0]?.open ?? 0,
          high: Math.max(...group.map(({ high }) => high)),
          low: Math.min(...group.map(({ low }) => low)),
          close: group.at(-1)?.close ?? 0,
          volume: group.reduce((sum, { volume }) => sum + volume, 0),
        }));
        expect(aggregateBars(flatBars(each), period)).toEqual(flatBars(obvious));
      }),
    );
  });
});
