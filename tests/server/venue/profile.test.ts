/**
 * Tests profiles: plausible invented figures, real dividends and year ranges, the right index, related instruments of the same
 * category.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { Profile } from "#contract/profile.ts";
import type { Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";

const AT = Date.parse("2026-11-18T11:20:40+08:00");
let venue: Venue;
beforeAll(() => {
  venue = openVenue({ seed: 21, rate: 400, hours: "taiwan", now: () => AT });
});
afterAll(() => venue.stop());

describe("a profile", () => {
  test("is valid by the contract for any instrument", async () => {
    for (const { code, row } of venue.instruments.filter(({ row }) => row % 97 === 0)) {
      const profile = await venue.profile(code);
      Profile.parse(profile);
      expect(profile?.related, code).not.toContain(code);
      for (const other of profile?.related ?? []) {
        expect(venue.instrument(other)).toMatchObject({ board: venue.instruments[row]?.board, category: venue.instruments[row]?.category });
      }
    }
  });

  test("counts the dividends of the last twelve months, and the range of 52 weeks including today", async () => {
    const code = "2881";
    const profile = await venue.profile(code);
    const actions = await venue.actions(code);
    const recent = actions.filter(({ at }) => at > AT - 365 * DAY_MS);
    expect(recent.length).toBeGreaterThan(0);
    expect(profile?.fundamentals?.dividend).toBe(recent.reduce((sum, { cash }) => sum + cash, 0));
    const { bars } = await venue.candles(code, "day", null, 500);
    const days = Array.from({ length: bars.length / CANDLE_STRIDE }, (_, nth) =>
      bars.slice(nth * CANDLE_STRIDE, (nth + 1) * CANDLE_STRIDE),
    );
    const year = days.filter(([at = 0]) => at >= Date.parse("2025-11-18T00:00:00+08:00"));
    expect(profile?.yearHigh).toBe(Math.max(...year.map((bar) => bar[2] ?? 0)));
    expect(profile?.yearLow).toBe(Math.min(...year.map((bar) => bar[3] ?? 0)));
  });

  test.each([
    ["2330", "IX0028"],
    ["6488", "IX0053"],
    ["2881", "IX0039"],
    ["0050", "IX0001"],
    ["IX0028", "IX0001"],
    ["IX0053", "IX0043"],
    ["IX0001", null],
    ["00720B", null],
    ["BTC", null],
  ])("compares %s with %s", async (code, index) => {
    expect((await venue.profile(code))?.index).toBe(index);
  });

  test("lists the most similar in size as related", async () => {
    const { related } = (await venue.profile("2330")) ?? { related: [] };
    expect(related.length).toBe(8);
    expect(related).toContain("2454");
  });

  test("invents plausible figures: most companies earn, none pays more than it earns", async () => {
    let unprofitable = 0;
    let companies = 0;
    for (const { code } of venue.instruments.filter(({ kind, row }) => kind === "stock" && row % 40 === 0)) {
      const fundamentals = (await venue.profile(code))?.fundamentals;
      if (!fundamentals) throw new Error(`${code} has no figures`);
      companies += 1;
      if (fundamentals.earnings < 0) unprofitable += 1;
      else expect(fundamentals.earnings).toBeGreaterThan(fundamentals.dividend);
      expect(fundamentals.book).toBeGreaterThan(0);
      expect(fundamentals.revenueMillions).toBeGreaterThan(0);
    }
    expect(unprofitable).toBeLessThan(companies / 4);
    for (const code of ["0050", "IX0001", "BTC"]) expect((await venue.profile(code))?.fundamentals).toBe(null);
  });

  test("has a new listing's listing date, and is null for an unknown code", async () => {
    expect((await venue.profile("K6411"))?.listedAt).toBe(Date.parse("2026-11-18T00:00:00+08:00"));
    expect(await venue.profile("NOPE")).toBe(null);
  });
});

test("an index profile requested first does not delay queries for bars, and does not affect later answers", async () => {
  const fresh = openVenue({ seed: 22, rate: 400, hours: "taiwan", now: () => AT });
  const answered: string[] = [];
  const profile = fresh.profile("IX0001").then(() => answered.push("profile"));
  const index = fresh.candles("IX0001", "day", null, 500).then(({ bars }) => answered.push(`index ${bars.length / CANDLE_STRIDE}`));
  await fresh.candles("2330", "day", null, 500).then(() => answered.push("stock"));
  expect(answered).toEqual(["stock"]);
  await Promise.all([profile, index]);
  expect(answered).toContain("index 500");
  await fresh.stop();
});
