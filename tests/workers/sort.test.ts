/** Tests sorting: the whole market by any value in both directions, stable, and without allocation per row. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { epochMs } from "#contract/kernel/time.ts";
import { marketOf } from "#workers/table/instrument-table.ts";
import type { ListedMarket } from "#workers/table/instrument-table.ts";
import { SORT_FIELDS } from "#workers/protocol.ts";
import type { SortField } from "#workers/protocol.ts";
import { sortedCodes, sortRows } from "#workers/table/sort.ts";
import { flat, instrument, quote } from "./sample.ts";

const now = epochMs(0);
const venue = { universe: "u", phase: "open", phaseEndsAt: null, opensAt: now, closesAt: now, simulated: true } as const;
const market = (rows: number): ListedMarket =>
  marketOf({ venue, categories: [], instruments: Array.from({ length: rows }, (_, row) => instrument(row)) });

const figures = fc.record({
  last: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 30 }).map((each) => each * 10_000),
  ),
  reference: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 10, max: 20 }).map((each) => each * 10_000),
  ),
  high: fc.integer({ min: 20, max: 40 }).map((each) => each * 10_000),
  low: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 19 }).map((each) => each * 10_000),
  ),
  volume: fc.nat(20),
  turnover: fc.nat(20),
});
type Figures = typeof figures extends fc.Arbitrary<infer Of> ? Of : never;

/** Reference implementation of the sort value; null if there is none. */
function referenceValue(by: SortField, { last, reference, high, low, volume, turnover }: Figures): number | null {
  switch (by) {
    case "last":
      return last > 0 ? last : null;
    case "change":
      return last > 0 && reference > 0 ? last - reference : null;
    case "percent":
      return last > 0 && reference > 0 ? (last - reference) / reference : null;
    case "volume":
      return reference > 0 ? volume : null;
    case "turnover":
      return reference > 0 ? turnover : null;
    case "amplitude":
      return low > 0 && reference > 0 ? (high - low) / reference : null;
  }
}

describe("a sorted list", () => {
  it("is ordered by value, stable, with rows without a value at the end", () => {
    fc.assert(
      fc.property(
        fc.array(figures, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(...SORT_FIELDS),
        fc.boolean(),
        (each, by, descending) => {
          const known = market(each.length);
          known.table.apply(flat(...each.map((of, row) => quote(row, of))), 0);
          const codes = each.map((_, row) => String(1000 + row)).toReversed();
          const wanted = codes
            .map((code) => ({ code, value: referenceValue(by, each[Number(code) - 1000] ?? each[0] ?? ({} as Figures)) }))
            .toSorted((a, b) => {
              if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
              return descending ? b.value - a.value : a.value - b.value;
            })
            .map(({ code }) => code);
          expect(sortedCodes({ codes: [...codes, "none"], by, descending }, known)).toEqual(wanted);
        },
      ),
    );
  });

  it("sorts a market of 20,000 in place", () => {
    const known = market(20_000);
    known.table.apply(flat(...known.instruments.map(({ row }) => quote(row, { volume: (row * 7919) % 20_011 }))), 0);
    const rows = Int32Array.from({ length: 20_000 }, (_, row) => row);
    expect(sortRows(rows, "volume", true, known.table)).toBe(rows);
    const volumes = Array.from(rows, (row) => (row * 7919) % 20_011);
    expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
    expect(new Set(rows).size).toBe(20_000);
  });
});
