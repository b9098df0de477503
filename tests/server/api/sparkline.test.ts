/** Tests sparklines: a session's prices in few points, read once a minute for everybody, and none of a live feed. */
import { describe, expect, test } from "vitest";
import type { Code } from "#contract/kernel/id.ts";
import { epochMs, MINUTE_MS } from "#contract/kernel/time.ts";
import { SPARKLINE_POINTS } from "#contract/sparkline.ts";
import { sparklineHandlers, thinned } from "#server/api/sparkline.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";

const OPENS_AT = 1_000 * MINUTE_MS;
const COUNT = 100;

function handlersOf(simulated = true, count = COUNT) {
  const venue = stubVenue(3);
  const state = venue.state.bind(venue);
  let reads = 0;
  let now = OPENS_AT + 10 * 60 * MINUTE_MS;
  venue.state = (at) => ({ ...state(at), simulated, opensAt: epochMs(OPENS_AT), closesAt: epochMs(OPENS_AT + 1_000 * MINUTE_MS) });
  // Five bars of the session before, then the current one's, closing at 5, 6, 7, …
  venue.candles = async (_code, _period, _before, limit) => {
    reads += 1;
    // Ten hours of bars, and not of the session before.
    expect(limit).toBe(120);
    const bars = Array.from({ length: count }, (_, nth) => [OPENS_AT + (nth - 5) * 5 * MINUTE_MS, nth === 5 ? 2 : 1, 1, 1, nth, 1]);
    return { bars: bars.flat(), more: true };
  };
  const { readSparklines } = sparklineHandlers({ venue, now: () => now });
  const codes = venue.instruments.map(({ code }) => code);
  return {
    codes,
    read: (asked: readonly string[]) => readSparklines({} as Parameters<typeof readSparklines>[0], { codes: asked as Code[] }),
    reads: () => reads,
    pass: (ms: number) => (now += ms),
  };
}

describe("sparklines", () => {
  test("have the prices since the session opened, in few points, the newest included", async () => {
    const { read, codes } = handlersOf();
    const { lines } = await read([codes[0] ?? ""]);
    expect(lines).toHaveLength(1);
    const prices = lines[0]?.prices ?? [];
    expect(prices.length).toBeLessThanOrEqual(SPARKLINE_POINTS);
    expect(prices.length).toBeGreaterThan(SPARKLINE_POINTS / 2);
    // The session's opening price, then closes.
    expect(prices[0]).toBe(2);
    expect(Math.min(...prices.slice(1))).toBeGreaterThanOrEqual(5);
    expect(prices.at(-1)).toBe(COUNT - 1);
    expect(new Set(prices.slice(2).map((price, nth) => price - (prices[nth + 1] ?? 0))).size).toBe(1);
  });

  test("begin with a session's first bar, which has an opening and a price", async () => {
    const { read, codes } = handlersOf(true, 6);
    expect((await read([codes[0] ?? ""])).lines[0]?.prices).toEqual([2, 5]);
    expect((await handlersOf(true, 5).read([codes[0] ?? ""])).lines).toEqual([]);
  });

  test("are read once a minute, however many ask", async () => {
    const { read, reads, pass, codes } = handlersOf();
    await Promise.all([read(codes), read([...codes, ...codes])]);
    expect(reads()).toBe(codes.length);
    pass(MINUTE_MS - 1);
    await read(codes);
    expect(reads()).toBe(codes.length);
    pass(1);
    await read(codes);
    expect(reads()).toBe(2 * codes.length);
  });

  test("leave out unknown codes, and everything on a live feed", async () => {
    expect((await handlersOf().read(["nothing"])).lines).toEqual([]);
    const live = handlersOf(false);
    expect((await live.read(live.codes)).lines).toEqual([]);
    expect(live.reads()).toBe(0);
  });

  test("keep all of few points", () => {
    expect(thinned([1, 2, 3], 4)).toEqual([1, 2, 3]);
    expect(thinned([1, 2, 3, 4, 5], 2)).toEqual([2, 5]);
    expect(thinned([], 2)).toEqual([]);
  });
});
