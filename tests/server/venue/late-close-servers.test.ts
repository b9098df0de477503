/** Tests that servers that start, or stand still, around a close that is put off show the same market, and hold each call once. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Call, Venue } from "#server/venue/venue.ts";

const DUE_AT = Date.parse("2026-12-03T13:30:00+08:00");
const HELD_AT = DUE_AT + 3 * MINUTE_MS;
const LATE = "2889";
const INDEX = "IX0001";

beforeEach(() => void vi.useFakeTimers({ now: DUE_AT - 2 * MINUTE_MS - 20 * SECOND_MS + 20 }));
afterEach(() => void vi.useRealTimers());

/** A server's market with stocks that close late on the day, and others. */
function start(now?: () => number): Venue {
  const codes = [LATE, "3033", "K1230", "2330", "2317", "2454", "1101", "2881", INDEX];
  const venue = openVenue({ seed: 9, rate: 100, hours: "taiwan", codes, ...(now && { now }) });
  venue.start();
  return venue;
}

/** All that is shown. How often each row has changed since the start is each server's own, and so is the range of an index that it published. */
const shown = (venue: Venue): unknown[] =>
  venue.instruments.map(({ row, tradable }) => {
    const { seq: _, high, low, ...quote } = venue.quote(row);
    const { bids, asks, trial, isDelayedClose } = venue.depth(row);
    return { ...quote, bids, asks, trial, isDelayedClose, range: tradable && [high, low] };
  });

test("a server that starts around a close that is put off shows what one shows that runs, at once and until others trade again", async () => {
  const first = start();
  const later: Venue[] = [];
  for (const seconds of [-30, 0, 30, 61, 130, 180, 200]) {
    await vi.advanceTimersByTimeAsync(DUE_AT + seconds * SECOND_MS + 20 - Date.now());
    later.push(start());
    for (const venue of later) expect(shown(venue)).toEqual(shown(first));
  }
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  for (const venue of later) expect(shown(venue)).toEqual(shown(first));
  await Promise.all([first, ...later].map((venue) => venue.stop()));
});

test("one that stood still over both calls, or ticks a little late, shows the same, and holds each call once", async () => {
  const first = start();
  let stalledAt: number | null = null;
  const stalled = start(() => stalledAt ?? Date.now() + 7);
  const calls: Call[] = [];
  stalled.onCall((call) => void calls.push(call));
  await vi.advanceTimersByTimeAsync(30 * SECOND_MS);
  stalledAt = Date.now();
  // Beyond the beginning of odd lots after hours.
  await vi.advanceTimersByTimeAsync(DUE_AT + 10 * MINUTE_MS + 20 - Date.now());
  stalledAt = null;
  await vi.advanceTimersByTimeAsync(100);
  const row = first.instrument(LATE)?.row ?? -1;
  for (const venue of [first, stalled]) expect(venue.quote(row).last).not.toBe(0);
  const taken = calls.filter((call) => call.rows?.includes(row) ?? true).map(({ kind, at }) => [kind, at]);
  expect(taken).toEqual([
    ["closing", HELD_AT],
    ["odd", HELD_AT],
  ]);
  // Of all that closed on time, too, although the phase that follows the call was missed with it.
  const onTime = first.instrument("2330")?.row ?? -1;
  const board = calls.filter(({ kind, rows }) => kind === "closing" && (rows?.includes(onTime) ?? true));
  expect(board.map(({ at }) => at)).toEqual([DUE_AT]);
  const official = first.quote(onTime).last;
  expect([stalled.quote(onTime).last, stalled.callBook(onTime, false)?.anchor]).toEqual([official, first.callBook(onTime, false)?.anchor]);
  await Promise.all([first.stop(), stalled.stop()]);
});

test("from when on orders are taken again is published, and as soon as they are that they are", async () => {
  const venue = start();
  const row = venue.instrument(LATE)?.row ?? -1;
  const told = new Map<number | null, number>();
  venue.onChange((rows) => {
    const { isDelayedClose, ordersFrom } = venue.depth(row);
    if (rows.includes(row) && isDelayedClose && !told.has(ordersFrom)) told.set(ordersFrom, Math.floor(Date.now() / SECOND_MS) * SECOND_MS);
  });
  await vi.advanceTimersByTimeAsync(HELD_AT - Date.now());
  expect([...told]).toEqual([
    [DUE_AT + MINUTE_MS, DUE_AT],
    [null, DUE_AT + MINUTE_MS],
  ]);
  expect(venue.depth(row).ordersFrom).toBeNull();
  await venue.stop();
});
