/** Tests the interval of what is asked for again while it is shown: a hidden page asks for nothing, and one that is seen again asks at once. */
// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { everyWhileVisible } from "#src/streams/while-visible.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function turn(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}

test("it is silent while hidden, due at once when seen again, and ends with its subscription", () => {
  let count = 0;
  const watching = everyWhileVisible(5_000).subscribe(() => (count += 1));
  vi.advanceTimersByTime(4_999);
  expect(count).toBe(0);
  vi.advanceTimersByTime(5_001);
  expect(count).toBe(2);
  turn("hidden");
  vi.advanceTimersByTime(60_000);
  expect(count).toBe(2);
  turn("visible");
  vi.advanceTimersByTime(1);
  expect(count).toBe(3);
  vi.advanceTimersByTime(5_000);
  expect(count).toBe(4);
  watching.unsubscribe();
  turn("visible");
  vi.advanceTimersByTime(60_000);
  expect(count).toBe(4);
});
