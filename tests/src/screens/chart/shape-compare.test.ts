/** Tests shapes on a chart that compares: its axis shows percent, and every point stays at its price. */
import { expect, test } from "vitest";
import type { Candle } from "#contract/candle.ts";
import type { ChartPoint } from "#contract/preference.ts";
import { PriceAxis } from "#src/screens/chart/axis.ts";
import { ShapeOverlay } from "#src/screens/chart/shape-overlay.ts";

const bars = [0, 1, 2, 3].map((at): Candle => ({ at: at * 60_000, open: 1, high: 1, low: 1, close: 1, volume: 1 }));
/** Pixels per percent, or per currency unit. */
const SCALE = 7;

function overlayOn(axis: PriceAxis): ShapeOverlay {
  const parts = {
    chart: { timeScale: () => ({ logicalToCoordinate: (logical: number) => 10 + logical * 5 }) },
    series: { priceToCoordinate: (drawn: number) => -drawn * SCALE, coordinateToPrice: (y: number) => -y / SCALE },
    axis,
    bars: () => bars,
  };
  return new ShapeOverlay(parts as unknown as ConstructorParameters<typeof ShapeOverlay>[0], 2);
}

test("a point lies at its price in percent since the base, follows another base, and comes back from its spot", () => {
  const axis = new PriceAxis();
  const overlay = overlayOn(axis);
  const point: ChartPoint = { at: 60_000, price: 11_005_000 };
  expect(overlay.spotOf(point)).toEqual({ x: 15, y: -1_100.5 * SCALE });
  for (const base of [10_000_000, 8_804_000]) {
    axis.setBase(base);
    const spot = overlay.spotOf(point);
    expect(spot.y).toBeCloseTo((-(11_005_000 - base) / base) * 100 * SCALE, 1);
    expect(overlay.pointAt(spot)?.at).toBe(point.at);
    // Within half of the smallest tick, so that it snaps to the same one.
    expect(Math.abs((overlay.pointAt(spot)?.price ?? 0) - point.price)).toBeLessThan(1_000);
  }
});

test("a straight line stays straight: its middle is at the middle of its prices", () => {
  const axis = new PriceAxis();
  axis.setBase(9_870_000);
  const overlay = overlayOn(axis);
  const [low, middle, high] = [10_000_000, 10_500_000, 11_000_000].map((price) => overlay.spotOf({ at: 0, price }).y);
  expect(middle).toBeCloseTo(((low ?? 0) + (high ?? 0)) / 2, 1);
});

test("a point moves by bars, and past the newest one in their distance", () => {
  const overlay = overlayOn(new PriceAxis());
  const point = { at: 60_000, price: 1 };
  expect([-1, 1, 2, 4].map((by) => overlay.later(point, by).at)).toEqual([0, 120_000, 180_000, 300_000]);
});
