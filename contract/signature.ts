/** Signatures drawn by finger, pen or mouse: strokes of points. */
import * as z from "zod/mini";

/** A drawn signature is strokes of points in a box of this size. */
export const SIGNATURE_WIDTH = 600;
export const SIGNATURE_HEIGHT = 200;
const MAX_STROKES = 60;
const MAX_POINTS = 600;
/** The whole line of a drawn signature must be at least this long, in units of the box: a dot is no signature. */
const SIGNATURE_LEAST = 120;

const Point = z.tuple([z.int().check(z.minimum(0), z.maximum(SIGNATURE_WIDTH)), z.int().check(z.minimum(0), z.maximum(SIGNATURE_HEIGHT))]);
export const Strokes = z.array(z.array(Point).check(z.maxLength(MAX_POINTS))).check(z.maxLength(MAX_STROKES));
export type Strokes = z.infer<typeof Strokes>;

/** The length of all strokes together, in units of the box. */
function strokeLength(strokes: Strokes): number {
  return strokes.reduce(
    (sum, stroke) =>
      sum + stroke.slice(1).reduce((part, [x, y], at) => part + Math.hypot(x - (stroke[at]?.[0] ?? x), y - (stroke[at]?.[1] ?? y)), 0),
    0,
  );
}

/** Whether a signature is drawn far enough to be one. */
export const isSignature = (strokes: Strokes): boolean => strokeLength(strokes) >= SIGNATURE_LEAST;
