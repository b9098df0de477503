/** Tests the levels of a member's own trading on a chart: which there are, what they do, and where a drag lands. */
import { describe, expect, it } from "vitest";
import type { Condition } from "#contract/condition.ts";
import type { OrderFill } from "#contract/fill.ts";
import type { Order } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import type { DayLimits } from "#contract/tick.ts";
import { buys, exitOf, fillMarks, landing, ownLevels, shiftedLabels, trailingBy } from "#src/screens/chart/own-level.ts";
import type { OwnLevel } from "#src/screens/chart/own-level.ts";

const order = (to: Partial<Record<keyof Order, unknown>>): Order =>
  ({
    orderNo: "1",
    code: "2330",
    direction: "rise",
    lots: 5,
    lotShares: 1000,
    filledLots: 0,
    closedLots: 0,
    closingLots: 0,
    price: null,
    closePrice: null,
    trigger: null,
    ...to,
  }) as unknown as Order;
const condition = (to: Partial<Record<keyof Condition, unknown>>): Condition =>
  ({
    conditionNo: "C1",
    orderNo: "1",
    code: "2330",
    kind: "stop",
    price: 900_000,
    best: null,
    status: "waiting",
    ...to,
  }) as unknown as Condition;
const nothing = { positions: [], pending: [], held: [], conditions: [] };
const short = (levels: readonly OwnLevel[]) => levels.map(({ what, price, units }) => [what, price, units]);

describe("the levels of an instrument", () => {
  it("are its working orders with their rest; orders at market and other instruments have none", () => {
    const pending = [
      order({ price: 1_000_000, filledLots: 2 }),
      order({ orderNo: "2" }),
      order({ orderNo: "3", code: "2317", price: 1 }),
      order({ orderNo: "4", price: 990_000, trigger: { kind: "stop", price: 1_100_000 }, direction: "fall" }),
    ];
    const levels = ownLevels("2330", { ...nothing, pending });
    expect(short(levels)).toEqual([
      ["open", 1_000_000, 3],
      ["trigger", 1_100_000, 5],
    ]);
    expect(levels.map(buys)).toEqual([true, false]);
  });

  it("are the average of each position, its closing order and its exits", () => {
    const held = [order({ direction: "fall", filledLots: 5, closedLots: 1, closingLots: 2, closePrice: 950_000 })];
    const positions = [
      { id: "p", code: "2330", direction: "fall", averagePrice: 1_001_250, shares: 4_000, orders: held },
    ] as unknown as Position[];
    const conditions = [
      condition({ price: 1_100_000 }),
      condition({ conditionNo: "C2", kind: "takeProfit" }),
      condition({ conditionNo: "C3", kind: "trailing", price: 50_000, best: 940_000 }),
      condition({ conditionNo: "C4", kind: "trailing", price: 50_000 }),
      condition({ conditionNo: "C5", status: "cancelled" }),
      condition({ conditionNo: "C6", orderNo: "gone" }),
    ];
    const levels = ownLevels("2330", { ...nothing, positions, held, conditions });
    expect(short(levels)).toEqual([
      ["average", 1_001_250, 4],
      ["close", 950_000, 2],
      ["stop", 1_100_000, 4],
      ["takeProfit", 900_000, 4],
      ["trailing", 990_000, 4],
    ]);
    // Everything that ends a short buys back.
    expect(levels.slice(1).map(buys)).toEqual([true, true, true, true]);
    expect(levels.map(exitOf)).toEqual([null, null, "stop", "takeProfit", "trailing"]);
  });

  it("counts a position that is not in whole lots by shares", () => {
    const orders = [order({ filledLots: 1 }), order({ filledLots: 5, lotShares: 1 })];
    const positions = [{ id: "p", code: "2330", direction: "rise", averagePrice: 1, shares: 1_005, orders }] as unknown as Position[];
    expect(ownLevels("2330", { ...nothing, positions })).toMatchObject([{ units: 1_005, lotShares: 1 }]);
  });
});

describe("a drag", () => {
  const limits = { down: 954_000, up: 1_165_000 } as unknown as DayLimits;
  const [working, stop] = ownLevels("2330", { ...nothing, pending: [order({ price: 1_000_000 })], conditions: [condition({})] });
  it("lands on a tick, a working order within the day's limits", () => {
    if (!working || !stop) throw new Error("levels are missing");
    const on = { kind: "stock", limits, last: 1_000_000 } as const;
    expect(landing(working, 1_003_777.4, on)).toBe(1_005_000);
    expect(landing(working, 9_990_000, on)).toBe(1_165_000);
    expect(landing(working, 5, on)).toBe(954_000);
    expect(landing(working, 5_000_000, { ...on, limits: null })).toBe(5_000_000);
    // An exit may wait for another day's price, and so may a conditional order.
    expect(landing(stop, 800_300, on)).toBe(800_000);
    expect(landing({ ...working, what: "trigger", order: order({}) }, 800_300, on)).toBe(800_000);
  });

  it("sets the distance of a trailing stop in ticks of the latest price, which it stays on its side of", () => {
    if (!stop) throw new Error("no stop");
    const trailing: OwnLevel = { ...stop, what: "trailing", order: order({}) };
    const on = { kind: "stock", limits, last: 1_000_000 } as const;
    expect([landing(trailing, 962_400, on), trailingBy(trailing, 962_400, "stock", 1_000_000)]).toEqual([960_000, 40_000]);
    expect([landing(trailing, 1_100_000, on), trailingBy(trailing, 1_100_000, "stock", 1_000_000)]).toEqual([995_000, 5_000]);
    const short: OwnLevel = { ...trailing, direction: "fall" };
    expect([landing(short, 1_041_000, on), trailingBy(short, 1_041_000, "stock", 1_000_000)]).toEqual([1_040_000, 40_000]);
    // Before a price is known it lands where it is released.
    expect(landing(trailing, 962_400, { ...on, last: 0 })).toBe(962_000);
  });
});

describe("executions", () => {
  it("are marks of one instrument, one per time, price and side", () => {
    const fill = (to: object): OrderFill =>
      ({ code: "2330", at: 1, price: 5, side: "open", direction: "rise", ...to }) as unknown as OrderFill;
    const fills = [fill({}), fill({}), fill({ direction: "fall" }), fill({ side: "close", at: 2 }), fill({ code: "2317" })];
    expect(fillMarks("2330", fills)).toEqual([
      { at: 1, price: 5, buy: true },
      { at: 1, price: 5, buy: false },
      { at: 2, price: 5, buy: false },
    ]);
  });
});

describe("labels of one height", () => {
  const WIDTHS = [100, 80, 90, 70];
  const shifted = (heights: readonly (number | null)[], room = 1_000): number[] => shiftedLabels(heights, (n) => WIDTHS[n] ?? 0, room);

  it("stand beside each other, and the others at the start", () => {
    expect(shifted([50, 90, 60, null])).toEqual([0, 0, 104, 0]);
    expect(shifted([50, 55, 60, 65])).toEqual([0, 104, 188, 282]);
    expect(shifted([50, 68, 86, 104])).toEqual([0, 0, 0, 0]);
  });

  it("stay within the chart", () => {
    expect(shifted([50, 50, 50], 200)).toEqual([0, 104, 110]);
    expect(shifted([50, 50], 60)).toEqual([0, 0]);
  });
});
