/** Tests volume by price: the exact total, the right ticks, and the session's pages. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { toTick } from "#contract/tick.ts";
import { readVolumeByPrice, volumeByPrice } from "#workers/chart/volume-by-price.ts";

const MINUTE = 60_000;
const minute = (at: number, low: number, high: number, close: number, volume: number): number[] => [
  at * MINUTE,
  close,
  high,
  low,
  close,
  volume,
];

describe("volume by price", () => {
  it("spreads a minute over its ticks; the rest counts at its close", () => {
    const bars = [...minute(1, 1_000_000, 1_010_000, 1_005_000, 11), ...minute(2, 1_005_000, 1_005_000, 1_005_000, 4)];
    expect(
      volumeByPrice(
        bars.map((value) => value),
        "stock",
        0,
      ),
    ).toEqual({
      from: MINUTE,
      to: 3 * MINUTE,
      total: 15,
      prices: [
        [1_010_000, 3],
        [1_005_000, 9],
        [1_000_000, 3],
      ],
    });
  });

  it("counts only the session, and names its period", () => {
    const bars = [...minute(1, 1_000_000, 1_000_000, 1_000_000, 7), ...minute(5, 1_000_000, 1_000_000, 1_000_000, 2)];
    expect(volumeByPrice(bars, "stock", 2 * MINUTE)).toMatchObject({ from: 5 * MINUTE, to: 6 * MINUTE, total: 2 });
    expect(volumeByPrice([], "stock", 0)).toEqual({ from: 0, to: 0, total: 0, prices: [] });
  });

  it("keeps the total, and every price on a tick within its minutes", () => {
    const one = fc
      .record({
        low: fc.integer({ min: 10_000, max: 2_000_000 }),
        span: fc.integer({ min: 0, max: 40_000 }),
        part: fc.double({ min: 0, max: 1, noNaN: true }),
        volume: fc.nat(5_000),
      })
      .map(({ low, span, part, volume }) => {
        const [bottom, top] = [toTick("stock", low), toTick("stock", low + span)];
        return minute(1, bottom, top, toTick("stock", bottom + (top - bottom) * part), volume);
      });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), (minutes) => {
        const { total, prices } = volumeByPrice(minutes.flat(), "stock", 0);
        expect(prices.reduce((sum, [, lots]) => sum + lots, 0)).toBe(total);
        expect(total).toBe(minutes.reduce((sum, bar) => sum + (bar[5] ?? 0), 0));
        for (const [price] of prices) {
          expect(toTick("stock", price)).toBe(price);
          expect(minutes.some((bar) => (bar[3] ?? 0) <= price && price <= (bar[2] ?? 0))).toBe(true);
        }
      }),
    );
  });

  it("reads pages back to the start of the session", async () => {
    const bars = vi.fn(async (_code: string, _period: string, before: number | null) =>
      before === null
        ? { bars: minute(9, 1_000_000, 1_000_000, 1_000_000, 1), more: true }
        : { bars: minute(5, 1_000_000, 1_000_000, 1_000_000, 1), more: true },
    );
    const read = await readVolumeByPrice({ bars, actions: async () => [] }, "2330", "stock", 5 * MINUTE);
    expect(read).toMatchObject({ total: 2, from: 5 * MINUTE });
    expect(bars).toHaveBeenCalledTimes(2);
  });
});
