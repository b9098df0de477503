/** Proof of what a list shows and hides, and of what an order's status lets be done with it. */
import { describe, expect, test } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { liquidationPrice } from "#contract/profit.ts";
import { liquidationAfter } from "#src/screens/trade/add-margin-sheet.tsx";
import { restingOf } from "#src/screens/trade/amend-sheet.tsx";
import { orderActions } from "#src/screens/trade/order-actions.tsx";
import { NO_FILTER, filterWords, passes } from "#src/screens/trade/filter.ts";
import { orderOf } from "./orders.ts";

describe("filters", () => {
  const orders = [orderOf(), orderOf({ code: "2317", direction: "fall" }), orderOf({ code: "2317", funding: "leverage", leverage: 3 })];

  test("let through what fits every word", () => {
    const shown = (filter: Parameters<typeof passes>[0]) => orders.map((order) => passes(filter, order));
    expect(shown(NO_FILTER)).toEqual([true, true, true]);
    expect(shown({ ...NO_FILTER, code: "2317" })).toEqual([false, true, true]);
    expect(shown({ code: "2317", direction: "rise", funding: "leverage" })).toEqual([false, false, true]);
  });

  test("offer only what tells the orders apart, or is chosen already", () => {
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

test("a status lets be done what its machine can take", () => {
  expect(orderActions(orderOf({ status: "pending" }))).toEqual(["amend", "exits", "cancel"]);
  expect(orderActions(orderOf())).toEqual(["close", "exits", "reverse"]);
  expect(orderActions(orderOf({ funding: "leverage" }))).toContain("addMargin");
  expect(orderActions(orderOf({ status: "readyToClose" }))).not.toContain("close");
  expect([...orderActions(orderOf({ status: "closed" })), ...orderActions(orderOf({ status: "cancelled" }))]).toEqual([]);
});

test("what is amended is what rests", () => {
  expect(restingOf(orderOf({ status: "pending", lots: 5 }))).toEqual({ lots: 5, price: 10_000_000 });
  expect(restingOf(orderOf({ status: "readyToClose", closingLots: 1, closePrice: 11_000_000 }))).toEqual({ lots: 1, price: 11_000_000 });
});

test("added margin moves the liquidation price away, whichever way the position lies", () => {
  const terms = { ...orderOf().terms, ownPerMillion: 333_334, maintenancePerMillion: 166_667 };
  const rise = orderOf({ terms, loanCents: cents(133_000_000) });
  expect(liquidationAfter(rise, 100_000)).toBeLessThan(Number(liquidationPrice(rise)));
  // More than is borrowed: nothing is owed any more.
  expect(liquidationAfter(rise, 9_000_000)).toBe(0);
  const fall = orderOf({ terms, direction: "fall", collateralCents: cents(266_000_000) });
  expect(liquidationAfter(fall, 100_000)).toBeGreaterThan(Number(liquidationPrice(fall)));
});
