/** Tests the fan-out: the venue is told that somebody watches when the first viewer joins, not before. */
import { expect, it, vi } from "vitest";
import { createFanOut } from "#server/realtime/fan-out.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";

it("tells the venue that somebody watches once a viewer joins", () => {
  const watched = vi.fn<() => void>();
  const fanOut = createFanOut({ ...stubVenue(3), watched });
  expect(watched).not.toHaveBeenCalled();
  fanOut.join({ writable: () => true, quotes: () => undefined, ranks: () => undefined, channel: () => undefined });
  expect(watched).toHaveBeenCalled();
  fanOut.stop();
});
