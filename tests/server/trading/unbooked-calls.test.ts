/** Tests up to when calls are booked: before the first that a later server has to hold. */
import { expect, it } from "vitest";
import { UnbookedCalls } from "#server/trading/matching-engine/unbooked-calls.ts";
import type { CallKind } from "#server/venue/venue.ts";

it("the calls of a hundred and fifty thousand rows hold the mark before the first of them", () => {
  const unbooked = new UnbookedCalls();
  for (let row = 0; row < 150_000; row += 1) unbooked.add({ code: `C${row}`, kind: "opening", at: 5_000 + row });
  expect(unbooked.bookedUntil(1_000_000, 0)).toBe(4_999);
});

it("a new session frees the mark of the calls of the one before", () => {
  const unbooked = new UnbookedCalls();
  unbooked.add({ code: "2330", kind: "closing", at: 5_000 });
  expect(unbooked.bookedUntil(9_000, 4_000)).toBe(4_999);
  expect(unbooked.bookedUntil(9_000, 6_000)).toBe(9_000);
  // It is gone for good.
  expect(unbooked.bookedUntil(9_000, 4_000)).toBe(9_000);
});

const KINDS: [CallKind, number][] = [
  ["opening", 4_999],
  ["closing", 4_999],
  ["periodic", 4_999],
  ["resume", 9_000],
  ["odd", 9_000],
  ["fixed", 9_000],
  ["lateOdd", 9_000],
];
it.each(KINDS)("a call of the kind %s holds the mark only where a later server can hold it", (kind, until) => {
  const unbooked = new UnbookedCalls();
  unbooked.add({ code: "2330", kind, at: 5_000 });
  expect(unbooked.bookedUntil(9_000, 0)).toBe(until);
});
