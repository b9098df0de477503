/** Proof of the forming bar: against the obvious way to make bars, through conflation, late and repeated ticks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CANDLE_PERIODS } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, formatDateTime, MINUTE_MS, taipeiDay } from "#contract/kernel/time.ts";
import { barStart, FormingBar } from "#workers/candle.ts";
import type { Tick } from "#workers/candle.ts";

/** One trade, as the venue knows it. */
interface Trade {
  at: number;
  last: number;
  lots: number;
}

/** The obvious way: all trades of a period, first, highest, lowest, last, sum. */
function barsOf(period: CandlePeriod, trades: readonly Trade[]): Candle[] {
  const byStart = Map.groupBy(trades, (trade) => barStart(period, trade.at));
  return [...byStart].map(([at, within]) => ({
    at,
    open: within[0]?.last ?? 0,
    high: Math.max(...within.map(({ last }) => last)),
    low: Math.min(...within.map(({ last }) => last)),
    close: within.at(-1)?.last ?? 0,
    volume: within.reduce((sum, { lots }) => sum + lots, 0),
  }));
}

/** The quotes a venue would send after each trade. */
function ticksOf(trades: readonly Trade[]): Tick[] {
  let day: Tick | null = null;
  return trades.map(({ at, last, lots }) => {
    const before = day && taipeiDay(day.at) === taipeiDay(at) ? day : null;
    day = {
      at,
      last,
      open: before?.open ?? last,
      high: Math.max(before?.high ?? last, last),
      low: Math.min(before?.low ?? last, last),
      volume: (before?.volume ?? 0) + lots,
    };
    return day;
  });
}

const START = Date.UTC(2025, 6, 8, 1, 0);
const trades = fc
  .array(
    fc.record({
      gapMs: fc.integer({ min: 1, max: 40_000 }),
      last: fc.integer({ min: 1, max: 500 }),
      lots: fc.integer({ min: 1, max: 50 }),
    }),
    {
      minLength: 1,
      maxLength: 80,
    },
  )
  .map((steps) => {
    let at = START;
    return steps.map(({ gapMs, last, lots }): Trade => ({ at: (at += gapMs), last: last * 10_000, lots }));
  });

/** Feed ticks into a bar that begins with nothing, and keep each bar as it stood last. */
function mergedBars(period: CandlePeriod, ticks: readonly Tick[]): Candle[] {
  const forming = new FormingBar(period, null);
  const bars = new Map<number, Candle>();
  for (const tick of ticks) {
    forming.merge(tick);
    if (forming.bar) bars.set(forming.bar.at, forming.bar);
  }
  return [...bars.values()];
}

describe("where bars begin", () => {
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

  it("keeps Sunday in the week before and midnight in its own day", () => {
    expect(formatDateTime(barStart("week", Date.UTC(2025, 6, 13, 3)))).toBe("2025.07.07 00:00:00");
    expect(formatDateTime(barStart("day", Date.UTC(2025, 6, 12, 16)))).toBe("2025.07.13 00:00:00");
    expect(formatDateTime(barStart("month", Date.UTC(2025, 6, 31, 16)))).toBe("2025.08.01 00:00:00");
  });
});

describe("the forming bar", () => {
  it("is the obvious bar when every trade comes", () => {
    fc.assert(
      fc.property(trades, fc.constantFrom(...CANDLE_PERIODS), (traded, period) => {
        const expected = barsOf(period, traded);
        const first = expected[0];
        // The very first trade's volume is only known to a bar that was read with it; the day's bar is the quote itself.
        if (first && period !== "day") first.volume -= traded[0]?.lots ?? 0;
        expect(mergedBars(period, ticksOf(traded))).toEqual(expected);
      }),
    );
  });

  it("loses nothing to conflation inside a bar: the day's extremes and total tell", () => {
    fc.assert(
      fc.property(trades, fc.infiniteStream(fc.boolean()), (traded, keep) => {
        const ticks = ticksOf(traded);
        const isEdge = (at: number): boolean =>
          at === 0 ||
          at === ticks.length - 1 ||
          barStart("minute", ticks[at - 1]?.at ?? 0) !== barStart("minute", ticks[at]?.at ?? 0) ||
          barStart("minute", ticks[at + 1]?.at ?? 0) !== barStart("minute", ticks[at]?.at ?? 0);
        const kept = ticks.filter((_, at) => isEdge(at) || keep.next().value === true);
        const all = mergedBars("minute", ticks);
        const some = mergedBars("minute", kept);
        const plain = ({ at, open, close, volume }: Candle) => ({ at, open, close, volume });
        expect(some.map(plain)).toEqual(all.map(plain));
        // Extremes of the day are kept whatever was dropped; lesser ones between two quotes nobody said.
        let dayHigh = 0;
        for (const [at, bar] of all.entries()) {
          if (bar.high > dayHigh) expect(some[at]?.high).toBe(bar.high);
          dayHigh = Math.max(dayHigh, bar.high);
        }
      }),
    );
  });

  it("does not change for repeated ticks, nor for late ones", () => {
    fc.assert(
      fc.property(trades, fc.infiniteStream(fc.nat()), fc.constantFrom(...CANDLE_PERIODS), (traded, chance, period) => {
        const ticks = ticksOf(traded);
        const noisy = ticks.flatMap((tick, at) => {
          const earlier = ticks[Number(chance.next().value) % (at + 1)];
          return earlier && earlier.at < tick.at ? [tick, tick, earlier] : [tick, tick];
        });
        expect(mergedBars(period, noisy)).toEqual(mergedBars(period, ticks));
      }),
    );
  });

  it("goes on with the bar it was given, and says whether anything changed", () => {
    const given: Candle = { at: START, open: 100, high: 120, low: 90, close: 110, volume: 40 };
    const forming = new FormingBar("minute", given);
    const tick = (more: Partial<Tick>): Tick => ({ at: START + 1, last: 110, open: 100, high: 150, low: 80, volume: 1000, ...more });
    expect(forming.merge(tick({}))).toBe(false);
    expect(forming.merge(tick({ at: START + 2, last: 125, volume: 1003 }))).toBe(true);
    expect(forming.bar).toEqual({ at: START, open: 100, high: 125, low: 90, close: 125, volume: 43 });
    expect(forming.merge(tick({ at: START - MINUTE_MS, last: 1 }))).toBe(false);
    expect(forming.merge(tick({ at: START + 3, last: 0 }))).toBe(false);
    expect(given.volume).toBe(40);
  });

  it("begins the volume anew with a day", () => {
    const forming = new FormingBar("minute", null);
    forming.merge({ at: START, last: 10, open: 10, high: 10, low: 10, volume: 900 });
    forming.merge({ at: START + DAY_MS, last: 11, open: 11, high: 11, low: 11, volume: 5 });
    expect(forming.bar?.volume).toBe(5);
  });
});
