/** Tests the rules of the broker's own mentors: what they buy and sell is what the screen says, and the same for the same bars. */
import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { decideFor, LONG_MINUTES } from "#server/accounts/mentor-strategy.ts";
import type { HeldByMentor } from "#server/accounts/mentor-strategy.ts";

const at = 100 * HOUR_MS;
const flat = (price: number): number[] => Array.from({ length: LONG_MINUTES }, () => price);
/** Flat, then so much higher or lower in the last minutes. */
const ending = (price: number, minutes: number, end: number): number[] => [...flat(price).slice(minutes), ...flat(end).slice(-minutes)];
const held = (over: Partial<HeldByMentor> = {}): HeldByMentor => ({
  orderNo: "K1",
  code: "0056",
  openedAt: at - HOUR_MS,
  price: 100,
  ...over,
});
const view = (closes: Record<string, number[]>, some: readonly HeldByMentor[] = []) => ({
  at,
  closes: new Map(Object.entries(closes)),
  held: some,
});

describe("the trend follower", () => {
  it("buys what has risen most above its average, one at a time", () => {
    const rising = [...ending(100, 5, 103).slice(0, -1), 104];
    expect(decideFor("trend", view({ "0056": flat(100), "2884": ending(100, 5, 102), "2002": rising }))).toEqual({ sell: [], buy: "2002" });
    expect(decideFor("trend", view({ "0056": flat(100) }))).toEqual({ sell: [], buy: null });
  });

  it("sells below the average, but not in the first half hour, and anything after a day", () => {
    const falling = { "0056": ending(100, 5, 97) };
    expect(decideFor("trend", view(falling, [held()])).sell).toEqual(["K1"]);
    expect(decideFor("trend", view(falling, [held({ openedAt: at - 20 * MINUTE_MS })])).sell).toEqual([]);
    expect(decideFor("trend", view({ "0056": ending(100, 5, 103) }, [held()])).sell).toEqual([]);
    expect(decideFor("trend", view({ "0056": ending(100, 5, 103) }, [held({ openedAt: at - 25 * HOUR_MS })])).sell).toEqual(["K1"]);
  });

  it("holds four at most, and nothing twice", () => {
    const rising = { "2002": [...ending(100, 5, 103).slice(0, -1), 104] };
    const four = ["0056", "00878", "2884", "2883"].map((code, nth) => held({ code, orderNo: `K${nth}` }));
    expect(decideFor("trend", view(rising, four)).buy).toBeNull();
    expect(decideFor("trend", view(rising, [held({ code: "2002" })])).buy).toBeNull();
  });
});

describe("the mean reverter", () => {
  it("buys what lies furthest below its average, at least three in a thousand", () => {
    expect(decideFor("reversion", view({ "0056": ending(100, 5, 98), "2884": ending(100, 5, 97) })).buy).toBe("2884");
    expect(decideFor("reversion", view({ "0056": ending(1_000, 1, 998) })).buy).toBeNull();
  });

  it("sells at the average, or when it gives up", () => {
    expect(decideFor("reversion", view({ "0056": ending(100, 1, 101) }, [held({ price: 99 })])).sell).toEqual(["K1"]);
    expect(decideFor("reversion", view({ "0056": ending(100, 5, 97) }, [held({ price: 98 })])).sell).toEqual([]);
    expect(decideFor("reversion", view({ "0056": ending(100, 5, 97) }, [held({ price: 100 })])).sell).toEqual(["K1"]);
  });
});

it("does nothing with too few bars", () => {
  expect(decideFor("reversion", view({ "0056": [100, 90] }, [held({ price: 200 })]))).toEqual({ sell: [], buy: null });
});
