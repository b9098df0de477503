/** Tests the book of digital currency: it displays whole coins, and fractions are taken out of it to the last unit. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { unitsPerWhole } from "#contract/instrument.ts";
import { HOUR_MS } from "#contract/kernel/time.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Want } from "#server/venue/matching/book-sweep.ts";
import type { Venue } from "#server/venue/venue.ts";

const PER = unitsPerWhole({ kind: "crypto" });
const codes = ["2330", "BTC", "DOGE", "USDTWD"];
const NOW = Date.UTC(2026, 9, 5, 2, 0, 0);

let venue: Venue;
let row = -1;
beforeAll(() => {
  vi.useFakeTimers({ now: NOW });
  venue = openVenue({ seed: 11, rate: 2_000, hours: "always", codes });
  venue.start();
  vi.advanceTimersByTime(1_000);
  row = venue.instrument("BTC")?.row ?? -1;
});
afterAll(async () => {
  await venue.stop();
  vi.useRealTimers();
});

const want = (lots: number): Want => ({ row, side: "buy", limit: null, lots });
const shown = (): number[] => venue.depth(row).asks.map(([, lots]) => lots);

test("trades round the clock, or not at all", () => {
  for (const hours of ["taiwan", "compressed"] as const) {
    const closed = openVenue({ seed: 11, rate: 0, hours, codes });
    expect(closed.instrument("BTC")?.tradable).toBe(false);
  }
  expect(venue.instrument("BTC")).toMatchObject({
    tradable: true,
    shortable: false,
    marginable: false,
    dayTradable: false,
    limitPercent: null,
  });
  for (let hour = 0; hour < 24; hour += 1) expect(venue.phase(NOW + hour * HOUR_MS)).toBe("open");
  expect(venue.limits(row, NOW)).toBeNull();
});

test("a fraction is planned and taken to the unit, and small orders use a level up like a large one", () => {
  const first = shown()[0] ?? 0;
  expect(first).toBeGreaterThan(0);
  const plan = venue.plan(want(150_000));
  expect(plan).toMatchObject([{ lots: 150_000, level: 1 }]);
  const at = plan[0]?.price ?? 0;
  const before = venue.lotsAt(row, "asks", at) ?? 0;
  expect(before).toBe(first * PER);
  venue.consume(want(150_000), plan);
  expect(venue.lotsAt(row, "asks", at)).toBe(before - 150_000);
  // What is left of a coin is displayed as one, because it can be traded.
  expect(shown()[0]).toBe(first);
  for (let nth = 0; nth < 2 * first; nth += 1) venue.consume(want(PER / 2), venue.plan(want(PER / 2)));
  expect(venue.lotsAt(row, "asks", at)).toBe(0);
  expect(venue.plan(want(1))[0]?.price).toBeGreaterThan(at);
  expect(venue.quote(row).ask).toBeGreaterThan(at);
});
