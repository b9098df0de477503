/** Tests days that close at their price limit: locked there for some time, with trades, and listed as such by rankings and heat. */
import { describe, expect, test } from "vitest";
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import { DailyProcessReader, marketOf } from "#server/venue/simulator/seeded-market.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { taipei } from "#tests/support/taipei-time.ts";

describe.each(["always", "taiwan", "compressed"] as const)("in a market open %s", (hours) => {
  const market = marketOf(5, hours);
  const { minutes } = market.calendar;
  const session = market.calendar.at(taipei("2026-11-20T10:00:00")).session;
  const paths = market.models.flatMap((model): Path[] => {
    if (!model) return [];
    const reader = new DailyProcessReader(model, session - 4);
    const days = [reader.next(), reader.next(), reader.next(), reader.next(), reader.next()];
    return days.flatMap((day) =>
      day.close === day.up || day.close === day.down ? [new Path(model, day, market.sessionProfile(day.session))] : [],
    );
  });

  test("some days lock, but few", () => {
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.length).toBeLessThan(500);
  });

  test("the path is the same in one pass and mark by mark, and ends at the limit, mostly after some time there", () => {
    const marks = new Float64Array(minutes + 1);
    const traded = new Int32Array(minutes + 1);
    let lasting = 0;
    const wrong: unknown[] = [];
    for (const path of paths) {
      const { day } = path;
      marks.fill(0);
      path.tape(marks, traded, minutes);
      const bars: Bar[] = [];
      let checked = -1;
      for (let minute = 0; minute < minutes; minute += 1) {
        const lots = path.lots(minute + 1) - path.lots(minute);
        if (lots !== traded[minute]) wrong.push({ minute, lots });
        if (lots === 0) continue;
        // A single mark takes a tenth of a millisecond, and there are a hundred thousand: each is asked for once.
        for (const mark of checked === minute ? [minute + 1] : [minute, minute + 1])
          if (marks[mark] !== path.mark(mark)) wrong.push({ mark });
        checked = minute + 1;
        const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
        path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots, bar);
        bars.push(bar);
      }
      expect(Math.max(...bars.map(({ high }) => high))).toBe(day.high);
      expect(Math.min(...bars.map(({ low }) => low))).toBe(day.low);
      const lastBelowLimit = bars.findLastIndex(({ high, low }) => high !== day.close || low !== day.close);
      // Not from the start, unless it opened there; it may come and go, and a few reach it with the close alone.
      expect(lastBelowLimit).toBeGreaterThanOrEqual(day.open === day.close ? -1 : 0);
      expect(bars.at(-1)?.close).toBe(day.close);
      if (bars.length - lastBelowLimit > 2) lasting += 1;
    }
    expect(wrong).toEqual([]);
    expect(lasting).toBeGreaterThan(paths.length / 2);
    const lockedAtNoon = paths.filter((path) => path.mark(Math.floor(minutes / 2)) === path.day.close);
    expect(lockedAtNoon.length).toBeGreaterThan(paths.length / 5);
  });
});

test("rankings, heat and book agree on which instruments are at a limit", async () => {
  const now = taipei("2026-11-20T13:40:00");
  // A seed and a day with such instruments.
  const venue = openVenue({ seed: 5, rate: 400, hours: "taiwan", now: () => now });
  const rank = (by: "limitUp" | "limitDown"): number[] => venue.rank({ by, board: null, category: null, size: 200 });
  const [up, down] = [rank("limitUp"), rank("limitDown")];
  expect(up.length + down.length).toBeGreaterThan(0);
  const flat = venue.heat();
  const heats = venue.categories.map((_, nth) => sectorHeatAt(flat, nth * HEAT_STRIDE));
  expect(heats.reduce((sum, { limitUp }) => sum + limitUp, 0)).toBe(up.length);
  expect(heats.reduce((sum, { limitDown }) => sum + limitDown, 0)).toBe(down.length);
  for (const row of up) expect(venue.quote(row)).toMatchObject({ bid: venue.quote(row).last, ask: 0 });
  for (const row of down) expect(venue.quote(row)).toMatchObject({ ask: venue.quote(row).last, bid: 0 });
  await venue.stop();
});
