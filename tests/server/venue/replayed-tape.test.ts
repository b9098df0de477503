/** Tests that minutes which are replayed at once have the trades, with their sides, times and numbers, that they had as they ran. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { taipei } from "#tests/support/taipei-time.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

/** Everyday a sample of the market. */
const codes = sampleUniverse(4);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What came to each side of each row that trades so far, and its tape. */
const sides = (venue: Venue): unknown[] =>
  venue.instruments.flatMap(({ row, code, tradable }) => {
    const { atBid, atAsk } = venue.depth(row);
    return tradable ? [{ code, atBid, atAsk, volume: venue.quote(row).volume, tape: venue.tape(row, 0, MAX_TRADES) }] : [];
  });

/** How many trades of the tapes were between two key trades: of more than six in a minute some are. */
function busyMinutes(venue: Venue): number {
  let busy = 0;
  for (const { row } of venue.instruments) {
    const flat = venue.tape(row, 0, MAX_TRADES);
    const minutes = Map.groupBy(
      Array.from({ length: flat.length / TAPE_STRIDE }, (_, nth) => tradeAt(flat, nth * TAPE_STRIDE)),
      ({ at }) => Math.floor(at / MINUTE_MS),
    );
    busy += [...minutes.values()].filter(({ length }) => length > 6).length;
  }
  return busy;
}

test.each([
  // From before the open on, through the opening calls and those that are late.
  [11, "taiwan", 400, "2026-12-03T08:59:58.020"],
  ["b", "taiwan", 400, "2026-12-04T08:59:58.020"],
  // Few rows are drawn: what is due waits for its turn.
  [4, "taiwan", 80, "2026-12-07T08:59:58.020"],
  // Through the closing calls.
  [7, "taiwan", 400, "2026-12-03T13:25:02.020"],
  [11, "always", 2_000, "2026-12-02T23:59:58.020"],
] as const)("seed %s, open %s, at %i changes a second, from %s", async (seed, hours, rate, from) => {
  vi.setSystemTime(taipei(from));
  const open = (): Venue => openVenue({ seed, hours, rate, codes, newIssues: false });
  const first = open();
  first.start();
  let busy = 0;
  for (const ms of [2.4 * MINUTE_MS, 0.7 * MINUTE_MS + 7_350, 3 * MINUTE_MS + 20, 2 * MINUTE_MS + 1_500]) {
    await vi.advanceTimersByTimeAsync(ms);
    const later = open();
    later.start();
    expect(sides(later)).toEqual(sides(first));
    // And from then on.
    await vi.advanceTimersByTimeAsync(1_700);
    expect(sides(later)).toEqual(sides(first));
    busy += busyMinutes(later);
    await later.stop();
  }
  expect(busy).toBeGreaterThan(50);
  await first.stop();
});
