/** Tests the order filters and the actions an order's status allows. */
import { describe, expect, test } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { liquidationPrice } from "#contract/profit.ts";
import { liquidationAfter } from "#src/screens/trade/add-margin-sheet.tsx";
import { orderActions } from "#src/screens/trade/order-actions.tsx";
import { NO_FILTER, filterWords, passes } from "#src/screens/trade/filter.ts";
import { restingOf } from "#src/screens/trade/resting-order.ts";
import { orderOf } from "./orders.ts";

describe("filters", () => {
  const orders = [orderOf(), orderOf({ code: "2317", direction: "fall" }), orderOf({ code: "2317", funding: "leverage", leverage: 3 })];

  test("pass orders that match every field", () => {
    const shown = (filter: Parameters<typeof passes>[0]) => orders.map((order) => passes(filter, order));
    expect(shown(NO_FILTER)).toEqual([true, true, true]);
    expect(shown({ ...NO_FILTER, code: "2317" })).toEqual([false, true, true]);
    expect(shown({ code: "2317", direction: "rise", funding: "leverage" })).toEqual([false, false, true]);
  });

  test("offer only values that differ, or are already chosen", () => {
    expect(filterWords(orders, NO_FILTER)).toEqual({
      directions: ["rise", "fall"],
      fundings: ["cash", "leverage"],
      codes: ["2317", "2330"],
    });
    const alone = orders.slice(0, 1);
    expect(filterWords(alone, NO_FILTER)).toEqual({ directions: [], fundings: [], codes: [] });
    expect(filterWords(alone, { ...NO_FILTER, funding: "margin" }).fundings).toEqual(["cash", "margin"]);
  });
});

test("a status allows the actions its state machine accepts", () => {
  expect(orderActions(orderOf({ status: "pending" }))).toEqual(["amend", "exits", "cancel"]);
  expect(orderActions(orderOf())).toEqual(["close", "exits", "reverse"]);
  expect(orderActions(orderOf({ funding: "leverage" }))).toContain("addMargin");
  expect(orderActions(orderOf({ status: "readyToClose" }))).not.toContain("close");
  expect([...orderActions(orderOf({ status: "closed" })), ...orderActions(orderOf({ status: "cancelled" }))]).toEqual([]);
});

test("the resting part is amended", () => {
  expect(restingOf(orderOf({ status: "pending", lots: 5 }))).toEqual({ lots: 5, price: 10_000_000 });
  expect(restingOf(orderOf({ status: "readyToClose", closingLots: 1, closePrice: 11_000_000 }))).toEqual({ lots: 1, price: 11_000_000 });
});

test("added margin moves the liquidation price away, for a long and a short", () => {
  const terms = { ...orderOf().terms, ownPerMillion: 333_334, maintenancePerMillion: 166_667 };
  const long = orderOf({ terms, loanCents: cents(133_000_000) });
  expect(liquidationAfter(long, 100_000)).toBeLessThan(Number(liquidationPrice(long)));
  // More than the loan: nothing is owed any more.
  expect(liquidationAfter(long, 9_000_000)).toBe(0);
  const short = orderOf({ terms, direction: "fall", collateralCents: cents(266_000_000) });
  expect(liquidationAfter(short, 100_000)).toBeGreaterThan(Number(liquidationPrice(short)));
});
