/** Tests cell updates: only changed cells on screen are sent, with direction and flash. */
import { describe, expect, it } from "vitest";
import { CellDiff } from "#workers/table/cell-diff.ts";
import { ProfitStore } from "#workers/table/profit-store.ts";
import { CELL_FIELDS, TOTAL } from "#workers/protocol.ts";
import type { CellField } from "#workers/protocol.ts";
import { QuoteTable } from "#workers/table/quote-table.ts";
import { unitsOf } from "#workers/short-number.ts";
import { flat, instrument, order, quote } from "./sample.ts";

const field = (name: CellField): number => CELL_FIELDS.indexOf(name);
const UP = 1;
const FLASH_UP = 1 << 2;
const FLASH_DOWN = 2 << 2;

function setUp() {
  const cells = new CellDiff();
  const table = new QuoteTable(3);
  const instruments = [0, 1, 2].map((row) => instrument(row));
  const profits = new ProfitStore();
  const of = (code: string) => instruments.find((each) => each.code === code);
  profits.use(table, of);
  const frame = (): (number | string)[] => {
    const out: (number | string)[] = [];
    cells.collectQuotes(out, table, of, unitsOf("en"));
    profits.refresh();
    cells.collectProfits(out, profits);
    table.clearMarks();
    return out;
  };
  return { cells, table, profits, frame };
}

describe("the cells on screen", () => {
  it("are sent when mounted and then only when changed", () => {
    const { cells, table, frame } = setUp();
    table.apply(flat(quote(0), quote(1)), 0);
    cells.mount([7, "1000", field("last"), 8, "1000", field("reference")]);
    expect(frame()).toEqual([7, "1,085.00", UP, 8, "1,065.00", 0]);
    expect(frame()).toEqual([]);
    table.apply(flat(quote(0, { seq: 2, last: 10_900_000 }), quote(1, { seq: 2 })), 0);
    expect(frame()).toEqual([7, "1,090.00", UP | FLASH_UP]);
    table.apply(flat(quote(0, { seq: 3, last: 10_850_000 })), 0);
    expect(frame()).toEqual([7, "1,085.00", UP | FLASH_DOWN]);
  });

  it("do not flash at their first price, after an empty value, or when only the volume changed", () => {
    const { cells, table, frame } = setUp();
    cells.mount([7, "1000", field("last"), 8, "1000", field("volume")]);
    expect(frame()).toEqual([7, "--", 0, 8, "--", 0]);
    table.apply(flat(quote(0)), 0);
    expect(frame()).toEqual([7, "1,085.00", UP, 8, "28,413", 0]);
    table.apply(flat(quote(0, { seq: 2, volume: 28_500 })), 0);
    expect(frame()).toEqual([8, "28,500", 0]);
  });

  it("are not sent after unmounting, and sent in full after remounting or when the table is replaced", () => {
    const { cells, table, frame } = setUp();
    table.apply(flat(quote(0)), 0);
    cells.mount([7, "1000", field("last")]);
    frame();
    cells.unmount([7]);
    table.apply(flat(quote(0, { seq: 2, last: 10_900_000 })), 0);
    expect(frame()).toEqual([]);
    expect([...cells.keys()]).toEqual([]);
    cells.mount([7, "1000", field("last")]);
    expect(frame()).toEqual([7, "1,090.00", UP]);
    cells.markAllUnsent();
    expect(frame()).toEqual([7, "1,090.00", UP]);
  });

  it("are not sent for an unknown instrument until the table contains it", () => {
    const { cells, table, frame } = setUp();
    cells.mount([7, "9999", field("last"), 8, "1001", 99]);
    table.apply(flat(quote(0)), 0);
    expect(frame()).toEqual([]);
    expect(cells.anyUnsent).toBe(true);
  });

  it("show profits that change with the price", () => {
    const { cells, table, profits, frame } = setUp();
    table.apply(flat(quote(0)), 0);
    const held = order("1000", 1);
    cells.mount([1, held.orderNo, field("profit"), 2, TOTAL, field("profit")]);
    frame();
    profits.setPositions([held]);
    const [, first] = frame();
    expect(first).toMatch(/^\+\d/);
    table.apply(flat(quote(0, { seq: 2, last: 10_000_000 })), 0);
    const second = frame();
    expect(second[1]).toMatch(/^−\d/);
    expect([second[2], second[4]]).toEqual([2, second[1]]);
  });

  it("show no total until the positions and one price are known, and 0.00 for a member without positions", () => {
    const { cells, table, profits, frame } = setUp();
    cells.mount([1, TOTAL, field("profit"), 2, TOTAL, field("marketValue")]);
    expect(frame()).toEqual([1, "--", 0, 2, "--", 0]);
    profits.setPositions([order("1000", 1)]);
    expect(frame()).toEqual([]);
    table.apply(flat(quote(0)), 0);
    expect(frame()).toEqual([1, expect.stringMatching(/^\+\d/), UP, 2, "1,085,000.00", 0]);
    profits.setPositions([]);
    expect(frame()).toEqual([1, "0.00", 0, 2, "0.00", 0]);
    profits.setPositions(null);
    expect(frame()).toEqual([1, "--", 0, 2, "--", 0]);
  });
});
