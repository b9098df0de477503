/** Tests that forming bars are calmed: the newest of each bar once per interval, in order, and everything else at once. */
import { Subject } from "rxjs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CandleUpdate } from "#src/screens/chart/chart-data.ts";
import { calmed } from "#src/screens/workspace/calm-source.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const forming = (at: number, close: number): CandleUpdate => ({ change: "forming", bar: { at, close } as never, values: [] });

function watch() {
  const updates$ = new Subject<CandleUpdate>();
  const seen: string[] = [];
  const watching = calmed(updates$, 500).subscribe((update) =>
    seen.push(update.change === "forming" ? `${update.bar.at}:${update.bar.close}` : update.change),
  );
  return { updates$, seen, watching };
}

it("passes on the newest of each bar once per interval", () => {
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
