/** What lists of quotes are sorted by, and what a tap on a column's head does to it. */
import type { Sorting } from "#src/streams/worker.ts";

/** A column and a direction. */
export type Sort = Pick<Sorting, "by" | "descending">;
export type SortField = Sort["by"];

/** The columns a list can be sorted by, in the order they are shown. */
export const SORT_FIELDS = ["last", "percent", "change", "volume", "turnover", "amplitude"] as const satisfies readonly SortField[];

/** A tap on a head: the largest first, then the smallest first, then the list's own order again. */
export function nextSort(sort: Sort | null, by: SortField): Sort | null {
  if (sort?.by !== by) return { by, descending: true };
  return sort.descending ? { by, descending: false } : null;
}

/** Codes in an order that may be older than they are: what it names and is still there, then what it does not know. */
export function ordered(codes: readonly string[], order: readonly string[]): string[] {
  const left = new Set(codes);
  return [...order.filter((code) => left.delete(code)), ...left];
}

/** What a row shows beside price and percent when its list is sorted by a column: nothing where those say it already. */
export function metricOf(by: SortField | null): SortField | null {
  return by === null || by === "last" || by === "percent" ? null : by;
}
