/** Tests that the breakdown of a profit adds up to it, to the cent, for any position. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { cents, price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import type { Profit } from "#contract/profit.ts";
import { closedLines, openLines, totalLines } from "#src/screens/quote/profit-lines.ts";
import type { ProfitLine } from "#src/screens/quote/profit-lines.ts";
import { orderOf } from "#tests/src/screens/trade/orders.ts";

const sum = (lines: readonly ProfitLine[]): number => lines.reduce((total, line) => total + line.cents, 0);

const anyOrder: fc.Arbitrary<Order> = fc
  .record({
    direction: fc.constantFrom("rise", "fall"),
    lotShares: fc.constantFrom(1, 1_000),
    filledLots: fc.integer({ min: 2, max: 999 }),
    openCents: fc.integer({ min: 1, max: 10_000_000_000 }),
    openFeeCents: fc.nat(1_000_000),
    openTaxCents: fc.nat(1_000_000),
    closeCents: fc.nat(10_000_000_000),
    closeFeeCents: fc.nat(1_000_000),
    closeTaxCents: fc.nat(1_000_000),
    interestCents: fc.nat(1_000_000),
    dividendCents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    lendingCents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
    profitCents: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  })
  .map((each) => orderOf({ ...each, closedLots: Math.floor(each.filledLots / 2) }));

test("open, realised and total breakdowns add up", () => {
  fc.assert(
    fc.property(anyOrder, fc.integer({ min: 1, max: 50_000_000 }), (order, at) => {
      const profit = profitAt(heldOf(order), price(at));
      expect(sum(openLines([order], profit))).toBe(profit.profitCents);
      expect(sum(closedLines(order))).toBe(order.profitCents);
      expect(sum(totalLines(profit))).toBe(profit.profitCents);
    }),
  );
});

test("the breakdown of a position adds up to the profit of its orders", () => {
  fc.assert(
    fc.property(anyOrder, anyOrder, fc.integer({ min: 1, max: 50_000_000 }), (one, other, at) => {
      const orders = [one, { ...other, direction: one.direction }] as const;
      const profits = orders.map((order) => profitAt(heldOf(order), price(at)));
      const total = (field: keyof Profit): number => profits.reduce((amount, profit) => amount + profit[field], 0);
      const both = Object.fromEntries(Object.keys(profits[0] ?? {}).map((field) => [field, total(field as keyof Profit)]));
      const lines = openLines(orders, both as unknown as Profit);
      expect(sum(lines)).toBe(total("profitCents"));
      const fees = orders.map(
        (order) => openLines([order], profitAt(heldOf(order), price(at))).find(({ part }) => part === "openFee")?.cents ?? 0,
      );
      expect(lines.find(({ part }) => part === "openFee")?.cents).toBe(fees.reduce((amount, fee) => amount + fee, 0));
    }),
  );
});

test("fees are always listed, other parts only if not zero", () => {
  const order = orderOf({ interestCents: cents(0) });
  expect(openLines([order], profitAt(heldOf(order), price(10_500_000))).map(({ part }) => part)).toEqual([
    "then",
    "now",
    "openFee",
    "closeFee",
    "closeTax",
  ]);
});
