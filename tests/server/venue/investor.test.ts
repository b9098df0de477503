/** Tests institutional trading and margin balances: sums within the volume, balances that add up, publication after the close, stability. */
import { afterAll, describe, expect, test } from "vitest";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { InvestorDay, INSTITUTIONS, INVESTOR_DAYS } from "#contract/investor.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";

const CODES = ["2330", "2603", "0050", "6488", "IX0001"];
const venues: Venue[] = [];

function venueAt(time: string, hours: Hours = "taiwan", codes: readonly string[] = CODES): Venue {
  const at = Date.parse(`${time}+08:00`);
  const venue = openVenue({ seed: 21, rate: 400, hours, codes, now: () => at });
  venues.push(venue);
  return venue;
}

afterAll(() => Promise.all(venues.map((venue) => venue.stop())));

const day = (days: InvestorDay[] | null, nth = 0): string => new Date((days?.[nth]?.at ?? 0) + 8 * 3_600_000).toISOString().slice(0, 10);

describe("investors of an instrument", () => {
  test("trade no more than the day's volume, which is that of its bar", async () => {
    const venue = venueAt("2026-11-18T22:00:00");
    for (const code of ["2330", "2603", "0050", "6488"]) {
      const days = (await venue.investors(code)) ?? [];
      expect(days).toHaveLength(INVESTOR_DAYS);
      const { bars } = await venue.candles(code, "day", null, 60);
      const volumes = new Map(
        Array.from({ length: bars.length / CANDLE_STRIDE }, (_, nth) => [bars[nth * CANDLE_STRIDE], bars[nth * CANDLE_STRIDE + 5]]),
      );
      for (const one of days) {
        InvestorDay.parse(one);
        expect(one.volume, `${code} ${one.at}`).toBe(volumes.get(one.at));
        const sum = (side: "bought" | "sold"): number => INSTITUTIONS.reduce((total, who) => total + one[who][side], 0);
        const { long, short } = one.margin ?? { long: { added: 0, repaid: 0 }, short: { added: 0, repaid: 0 } };
        // Buying on margin and covering are purchases, repaying and selling short are sales.
        expect(sum("bought") + long.added + short.repaid).toBeLessThanOrEqual(one.volume);
        expect(sum("sold") + long.repaid + short.added).toBeLessThanOrEqual(one.volume);
      }
      expect(days.some(({ foreign }) => foreign.bought > foreign.sold) && days.some(({ foreign }) => foreign.bought < foreign.sold)).toBe(
        true,
      );
    }
  });

  test("have balances that are yesterday's, plus what was added, minus what was repaid", async () => {
    const days = (await venueAt("2026-11-18T22:00:00").investors("2330")) ?? [];
    for (const [nth, { margin }] of days.entries()) {
      const before = days[nth + 1]?.margin;
      if (!before || !margin) continue;
      for (const kind of ["long", "short"] as const) {
        expect(margin[kind].balance).toBe(before[kind].balance + margin[kind].added - margin[kind].repaid);
        expect(margin[kind].balance).toBeGreaterThanOrEqual(0);
      }
    }
    expect(new Set(days.map(({ margin }) => margin?.long.balance)).size).toBeGreaterThan(10);
  });

  test("are published after the close: institutions at 15:00, margin balances at 21:00", async () => {
    const at = async (time: string): Promise<InvestorDay[] | null> => venueAt(`2026-11-18T${time}`).investors("2330");
    const [noon, afternoon, evening, night] = await Promise.all([at("14:59:00"), at("15:00:00"), at("20:59:00"), at("21:00:00")]);
    expect([day(noon), day(afternoon), day(night)]).toEqual(["2026-11-17", "2026-11-18", "2026-11-18"]);
    expect([noon?.[0]?.margin === null, afternoon?.[0]?.margin === null, evening?.[0]?.margin === null]).toEqual([false, true, true]);
    expect(night?.[0]?.margin).not.toBeNull();
    expect(afternoon?.[1]).toEqual(noon?.[0]);
  });

  test("do not change afterwards, in whatever order venues are asked", async () => {
    const later = venueAt("2026-11-18T22:00:00");
    const newer = (await later.investors("2330")) ?? [];
    const older = (await venueAt("2026-11-04T22:00:00").investors("2330")) ?? [];
    const known = new Map(older.map((one) => [one.at, one]));
    const common = newer.filter(({ at }) => known.has(at));
    expect(common.length).toBeGreaterThan(5);
    for (const one of common) expect(known.get(one.at)).toEqual(one);
    expect(await later.investors("2330")).toEqual(newer);
  });

  test("exist in every kind of trading hours, and only for stocks and funds", async () => {
    expect(day(await venueAt("2026-11-18T12:00:00", "always").investors("2330"))).toBe("2026-11-17");
    expect(((await venueAt("2026-11-18T12:00:00", "compressed").investors("2330")) ?? []).length).toBeGreaterThan(0);
    expect(await venueAt("2026-11-18T22:00:00").investors("IX0001")).toBeNull();
    expect(await venueAt("2026-11-18T22:00:00").investors("nothing")).toBeNull();
  });
});
