/** Tests an order's timeline: everything that happened, in order, and what is still to come. */
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

describe("a timeline", () => {
  test("starts with the order and is sorted by time", () => {
    const timeline = timelineOf(
      detail({
        events: [event(10, "order.amended"), event(40, "order.closeRequested")],
        fills: [fill(30, "open", 2, 1_000), fill(50, "close", 2, 1_100)],
        adjustments: [{ at: START + 35, kind: "split" }],
      }),
      [stop({ setAt: START + 31 })],
    );
    expect(timeline.map(({ kind }) => kind)).toEqual(["placed", "event", "filled", "set", "adjusted", "event", "filled"]);
  });

  test("groups fills at the same time into one entry, at their average price", () => {
    const [, filled] = timelineOf(detail({ fills: [fill(0, "open", 1, 1_000), fill(0, "open", 3, 1_100)] }), []);
    expect(filled).toMatchObject({ kind: "filled", side: "open", lots: 4, each: 1_075 });
  });

  test("lists a fired exit order before the closing it caused, and only the setting of a cancelled one", () => {
    const fired = stop({ status: "fired", endedAt: START + 60 });
    const timeline = timelineOf(detail({ events: [event(60, "order.closeRequested")], fills: [fill(60, "close", 2, 900)] }), [
      fired,
      stop({ status: "cancelled", endedAt: START + 60 }),
    ]);
    expect(timeline.map(({ kind }) => kind)).toEqual(["placed", "set", "set", "fired", "event", "filled"]);
  });

  test("lists the statuses still to come", () => {
    expect((["pending", "holding", "readyToClose", "closed", "cancelled"] as const).map(aheadOf)).toEqual([
      ["holding", "closed"],
      ["closed"],
      ["closed"],
      [],
      [],
    ]);
  });
});
