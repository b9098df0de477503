/** Geometry of the shapes a member draws on a chart: places of their points, rays, Fibonacci levels, and what a tap hits. */
import type { Candle } from "#contract/candle.ts";
import { MINUTE_MS, TAIPEI_OFFSET_MS } from "#contract/kernel/time.ts";
import type { ChartPoint, ChartShape } from "#contract/preference.ts";
import { placeAt } from "./bar.ts";

/** A position in the price pane, in CSS pixels. */
export interface Spot {
  x: number;
  y: number;
}

export type Segment = readonly [from: Spot, to: Spot];

/** The mean time between bars, which includes nights and weekends: so many bars pass in a longer time. */
function stepOf(bars: readonly Candle[]): number {
  const span = (bars.at(-1)?.at ?? 0) - (bars[0]?.at ?? 0);
  return span > 0 ? span / (bars.length - 1) : MINUTE_MS;
}

/**
 * The logical index of a time: that of the bar it falls in, so that a point drawn on minutes lies on its day. Outside the loaded bars it
 * is extrapolated by their mean distance: a line keeps its direction, and its point moves to its bar once that bar is loaded.
 */
export function logicalOf(bars: readonly Candle[], at: number): number {
  const first = bars[0]?.at ?? 0;
  const last = bars.at(-1)?.at ?? 0;
  if (at < first) return (at - first) / stepOf(bars);
  if (at > last) return bars.length - 1 + (at - last) / stepOf(bars);
  return placeAt(bars, at + 1) - 1;
}

/** The time at a logical index, the inverse of `logicalOf`: that of the nearest bar, or extrapolated in whole minutes. */
export function momentAt(bars: readonly Candle[], logical: number): number {
  const place = Math.round(logical);
  const bar = bars[place];
  if (bar) return bar.at;
  const at = place < 0 ? (bars[0]?.at ?? 0) + place * stepOf(bars) : (bars.at(-1)?.at ?? 0) + (place - bars.length + 1) * stepOf(bars);
  return Math.max(0, Math.round(at / MINUTE_MS) * MINUTE_MS);
}

/** Where a ray from one spot through another leaves the pane; the second spot if that lies outside already. */
export function rayEnd([from, to]: Segment, width: number, height: number): Spot {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (dx === 0 && dy === 0) return to;
  const edge = dx === 0 ? ((dy > 0 ? height : 0) - from.y) / dy : ((dx > 0 ? width : 0) - from.x) / dx;
  const times = Math.max(1, edge);
  return { x: from.x + dx * times, y: from.y + dy * times };
}

/** Retracements of a move, in thousandths: 0 at its end, 1,000 back at its start. */
export const FIBONACCI = [0, 236, 382, 500, 618, 786, 1_000] as const;

/** The price at each level, in whole ten-thousandths. */
export function fibonacciLevels({ from, to }: Pick<ChartShape, "from" | "to">): { level: number; price: number }[] {
  return FIBONACCI.map((level) => ({ level, price: to.price + Math.round(((from.price - to.price) * level) / 1_000) }));
}

/** How a shape lies in the pane: its lines, and the spots of its two points. */
export interface Outline {
  points: Segment;
  lines: readonly Segment[];
}

/** The outline of a shape; a Fibonacci retracement reaches to the end of the pane. */
export function outlineOf(shape: Omit<ChartShape, "id">, place: (point: ChartPoint) => Spot, width: number, height: number): Outline {
  const { kind } = shape;
  const [from, to] = [place(shape.from), place(shape.to)];
  const points: Segment = [from, to];
  if (kind === "trend") return { points, lines: [points] };
  if (kind === "ray") return { points, lines: [[from, rayEnd(points, width, height)]] };
  if (kind === "rectangle") {
    const corners = [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }, from];
    return { points, lines: corners.slice(1).map((corner, at): Segment => [corners[at] ?? corner, corner]) };
  }
  const start = Math.min(from.x, to.x);
  const lines = fibonacciLevels(shape).map(({ price }): Segment => {
    const { y } = place({ at: shape.to.at, price });
    return [
      { x: start, y },
      { x: Math.max(width, from.x, to.x), y },
    ];
  });
  return { points, lines };
}

/** The distance of a spot from a segment. */
export function distanceTo({ x, y }: Spot, [from, to]: Segment): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / length));
  return Math.hypot(x - from.x - along * dx, y - from.y - along * dy);
}

/** The text of a time in a date and time field, in Taipei time. */
export const fieldOf = (at: number): string => new Date(at + TAIPEI_OFFSET_MS).toISOString().slice(0, 16);

/** The time that a date and time field says, in Taipei time; null if it says none. */
export function timeIn(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}:00Z`) - TAIPEI_OFFSET_MS : NaN;
  return at >= 0 ? at : null;
}
