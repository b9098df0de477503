/** Tests candles: periods that add up to each other, include the live bar, and page without gaps. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS, taipeiDay } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

/** Everyday a sample of the market. */
const codes = sampleUniverse(2, "K7401");
const AT = Date.parse("2026-11-18T11:20:40+08:00");

async function read(venue: Venue, code: string, period: CandlePeriod): Promise<Candle[]> {
  const pages: number[][] = [];
  let before: number | null = null;
  for (let more = true; more;) {
    const answer: { bars: number[]; more: boolean } = await venue.candles(code, period, before, 500);
    pages.unshift(answer.bars);
    before = answer.bars[0] ?? null;
    more = answer.more;
  }
  const flat = pages.flat();
  return Array.from({ length: flat.length / CANDLE_STRIDE }, (_, nth) => {
    const [at = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = flat.slice(nth * CANDLE_STRIDE, (nth + 1) * CANDLE_STRIDE);
    return { at, open, high, low, close, volume };
  });
}

const aggregate = (bars: readonly Candle[]): Omit<Candle, "at"> => ({
  open: bars[0]?.open ?? 0,
  high: Math.max(...bars.map(({ high }) => high)),
  low: Math.min(...bars.map(({ low }) => low)),
  close: bars.at(-1)?.close ?? 0,
  volume: bars.reduce((sum, { volume }) => sum + volume, 0),
});
const withoutTime = ({ open, high, low, close, volume }: Candle): Omit<Candle, "at"> => ({ open, high, low, close, volume });

describe.each(["always", "taiwan"] as const)("a venue open %s", (hours) => {
  let venue: Venue;
  beforeAll(() => {
    venue = openVenue({ seed: 21, rate: 400, hours, codes, now: () => AT });
  });
  afterAll(() => venue.stop());

  test.each(["2330", "6488", "0050", "K7401", "BTC", "USDTWD", "IX0001", "IX0053"])(
    "%s: minutes add up to days, days to weeks and months",
    async (code) => {
      const minutes = await read(venue, code, "minute");
      const days = await read(venue, code, "day");
      const quote = venue.quote(venue.instrument(code)?.row ?? 0);
      expect(days.at(-1)).toMatchObject({ open: quote.open, high: quote.high, low: quote.low, close: quote.last, volume: quote.volume });
      expect(minutes.at(-1)).toMatchObject({ close: quote.last });
      // The long history is sampled, but its numbers are still integers.
      expect(days.flatMap((day) => Object.values(day)).every(Number.isSafeInteger)).toBe(true);
      for (let nth = 1; nth < minutes.length; nth += 1) expect(minutes[nth]?.at).toBeGreaterThan(minutes[nth - 1]?.at ?? 0);
      const recent = days.slice(-11);
      for (const day of recent)
        expect(aggregate(minutes.filter(({ at }) => taipeiDay(at) === taipeiDay(day.at))), `${code} ${day.at}`).toEqual(withoutTime(day));
      for (const [period, size] of [
        ["minute5", 5],
        ["minute15", 15],
        ["minute30", 30],
      ] as const) {
        for (const bar of (await read(venue, code, period)).slice(-40)) {
          expect(bar.at % (size * MINUTE_MS)).toBe(0);
          expect(withoutTime(bar)).toEqual(aggregate(minutes.filter(({ at }) => at >= bar.at && at < bar.at + size * MINUTE_MS)));
        }
      }
      const weeks = await read(venue, code, "week");
      const months = await read(venue, code, "month");
      expect(new Date(taipeiDay(weeks.at(-1)?.at ?? 0) * DAY_MS).getUTCDay()).toBe(1);
      expect(new Date(taipeiDay(months.at(-1)?.at ?? 0) * DAY_MS).getUTCDate()).toBe(1);
      for (const bars of [weeks, months]) {
        bars.forEach((bar, nth) => {
          if (nth < bars.length - 4) return;
          const end = bars[nth + 1]?.at ?? Infinity;
          expect(withoutTime(bar)).toEqual(aggregate(days.filter(({ at }) => at >= bar.at && at < end)));
        });
      }
    },
  );

  test("has five years of days", async () => {
    const days = await read(venue, "2330", "day");
    expect(days.length).toBe(hours === "always" ? 1826 : days.length);
    expect(AT - (days[0]?.at ?? 0)).toBeGreaterThan(5 * 365 * DAY_MS - 15 * DAY_MS);
    for (const { open, high, low, close, volume } of days) {
      expect(high >= Math.max(open, close) && low <= Math.min(open, close) && low > 0 && volume > 0).toBe(true);
    }
    expect(new Set(days.map(({ at }) => at)).size).toBe(days.length);
  });

  test("pages end before the requested moment", async () => {
    const { bars, more } = await venue.candles("2330", "minute", null, 50);
    const older = await venue.candles("2330", "minute", bars[0] ?? 0, 50);
    expect([bars.length, older.bars.length, more, older.more]).toEqual([300, 300, true, true]);
    expect(older.bars.at(-CANDLE_STRIDE)).toBeLessThan(bars[0] ?? 0);
  });

  test("an unknown code has no bars", async () => {
    expect(await venue.candles("NOPE", "day", null, 10)).toEqual({ bars: [], more: false });
  });
});
