/** Lists of instruments kept in the order of a value: typed arrays made once, nothing allocated per row. */
import type { SortField, Sorting } from "#workers/protocol.ts";
import { HIGH, LAST, LOW, REFERENCE, TURNOVER, VOLUME } from "./quote-table.ts";
import type { QuoteTable } from "./quote-table.ts";
import type { ListedMarket } from "./instrument-table.ts";

/** What a row without a value sorts by: behind all others, whichever way. */
const NONE = Number.NaN;

/** The number a row is sorted by; NaN where the market has none. */
function sortKey(by: SortField, table: QuoteTable, row: number): number {
  const last = table.get(row, LAST);
  const reference = table.get(row, REFERENCE);
  if (by === "volume" || by === "turnover") return reference > 0 ? table.get(row, by === "volume" ? VOLUME : TURNOVER) : NONE;
  if (by === "amplitude") {
    const low = table.get(row, LOW);
    return low > 0 && reference > 0 ? (table.get(row, HIGH) - low) / reference : NONE;
  }
  if (last <= 0) return NONE;
  if (by === "last") return last;
  if (reference <= 0) return NONE;
  return by === "change" ? last - reference : (last - reference) / reference;
}

let keys = new Float64Array(0);
let places = new Int32Array(0);

/**
 * Put rows in order, in place. Equal ones, and those without a value (which come last), stay as they stood.
 * @returns `rows`
 */
export function sortRows(rows: Int32Array, by: SortField, descending: boolean, table: QuoteTable): Int32Array {
  const { length } = rows;
  if (keys.length < length) {
    keys = new Float64Array(length);
    places = new Int32Array(length);
  }
  const sign = descending ? -1 : 1;
  for (let place = 0; place < length; place++) {
    const key = sign * sortKey(by, table, rows[place] ?? 0);
    keys[place] = Number.isNaN(key) ? Infinity : key;
    places[place] = place;
  }
  const within = places.subarray(0, length);
  within.sort(byKey);
  for (let place = 0; place < length; place++) within[place] = rows[within[place] ?? 0] ?? 0;
  rows.set(within);
  return rows;
}

const byKey = (a: number, b: number): number => {
  const of = keys[a] ?? 0;
  const other = keys[b] ?? 0;
  return of < other ? -1 : of > other ? 1 : a - b;
};

/** The codes of a sorted list in their order; those the venue does not list are left out. */
export function sortedCodes({ codes, by, descending }: Sorting, { table, byCode, instruments }: ListedMarket): string[] {
  const rows = Int32Array.from(codes.map((code) => byCode.get(code)?.row ?? -1).filter((row) => row >= 0));
  sortRows(rows, by, descending, table);
  return Array.from(rows, (row) => instruments[row]?.code ?? "");
}
