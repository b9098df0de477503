/** Proof of how an order's life is told: everything that happened, in the order it did, and what is still ahead. */
import { describe, expect, test } from "vitest";
import type { Condition } from "#contract/condition.ts";
import type { OrderDetail } from "#contract/order.ts";
import { aheadOf, timelineOf } from "#src/screens/trade/order-timeline.ts";
import { orderOf } from "./orders.ts";

const START = 1_700_000_000_000;
const detail = (but: Partial<Record<keyof OrderDetail, unknown>> = {}): OrderDetail =>
  ({ order: orderOf({ placedAt: START }), fills: [], adjustments: [], events: [], ...but }) as unknown as OrderDetail;
const fill = (at: number, side: "open" | "close", lots: number, price: number) => ({ at: START + at, side, lots, price });
const event = (at: number, type: string) => ({ at: START + at, type, lots: 1, price: null, cause: null });
const stop = (but: Partial<Record<keyof Condition, unknown>>): Condition =>
  ({
    conditionNo: "C000000000001",
    kind: "stop",
    price: 1,
    status: "waiting",
    setAt: START,
    endedAt: null,
    ...but,
  }) as unknown as Condition;

describe("a life", () => {
  test("begins with the order and goes by the clock", () => {
    const told = timelineOf(
      detail({
        events: [event(10, "order.amended"), event(40, "order.closeRequested")],
        fills: [fill(30, "open", 2, 1_000), fill(50, "close", 2, 1_100)],
        adjustments: [{ at: START + 35, kind: "split" }],
      }),
      [stop({ setAt: START + 31 })],
    );
    expect(told.map(({ kind }) => kind)).toEqual(["placed", "event", "filled", "set", "adjusted", "event", "filled"]);
  });

  test("tells executions of one moment as one, at their average", () => {
    const [, filled] = timelineOf(detail({ fills: [fill(0, "open", 1, 1_000), fill(0, "open", 3, 1_100)] }), []);
    expect(filled).toMatchObject({ kind: "filled", side: "open", lots: 4, each: 1_075 });
  });

  test("says that a condition fired before it says what that closed, and nothing of one that was cancelled but its setting", () => {
    const fired = stop({ status: "fired", endedAt: START + 60 });
    const told = timelineOf(detail({ events: [event(60, "order.closeRequested")], fills: [fill(60, "close", 2, 900)] }), [
      fired,
      stop({ status: "cancelled", endedAt: START + 60 }),
    ]);
    expect(told.map(({ kind }) => kind)).toEqual(["placed", "set", "set", "fired", "event", "filled"]);
  });

  test("has ahead what its status has not reached", () => {
    expect((["pending", "holding", "readyToClose", "closed", "cancelled"] as const).map(aheadOf)).toEqual([
      ["holding", "closed"],
      ["closed"],
      ["closed"],
      [],
      [],
    ]);
  });
});
