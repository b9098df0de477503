/** Computes the equity curve as an SVG path in a box of 100 by 100, and its gain. */
import type { EquityPoint } from "#contract/equity-curve.ts";
import type { Cents } from "#contract/kernel/money.ts";

export interface Drawn {
  path: string;
  lowCents: number;
  highCents: number;
}

/** Share of the box left free above and below the line. */
const MARGIN = 0.08;

/** The path; null when there are fewer than two distinct times. */
export function drawCurve(points: readonly Pick<EquityPoint, "at" | "totalCents">[]): Drawn | null {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last || points.length < 2 || last.at <= first.at) return null;
  const totals = points.map(({ totalCents }) => totalCents);
  const lowCents = Math.min(...totals);
  const highCents = Math.max(...totals);
  const range = Math.max(1, highCents - lowCents);
  const flat = highCents === lowCents;
  const x = (at: number): number => ((at - first.at) / (last.at - first.at)) * 100;
  const y = (total: number): number => (flat ? 50 : (1 - (MARGIN + ((total - lowCents) / range) * (1 - 2 * MARGIN))) * 100);
  const path = points.map(({ at, totalCents }, nth) => `${nth === 0 ? "M" : "L"}${x(at).toFixed(2)} ${y(totalCents).toFixed(2)}`).join("");
  return { path, lowCents, highCents };
}

/** The points with the last one set to the account's current total. */
export function endingAt(points: readonly EquityPoint[], totalCents: Cents): EquityPoint[] {
  return points.map((point, nth) => (nth === points.length - 1 ? { ...point, totalCents } : point));
}

/** The gain over the points: the change of the total, less net deposits. */
export function gainedCents(points: readonly EquityPoint[]): number {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return 0;
  // Deposits before the first point are already in its total.
  return last.totalCents - first.totalCents - points.slice(1).reduce((sum, { paidInCents }) => sum + paidInCents, 0);
}

/** At most `most` points, evenly spaced, including the last one. */
export function thinned<Point>(points: readonly Point[], most: number): Point[] {
  if (points.length <= most) return [...points];
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, nth) => points[Math.round(nth * step)]).filter((point) => point !== undefined);
}
