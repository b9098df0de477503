/** Tests the quote table: the newest quote of each instrument is kept, for any order and repetition of quotes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import { LAST, QuoteTable, SEQ } from "#workers/table/quote-table.ts";
import { flat, quote } from "./sample.ts";

describe("the quote table", () => {
  it("applies newer quotes and drops older and repeated ones", () => {
    const table = new QuoteTable(3);
    expect(table.apply(flat(quote(1, { seq: 5, last: 500 })), 0)).toBe(1);
    expect(table.apply(flat(quote(1, { seq: 5, last: 501 }), quote(1, { seq: 4, last: 400 })), 0)).toBe(0);
    expect(table.get(1, LAST)).toBe(500);
  });

  it("applies quotes of a restarted server, which it detects by the clock", () => {
    const table = new QuoteTable(1);
    table.apply(flat(quote(0, { seq: 900, at: 1000 })), 0);
    table.apply(flat(quote(0, { seq: 1, at: 2000, last: 77 })), 0);
    expect(table.get(0, LAST)).toBe(77);
  });

  it("applies quotes of another server, whose numbers and clock may be behind, once a new stream begins", () => {
    const table = new QuoteTable(1);
    table.apply(flat(quote(0, { seq: 900, at: 1000, last: 70 })), 0);
    const other = flat(quote(0, { seq: 3, at: 1000, last: 71 }));
    expect(table.apply(other, 0)).toBe(0);
    table.newStream();
    expect(table.apply(other, 0)).toBe(1);
    expect(table.apply(flat(quote(0, { seq: 2, at: 1000, last: 60 })), 0)).toBe(0);
    expect(table.get(0, LAST)).toBe(71);
  });

  it("skips the batch header, unknown rows and an incomplete quote at the end", () => {
    const table = new QuoteTable(1);
    const batch = [7, 1_700_000_000_000, ...flat(quote(0, { last: 1 }), quote(9)), 0, 2];
    expect(table.apply(batch, 2)).toBe(1);
    expect(table.flat(0)).toEqual(flat(quote(0, { last: 1 })));
  });

  it("marks each changed row once until the marks are cleared", () => {
    const table = new QuoteTable(2);
    table.apply(flat(quote(1, { seq: 1 }), quote(1, { seq: 2 })), 0);
    expect([table.isMarked(0), table.isMarked(1), table.anyMarked]).toEqual([false, true, true]);
    table.clearMarks();
    expect([table.isMarked(1), table.anyMarked]).toEqual([false, false]);
  });

  it("ends with the newest quote of every row, however quotes are conflated, repeated and reordered", () => {
    const ticks = fc.array(fc.record({ row: fc.nat(4), last: fc.integer({ min: 1, max: 1e9 }) }), { maxLength: 60 });
    fc.assert(
      fc.property(ticks, fc.infiniteStream(fc.nat()), (moves, chance) => {
        const sent = moves.map((move, at) => quote(move.row, { seq: at + 1, at: 1000 + at, last: move.last }));
        const newest = new Map(sent.map((each) => [each.row, each]));
        // In any order, some repeated, some dropped; the newest of a row always arrives.
        const shuffled = sent
          .filter((each) => newest.get(each.row) === each || Number(chance.next().value) % 3 > 0)
          .flatMap((each) => (Number(chance.next().value) % 4 === 0 ? [each, each] : [each]))
          .toSorted(() => (Number(chance.next().value) % 2 ? 1 : -1));
        const table = new QuoteTable(5);
        for (const each of shuffled) table.apply(flat(each), 0);
        for (const [row, each] of newest) expect([table.get(row, SEQ), table.get(row, LAST)]).toEqual([each.seq, each.last]);
        expect(table.values.length).toBe(5 * QUOTE_STRIDE);
      }),
    );
  });
});
