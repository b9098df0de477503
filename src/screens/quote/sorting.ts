/** Sorting of quote lists by column. */
import type { Sorting } from "#src/streams/worker.ts";

/** A column and a direction. */
export type Sort = Pick<Sorting, "by" | "descending">;
export type SortField = Sort["by"];

/** The columns a list can be sorted by, in the order they are shown. */
export const SORT_FIELDS = ["last", "percent", "change", "volume", "turnover", "amplitude"] as const satisfies readonly SortField[];

/** The sort after a tap on a column header: descending, then ascending, then the list's own order. */
export function nextSort(sort: Sort | null, by: SortField): Sort | null {
  if (sort?.by !== by) return { by, descending: true };
  return sort.descending ? { by, descending: false } : null;
}

/** Applies a possibly outdated order to codes: known codes first in that order, then the others. */
export function ordered(codes: readonly string[], order: readonly string[]): string[] {
  const left = new Set(codes);
  return [...order.filter((code) => left.delete(code)), ...left];
}

/** The value below a row's name when its list is sorted by a column: that column, or the volume where the price column shows it already. */
export function metricOf(by: SortField | null): SortField {
  return by === "turnover" || by === "amplitude" ? by : "volume";
}
