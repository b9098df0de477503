/** Tests the profit store: every position and the sum match the profit definition of the contract. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { price } from "#contract/kernel/money.ts";
import { positionId, positionsOf } from "#contract/position.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import type { Profit } from "#contract/profit.ts";
import { DAY_TRADES } from "#workers/protocol.ts";
import { ProfitStore } from "#workers/table/profit-store.ts";
import { QuoteTable } from "#workers/table/quote-table.ts";
import { flat, instrument, order, quote } from "./sample.ts";

function setUp(rows = 4) {
  const table = new QuoteTable(rows);
  const instruments = Array.from({ length: rows }, (_, row) => instrument(row));
  const store = new ProfitStore();
  store.use(table, (code) => instruments.find((each) => each.code === code));
  return { table, instruments, store };
}

describe("ProfitStore", () => {
  it("matches the contract to the cent for any positions and prices", () => {
    const positions = fc.array(
      fc.record({ row: fc.nat(3), lots: fc.integer({ min: 1, max: 499 }), closed: fc.nat(498), fall: fc.boolean() }),
      { minLength: 1, maxLength: 12 },
    );
    const prices = fc.array(fc.integer({ min: 100, max: 50_000_000 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(positions, prices, (held, lasts) => {
        const { table, store } = setUp();
        const orders = held.map(({ row, lots, closed, fall }, at) =>
          order(String(1000 + row), lots, {
            orderNo: `K${String(at).padStart(12, "0")}` as OrderNo,
            direction: fall ? "fall" : "rise",
            closedLots: Math.min(closed, lots - 1),
          }),
        );
        store.setPositions(orders);
        table.apply(flat(...lasts.map((last, row) => quote(row, { last }))), 0);
        expect([...store.refresh()].toSorted()).toEqual(
          [...orders.map(({ orderNo }) => orderNo), ...new Set(orders.map(positionId))].toSorted(),
        );
        let profitCents = 0;
        for (const each of orders) {
          const row = Number(each.code) - 1000;
          const expected = profitAt(heldOf(each), price(lasts[row] ?? 0));
          expect(store.profitOf(each.orderNo)).toEqual(expected);
          profitCents += expected.profitCents;
        }
        expect(store.sum()).toMatchObject({ profitCents, priced: orders.length, unpriced: 0 });
        const groups = positionsOf(orders);
        expect(groups.reduce((sum, { id }) => sum + (store.profitOf(id)?.profitCents ?? 0), 0)).toBe(profitCents);
        for (const { id, openCents } of groups) expect(store.profitOf(id)).toMatchObject({ openCents });
      }),
    );
  });

  it("has no sum until the positions are known", () => {
    const { store } = setUp();
    expect(store.sum()).toBeNull();
    store.setPositions([]);
    expect(store.sum()).toMatchObject({ priced: 0, unpriced: 0, profitCents: 0 });
    store.setPositions(null);
    expect(store.sum()).toBeNull();
  });

  it("skips closed positions and counts those without a price", () => {
    const { table, store } = setUp();
    store.setPositions([order("1000", 2, { closedLots: 2 }), order("1001", 1, { orderNo: "K000000000002" as OrderNo })]);
    store.refresh();
    expect(store.has("K000000000001")).toBe(false);
    expect(store.sum()).toMatchObject({ priced: 0, unpriced: 1, profitCents: 0, returnBasisPoints: 0 });
    table.apply(flat(quote(1)), 0);
    expect([...store.refresh()]).toEqual(["K000000000002", "1001:rise:cash"]);
    expect([...store.refresh()]).toEqual([]);
    expect(store.update("K000000000002")).toMatchObject({ price: 10_850_000 });
    expect(store.sum()?.returnBasisPoints).toBe(store.profitOf("K000000000002")?.returnBasisPoints);
  });

  it("adds up the orders of a position, which has no profit without a price", () => {
    const { table, store } = setUp();
    const first = order("1001", 1);
    const second = order("1001", 2, { orderNo: "K000000000002" as OrderNo });
    const short = order("1001", 1, { orderNo: "K000000000003" as OrderNo, direction: "fall" });
    store.setPositions([first, second, short]);
    store.refresh();
    expect(store.update("1001:rise:cash")).toEqual({ key: "1001:rise:cash", price: 0, profit: null });
    table.apply(flat(quote(1)), 0);
    store.refresh();
    const each = [first, second].map((one) => profitAt(heldOf(one), price(10_850_000)));
    const sum = (field: keyof Profit): number => each.reduce((total, one) => total + one[field], 0);
    const invested = sum("openCents") + sum("openCostCents");
    expect(store.update("1001:rise:cash")).toEqual({
      key: "1001:rise:cash",
      price: 10_850_000,
      profit: {
        ...Object.fromEntries(Object.keys(each[0] ?? {}).map((field) => [field, sum(field as keyof Profit)])),
        returnBasisPoints: Math.round((sum("profitCents") / invested) * 10_000),
      },
    });
    // No day trade is open.
    expect(store.profitOf(DAY_TRADES)).toBeNull();
    store.setPositions([first, { ...second, dayTrade: true }, { ...short, dayTrade: true }]);
    store.refresh();
    const days = [second, short].map((one) => profitAt(heldOf(one), price(10_850_000)).profitCents);
    expect(store.profitOf(DAY_TRADES)?.profitCents).toBe((days[0] ?? 0) + (days[1] ?? 0));
    store.setPositions([short]);
    expect(store.has("1001:rise:cash")).toBe(false);
    expect(store.update("1001:rise:cash")).toBeNull();
  });
});
