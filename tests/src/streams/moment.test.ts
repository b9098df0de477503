/** Tests of timers for a moment: one beyond the 25 days that a browser's timer can count waits as long as any other. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { atMoment } from "#src/streams/moment.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 6, 1) }));
afterEach(() => void vi.useRealTimers());

it("acts once, at its moment, however far ahead", () => {
  for (const days of [0, 1, 24, 25, 60, 400]) {
    const act = vi.fn<() => void>();
    atMoment(Date.now() + days * DAY_MS, act);
    if (days > 0) vi.advanceTimersByTime(days * DAY_MS - 1);
    expect(act).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(30 * DAY_MS);
    expect(act).toHaveBeenCalledTimes(1);
  }
});

it("acts at the next turn for a moment that has passed", () => {
  const act = vi.fn<() => void>();
  atMoment(Date.now() - DAY_MS, act);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(0);
  expect(act).toHaveBeenCalledTimes(1);
});

it("can be called off, also after its first 25 days", () => {
  const act = vi.fn<() => void>();
  const callOff = atMoment(Date.now() + 60 * DAY_MS, act);
  vi.advanceTimersByTime(40 * DAY_MS);
  callOff();
  vi.advanceTimersByTime(40 * DAY_MS);
  expect(act).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
