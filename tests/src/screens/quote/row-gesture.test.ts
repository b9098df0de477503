/** Tests the gestures of quote rows: a swipe is told from a scroll, and a row rests open or closed. */
import { describe, expect, it } from "vitest";
import { gestureOf, KEYS_PX, restOf, shiftOf } from "#src/screens/quote/row-gesture.ts";

const from = { x: 200, y: 300 };
const by = (x: number, y: number) => ({ x: from.x + x, y: from.y + y });

describe("a movement on a row", () => {
  it("is undecided while it is small", () => {
    expect([gestureOf(from, from), gestureOf(from, by(9, 9)), gestureOf(from, by(-9, 0))]).toEqual(["undecided", "undecided", "undecided"]);
  });

  it("is a swipe when it goes sideways, and else scrolls the list", () => {
    expect([gestureOf(from, by(-12, 5)), gestureOf(from, by(12, -5))]).toEqual(["swipe", "swipe"]);
    expect([gestureOf(from, by(5, 12)), gestureOf(from, by(-11, 11)), gestureOf(from, by(0, -40))]).toEqual(["scroll", "scroll", "scroll"]);
  });
});

describe("a swiped row", () => {
  it("follows the finger, as far as its keys are wide", () => {
    expect([shiftOf(from, by(-30, 4), 0), shiftOf(from, by(-500, 0), 0), shiftOf(from, by(60, 0), 0)]).toEqual([30, KEYS_PX, 0]);
    expect([shiftOf(from, by(30, 0), KEYS_PX), shiftOf(from, by(-30, 0), KEYS_PX)]).toEqual([KEYS_PX - 30, KEYS_PX]);
  });

  it("opens from a third of its keys on, and closes from a third on", () => {
    const third = KEYS_PX / 3;
    expect([restOf(third - 1, 0), restOf(third, 0)]).toEqual([0, KEYS_PX]);
    expect([restOf(KEYS_PX - third + 1, KEYS_PX), restOf(KEYS_PX - third, KEYS_PX)]).toEqual([KEYS_PX, 0]);
  });
});
