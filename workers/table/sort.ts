/** Sorts lists of instruments by a value, with reused typed arrays and no allocation per row. */
import type { SortField, Sorting } from "#workers/protocol.ts";
import { HIGH, LAST, LOW, REFERENCE, TURNOVER, VOLUME } from "./quote-table.ts";
import type { QuoteTable } from "./quote-table.ts";
import type { ListedMarket } from "./instrument-table.ts";

/** Sort key of a row without a value: after all others in both directions. */
const NONE = Number.NaN;

/** The value a row is sorted by; NaN if there is none. */
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
 * Sorts rows in place and stably; rows without a value come last.
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
  const order = places.subarray(0, length);
  order.sort(byKey);
  for (let place = 0; place < length; place++) order[place] = rows[order[place] ?? 0] ?? 0;
  rows.set(order);
  return rows;
}

const byKey = (a: number, b: number): number => {
  const left = keys[a] ?? 0;
  const right = keys[b] ?? 0;
  return left < right ? -1 : left > right ? 1 : a - b;
};

/** The codes of a list in sorted order; codes the venue does not list are omitted. */
export function sortedCodes({ codes, by, descending }: Sorting, { table, byCode, instruments }: ListedMarket): string[] {
  const rows = Int32Array.from(codes.map((code) => byCode.get(code)?.row ?? -1).filter((row) => row >= 0));
  sortRows(rows, by, descending, table);
  return Array.from(rows, (row) => instruments[row]?.code ?? "");
}
