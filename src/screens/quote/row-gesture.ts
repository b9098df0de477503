/** The gestures of quote rows as pure decisions: a swipe to the side, a long press, or neither. */

/** Movement below this is a tap or a press. */
const SLOP_PX = 10;
/** Held this long without moving, it is a long press. */
export const LONG_PRESS_MS = 500;
/** The width of the two keys that a swipe uncovers. */
export const KEYS_PX = 144;
/** A swipe that uncovered less of them closes again. */
const OPEN_FROM_PX = KEYS_PX / 3;

export interface Point {
  x: number;
  y: number;
}

/** What a movement from `from` to `to` is so far. A vertical one belongs to the list, which scrolls. */
export function gestureOf(from: Point, to: Point): "undecided" | "swipe" | "scroll" {
  const [x, y] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  if (Math.max(x, y) < SLOP_PX) return "undecided";
  return x > y ? "swipe" : "scroll";
}

/** How far the row is moved aside, from where it was: never beyond its keys, and never the other way. */
export function shiftOf(from: Point, to: Point, before: number): number {
  return Math.min(KEYS_PX, Math.max(0, before + from.x - to.x));
}

/** Where a released row comes to rest. */
export const restOf = (shift: number, before: number): number =>
  (before === 0 ? shift >= OPEN_FROM_PX : shift > KEYS_PX - OPEN_FROM_PX) ? KEYS_PX : 0;
