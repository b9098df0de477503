/** Tests that the trial prices of rows in a call are published when they change, however seldom those rows are printed. */
import { afterEach, expect, it, vi } from "vitest";
import { openVenue } from "#server/venue/simulated-venue.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("publishes a row in a call whenever its trial book changes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.UTC(2026, 10, 29, 22, 16, 2) });
  const venue = openVenue({ seed: 7, rate: 50, hours: "always" });
  const isInCall = (row: number) => venue.matching(row, Date.now()) === "call";
  const rows = venue.instruments.map(({ row }) => row).filter(isInCall);
  expect(rows.length).toBeGreaterThan(0);
  const shown = (row: number) => JSON.stringify(venue.depth(row));
  const before = new Map(rows.map((row) => [row, shown(row)]));
  let published = new Set<number>();
  venue.onChange((changed) => (published = new Set(changed)));
  venue.start();
  let changes = 0;
  for (let update = 0; update < 300; update += 1) {
    published.clear();
    vi.advanceTimersByTime(50);
    for (const row of rows.filter(isInCall)) {
      const now = shown(row);
      if (now === before.get(row)) continue;
      changes += 1;
      before.set(row, now);
      expect(published, `${venue.instruments[row]?.code} at ${new Date().toISOString()}`).toContain(row);
    }
  }
  expect(changes).toBeGreaterThan(rows.length);
  await venue.stop();
});
