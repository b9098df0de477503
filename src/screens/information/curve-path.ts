/** The line of an account over time, as a path in a box of 100 by 100. */
import type { EquityPoint } from "#contract/equity-curve.ts";
import type { Cents } from "#contract/kernel/money.ts";

export interface Drawn {
  path: string;
  lowCents: number;
  highCents: number;
}

/** How much of the range is left free above and below, so that a calm account is a line in the middle. */
const MARGIN = 0.08;

/** The path; null when there are not two points to draw through. */
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

/** The points with the last of them at what the account is worth since they were read. */
export function endingAt(points: readonly EquityPoint[], totalCents: Cents): EquityPoint[] {
  return points.map((point, nth) => (nth === points.length - 1 ? { ...point, totalCents } : point));
}

/** What was gained over the points: the change, less what came in from outside. */
export function gainedCents(points: readonly EquityPoint[]): number {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return 0;
  // What came in before the first point is no change of these.
  return last.totalCents - first.totalCents - points.slice(1).reduce((sum, { paidInCents }) => sum + paidInCents, 0);
}

/** At most so many points, evenly taken, with the last one. */
export function thinned<Point>(points: readonly Point[], most: number): Point[] {
  if (points.length <= most) return [...points];
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, nth) => points[Math.round(nth * step)]).filter((point) => point !== undefined);
}
