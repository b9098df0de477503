/** What each range and candle length draws. */
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "#contract/kernel/time.ts";
import { CANDLE_LENGTHS, RANGES, viewOf } from "#src/screens/chart/view.ts";

const OPENS = Date.UTC(2026, 7, 12, 1);

describe("the view of a choice", () => {
  it("draws the day by minutes while a page holds them, then by five", () => {
    expect(viewOf({ range: "intraday", length: null }, OPENS, OPENS + HOUR_MS)).toEqual({
      shape: "line",
      period: "minute",
      since: OPENS,
      bars: null,
    });
    expect(viewOf({ range: "intraday", length: null }, OPENS, OPENS + 20 * HOUR_MS).period).toBe("minute5");
  });

  it("reaches back as far as its range says", () => {
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
