/** Tests that forming bars are calmed: the newest of each bar at shared moments, more seldom for a chart that is not active, and everything else at once. */
import { Subject } from "rxjs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CandleUpdate } from "#src/screens/chart/chart-data.ts";
import { calmed, SharedMoments } from "#src/screens/workspace/calm-source.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const forming = (at: number, close: number): CandleUpdate => ({ change: "forming", bar: { at, close } as never, values: [] });

function watch(isActive = () => true, shared = new SharedMoments(500)) {
  const updates$ = new Subject<CandleUpdate>();
  const seen: string[] = [];
  const watching = calmed(updates$, isActive, shared).subscribe((update) =>
    seen.push(update.change === "forming" ? `${update.bar.at}:${update.bar.close}` : update.change),
  );
  return { updates$, seen, watching };
}

it("passes on the newest of each bar once per moment", () => {
  const { updates$, seen } = watch();
  for (const close of [1, 2, 3]) updates$.next(forming(60, close));
  updates$.next(forming(120, 4));
  updates$.next(forming(120, 5));
  expect(seen).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(seen).toEqual(["60:3", "120:5"]);
  vi.advanceTimersByTime(2_000);
  updates$.next(forming(120, 6));
  vi.advanceTimersByTime(500);
  expect(seen).toEqual(["60:3", "120:5", "120:6"]);
});

it("draws several charts at the same moments", () => {
  const shared = new SharedMoments(500);
  const first = watch(() => true, shared);
  const second = watch(() => true, shared);
  first.updates$.next(forming(60, 1));
  vi.advanceTimersByTime(400);
  second.updates$.next(forming(60, 2));
  expect(second.seen).toEqual([]);
  vi.advanceTimersByTime(100);
  expect([first.seen, second.seen]).toEqual([["60:1"], ["60:2"]]);
});

it("draws a chart that is not active more seldom, and as often as others once it is", () => {
  let active = false;
  const { updates$, seen } = watch(() => active);
  for (let close = 1; close <= 6; close += 1) {
    updates$.next(forming(60, close));
    vi.advanceTimersByTime(500);
  }
  expect(seen).toEqual(["60:3", "60:6"]);
  active = true;
  updates$.next(forming(60, 7));
  vi.advanceTimersByTime(500);
  expect(seen.at(-1)).toBe("60:7");
});

it("passes on everything else at once, after what waits", () => {
  const { updates$, seen } = watch();
  updates$.next(forming(60, 1));
  updates$.next({ change: "failed" });
  expect(seen).toEqual(["60:1", "failed"]);
  vi.advanceTimersByTime(1_000);
  expect(seen).toHaveLength(2);
});

it("passes on nothing after the end of the subscription", () => {
  const { updates$, seen, watching } = watch();
  updates$.next(forming(60, 1));
  watching.unsubscribe();
  vi.advanceTimersByTime(1_000);
  expect(seen).toEqual([]);
});
