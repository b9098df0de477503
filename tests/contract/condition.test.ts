/** Tests when a trigger is met: at its price, not before it, on the side that its kind and the direction say. */
import { describe, expect, it } from "vitest";
import { entryReached, exitReached, triggerLevel } from "#contract/condition.ts";

const AT = 1_000_000;
const at = (price: number) => ({ last: price, high: price, low: price });

describe("an exit", () => {
  it.each([
    ["stop", "rise", "below"],
    ["takeProfit", "rise", "above"],
    ["stop", "fall", "above"],
    ["takeProfit", "fall", "below"],
  ] as const)("%s of a %s is met at its price and %s it", (kind, direction, side) => {
    const reached = [AT - 1, AT, AT + 1].map((price) => exitReached(kind, direction, AT, null, at(price)));
    expect(reached).toEqual([side === "below", true, side === "above"]);
  });

  it("is met by the extreme that was traded, not only by the last price", () => {
    const range = { last: AT, high: AT + 500, low: AT - 500 };
    expect(exitReached("stop", "rise", AT - 500, null, range)).toBe(true);
    expect(exitReached("stop", "rise", AT - 501, null, range)).toBe(false);
    expect(exitReached("takeProfit", "rise", AT + 500, null, range)).toBe(true);
    expect(exitReached("takeProfit", "rise", AT + 501, null, range)).toBe(false);
  });

  it("trails the best price by its distance", () => {
    expect(triggerLevel("trailing", "rise", 300, AT)).toBe(AT - 300);
    expect(triggerLevel("trailing", "fall", 300, AT)).toBe(AT + 300);
    expect(triggerLevel("stop", "rise", 300, AT)).toBe(300);
    expect(exitReached("trailing", "rise", 300, AT, at(AT - 299))).toBe(false);
    expect(exitReached("trailing", "rise", 300, AT, at(AT - 300))).toBe(true);
    expect(exitReached("trailing", "fall", 300, AT, at(AT + 299))).toBe(false);
    expect(exitReached("trailing", "fall", 300, AT, at(AT + 300))).toBe(true);
  });

  it("that trails is not met before there is a best price", () => {
    expect(triggerLevel("trailing", "rise", 300, null)).toBeNull();
    expect(exitReached("trailing", "rise", 300, null, at(1))).toBe(false);
    expect(exitReached("trailing", "fall", 300, null, at(AT))).toBe(false);
  });
});

describe("an entry", () => {
  it.each([
    ["stop", "rise", "above"],
    ["takeProfit", "rise", "below"],
    ["stop", "fall", "below"],
    ["takeProfit", "fall", "above"],
  ] as const)("%s of a %s is met at its price and %s it", (kind, direction, side) => {
    const reached = [AT - 1, AT, AT + 1].map((price) => entryReached(kind, direction, AT, at(price)));
    expect(reached).toEqual([side === "below", true, side === "above"]);
  });
});
