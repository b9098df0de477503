/** Tests that every command of the contract is stored and its outcome queried, and that the orders in any command's answer are found. */
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { isCommand } from "#src/actors/request-effects.ts";
import { ordersIn } from "#src/streams/orders.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";

const names = Object.keys(endpoints) as EndpointName[];

test("every endpoint with a requestId is a command, except askOutcome", () => {
  const carrying = names.filter((name) => {
    const schema = z.toJSONSchema(endpoints[name].body, { io: "input", unrepresentable: "any" });
    return Object.hasOwn(schema.properties ?? {}, "requestId");
  });
  expect(carrying).toContain("askOutcome");
  expect(names.filter(isCommand)).toEqual(carrying.filter((name) => name !== "askOutcome"));
  expect(names.filter(isCommand)).toEqual(
    expect.arrayContaining(["placeOrder", "amendOrder", "cancelOrders", "closeOrders", "reverseOrder", "setConditions", "addMargin"]),
  );
  expect(isCommand("nothing")).toBe(false);
});

test("finds the orders in an answer: alone, as properties or in arrays", () => {
  const order = orderOf();
  const other = orderOf({ orderNo: "K100000000002" });
  expect(ordersIn(order)).toEqual([order]);
  expect(ordersIn({ closed: order, opened: other })).toEqual([order, other]);
  expect(ordersIn({ orders: [order, other], refused: [{ orderNo: "K100000000003", code: "TRD_CLOSED_PERIOD", params: {} }] })).toEqual([
    order,
    other,
  ]);
  expect(ordersIn({ order, conditions: [{ orderNo: order.orderNo }] })).toEqual([order]);
  expect(ordersIn(null)).toEqual([]);
});
