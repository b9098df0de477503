/** Tests what each range and candle length shows. */
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "#contract/kernel/time.ts";
import { adjustable, CANDLE_LENGTHS, dayRange, RANGES, viewOf } from "#src/screens/chart/view.ts";

const OPENS = Date.UTC(2026, 7, 12, 1);

describe("the view of a choice", () => {
  it("draws the day by minutes while one page holds them, then by five minutes", () => {
    expect(viewOf({ range: "intraday", length: null }, OPENS, OPENS + HOUR_MS)).toEqual({
      shape: "line",
      period: "minute",
      since: OPENS,
      bars: null,
    });
    expect(viewOf({ range: "intraday", length: null }, OPENS, OPENS + 20 * HOUR_MS).period).toBe("minute5");
  });

  it("reaches back as far as its range", () => {
    for (const range of RANGES.slice(1)) {
      const view = viewOf({ range, length: null }, OPENS, OPENS);
      expect(view.shape).toBe("candles");
      expect(view.since).toBeLessThan(OPENS);
    }
    expect(viewOf({ range: "1Y", length: null }, OPENS, OPENS).since).toBe(OPENS - 366 * DAY_MS);
  });

  it("shows a legible number of candles for a length", () => {
    for (const length of CANDLE_LENGTHS) {
      expect(viewOf({ range: null, length }, OPENS, OPENS)).toEqual({ shape: "candles", period: length, since: null, bars: 60 });
    }
  });
});

describe("adjustment", () => {
  it("applies to daily bars and longer", () => {
    const reach = CANDLE_LENGTHS.filter((length) => adjustable(viewOf({ range: null, length }, OPENS, OPENS)));
    expect(reach).toEqual(["day", "week", "month"]);
    const ranges = RANGES.filter((range) => adjustable(viewOf({ range, length: null }, OPENS, OPENS)));
    expect(ranges).toEqual(["1M", "3M", "6M", "1Y"]);
  });
});

describe("the scale of a day", () => {
  const limits = { down: 90, up: 110 };
  it("keeps the previous close in view and does not magnify a quiet day", () => {
    expect(dayRange({ low: 101, high: 102 }, 100, limits)).toEqual({ low: 99.5, high: 102 });
    expect(dayRange({ low: 99.9, high: 100 }, 100, null)).toEqual({ low: 99.5, high: 100.5 });
  });

  it("shows a limit the price approaches, and only that one", () => {
    expect(dayRange({ low: 99, high: 107.5 }, 100, limits)).toEqual({ low: 99, high: 110 });
    expect(dayRange({ low: 92.5, high: 101 }, 100, limits)).toEqual({ low: 90, high: 101 });
    expect(dayRange({ low: 96, high: 106 }, 100, limits)).toEqual({ low: 96, high: 106 });
  });
});
