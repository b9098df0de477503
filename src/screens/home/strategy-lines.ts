/** Computes the two lines of a back-test as SVG paths in a box of 100 by 100. */
import { CURVE_STRIDE } from "#contract/strategy.ts";

export interface CurvePoint {
  at: number;
  /** Values in cents: of the strategy, and of having held instead. */
  own: number;
  held: number;
}

/** Share of the box left free above and below. */
const MARGIN = 0.06;

/** At most `most` points of a flat curve, evenly spaced, including the last one. */
export function thinPoints(curve: readonly number[], most: number): CurvePoint[] {
  const count = Math.floor(curve.length / CURVE_STRIDE);
  const shown = Math.min(count, most);
  return Array.from({ length: shown }, (_, nth) => {
    const point = shown < 2 ? 0 : Math.round((nth * (count - 1)) / (shown - 1));
    const [at = 0, own = 0, held = 0] = curve.slice(point * CURVE_STRIDE, (point + 1) * CURVE_STRIDE);
    return { at, own, held };
  });
}

/** The paths of both values on one scale, so that the lines can be compared. */
export function drawLines(points: readonly CurvePoint[]): [own: string, held: string] {
  const values = points.flatMap(({ own, held }) => [own, held]);
  const low = Math.min(...values);
  const range = Math.max(1, Math.max(...values) - low);
  const x = (nth: number): string => (points.length < 2 ? 0 : (nth / (points.length - 1)) * 100).toFixed(2);
  const y = (value: number): string => ((1 - MARGIN - ((value - low) / range) * (1 - 2 * MARGIN)) * 100).toFixed(2);
  const path = (of: (point: CurvePoint) => number): string =>
    points.map((point, nth) => `${nth === 0 ? "M" : "L"}${x(nth)} ${y(of(point))}`).join("");
  return [path(({ own }) => own), path(({ held }) => held)];
}
