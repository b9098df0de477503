/** Cursors of pages that end at a number. */
import { Refusal } from "#server/kernel/refusal.ts";

/** The number of a cursor; null for the first page. @throws Refusal GEN_PARAM_ERROR when it is not one of ours */
export function readCursor(cursor: string | null): number | null {
  if (cursor === null) return null;
  if (!/^\d{1,12}$/.test(cursor)) throw new Refusal("GEN_PARAM_ERROR", {}, "cursor");
  return Number(cursor);
}
