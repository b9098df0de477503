/** Tests what each range and candle length shows. */
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "#contract/kernel/time.ts";
import { FRAMES } from "#contract/preference.ts";
import { adjustable, dayRange, viewOf } from "#src/screens/chart/view.ts";

const OPENS = Date.UTC(2026, 7, 12, 1);

describe("the view of a time frame", () => {
  it("draws the day by minutes while one page holds them, then by five minutes", () => {
    expect(viewOf("intraday", OPENS, OPENS + HOUR_MS)).toEqual({ shape: "line", period: "minute", since: OPENS, bars: null });
    expect(viewOf("intraday", OPENS, OPENS + 20 * HOUR_MS).period).toBe("minute5");
  });

  it("offers the five that traders use most first, and every range of the specification", () => {
    expect(FRAMES.slice(0, 5)).toEqual(["intraday", "minute5", "day", "week", "month"]);
    expect(FRAMES).toEqual(expect.arrayContaining(["1D", "1W", "1M", "3M", "6M", "1Y"]));
  });

  it("reaches back as far as its range", () => {
    for (const range of ["1D", "1W", "1M", "3M", "6M", "1Y"] as const) {
      const view = viewOf(range, OPENS, OPENS);
      expect(view.shape).toBe("candles");
      expect(view.since).toBeLessThan(OPENS);
    }
    expect(viewOf("1Y", OPENS, OPENS).since).toBe(OPENS - 366 * DAY_MS);
  });

  it("shows a legible number of candles for a length", () => {
    for (const length of ["minute5", "minute15", "minute30", "day", "week", "month"] as const) {
      expect(viewOf(length, OPENS, OPENS)).toEqual({ shape: "candles", period: length, since: null, bars: 60 });
    }
  });
});

describe("adjustment", () => {
  it("applies to daily bars and longer", () => {
    const reach = FRAMES.filter((frame) => adjustable(viewOf(frame, OPENS, OPENS)));
    expect(reach).toEqual(["day", "week", "month", "1M", "3M", "6M", "1Y"]);
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
