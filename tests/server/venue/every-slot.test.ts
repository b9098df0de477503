/** Tests that every server shows the same market at every slot of 50 ms, however long it has run and whatever has kept it up. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Venue } from "#server/venue/venue.ts";
import { taipei } from "#tests/support/taipei-time.ts";

const SLOT_MS = 50;
/** A little more than two changes a minute of each row of the tests' market. */
const SLOW_RATE = 80;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server's market, started now. */
function start(hours: "always" | "taiwan" | "compressed", options: { rate?: number; now?: () => number } = {}): Venue {
  const venue = openVenue({ seed: 11, rate: 400, hours, newIssues: false, ...options });
  venue.start();
  return venue;
}

/** All that is shown of the rows that trade. How often each has changed since the start is each server's own. */
function shown(venue: Venue): unknown[] {
  return venue.instruments.flatMap(({ row, tradable }) => {
    const { seq: _, ...quote } = venue.quote(row);
    const { bids, asks, atBid, atAsk } = venue.depth(row);
    return tradable ? [{ ...quote, bids, asks, atBid, atAsk, newest: venue.tape(row, 0, 5) }] : [];
  });
}

/** The same of indices, but the range of the day so far: each server has published its own. */
const indices = (venue: Venue): unknown[] =>
  venue.instruments.flatMap(({ row, tradable }) => {
    const { last, volume, turnover, open } = venue.quote(row);
    return tradable ? [] : [{ last, volume, turnover, open }];
  });

function expectEqual(one: Venue, other: Venue): void {
  expect(shown(other)).toEqual(shown(one));
  expect(indices(other)).toEqual(indices(one));
}

/** Steps both through some time, and compares at odd moments. */
async function compare(one: Venue, other: Venue, forMs: number): Promise<void> {
  for (let passed = 0; passed < forMs; passed += 7 * SLOT_MS + 3_010) {
    await vi.advanceTimersByTimeAsync(7 * SLOT_MS + 3_010);
    expectEqual(one, other);
  }
}

describe.each([
  ["always", 400, "2026-12-03T14:20:17.130"],
  ["taiwan", 400, "2026-12-03T10:20:17.130"],
  // Few rows are drawn: most are printed when it is their turn.
  ["taiwan", SLOW_RATE, "2026-12-03T13:23:40.020"],
  ["compressed", 400, "2026-12-03T10:23:17.130"],
] as const)("a market open %s, at %i changes a second, from %s", (hours, rate, from) => {
  test("a server that starts later shows what one shows that runs, at once and from then on", async () => {
    vi.setSystemTime(taipei(from));
    const first = start(hours, { rate });
    await vi.advanceTimersByTimeAsync(MINUTE_MS + 23_000);
    const later = start(hours, { rate });
    expectEqual(first, later);
    await compare(first, later, 62 * SECOND_MS);
    await Promise.all([first.stop(), later.stop()]);
  });
});

test("one that stood still for a while shows the same again", async () => {
  vi.setSystemTime(taipei("2026-12-03T10:20:17.130"));
  let stalledAt: number | null = null;
  const first = start("taiwan");
  const stalled = start("taiwan", { now: () => stalledAt ?? Date.now() });
  await vi.advanceTimersByTimeAsync(20 * SECOND_MS);
  for (const ms of [400, 31_000, 200_000]) {
    stalledAt = Date.now();
    await vi.advanceTimersByTimeAsync(ms);
    expect(shown(stalled)).not.toEqual(shown(first));
    stalledAt = null;
    await vi.advanceTimersByTimeAsync(SLOT_MS);
    expectEqual(first, stalled);
  }
  await Promise.all([first.stop(), stalled.stop()]);
});

test("what members take is published at once, and changes nothing of what is printed", async () => {
  vi.setSystemTime(taipei("2026-12-03T10:20:00.020"));
  const first = start("taiwan");
  const taken = start("taiwan");
  let published: readonly number[] = [];
  taken.onChange((rows) => (published = rows));
  let count = 0;
  for (let slot = 0; slot < 600; slot += 1) {
    const row = (slot * 7) % taken.instruments.length;
    const want = { row, side: "buy", limit: price(taken.quote(row).ask), lots: 1 } as const;
    const executions = want.limit > 0 ? taken.plan(want) : [];
    taken.consume(want, executions);
    await vi.advanceTimersByTimeAsync(SLOT_MS);
    if (executions.length === 0) continue;
    count += 1;
    expect(published).toContain(row);
  }
  expect(count).toBeGreaterThan(100);
  const printed = (venue: Venue): unknown[] =>
    venue.instruments.map(({ row }) => [venue.quote(row).at, venue.quote(row).last, venue.quote(row).volume]);
  expect(printed(taken)).toEqual(printed(first));
  await Promise.all([first.stop(), taken.stop()]);
});
