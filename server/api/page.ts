/** Pages of a list: reads their cursors, and cuts what was read. */
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { Refusal } from "#server/kernel/refusal.ts";

/** The cursor; null for the first page. @throws Refusal GEN_PARAM_ERROR when it is not one of ours */
export function checkCursor(cursor: string | null, pattern: RegExp): string | null {
  if (cursor !== null && !pattern.test(cursor)) throw new Refusal("GEN_PARAM_ERROR", {}, "cursor");
  return cursor;
}

/** The number in a cursor of `letter` and a number; null for the first page. @throws Refusal GEN_PARAM_ERROR when it is not one of ours */
export function readCursor(cursor: string | null, letter = ""): number | null {
  if (cursor === null) return null;
  const digits = cursor.startsWith(letter) ? cursor.slice(letter.length) : "";
  return Number(checkCursor(digits, /^\d{1,12}$/));
}

/** The first page of rows that were read one too far. `cursorOf` names the last item of the page. */
export function pageFrom<Row, Item>(rows: readonly Row[], toItem: (row: Row) => Item, cursorOf: (item: Item, row: Row) => string) {
  const shown = rows.slice(0, PAGE_SIZE);
  const items = shown.map((row) => toItem(row));
  const [item, row] = [items.at(-1), shown.at(-1)];
  return { items, next: rows.length > PAGE_SIZE && item !== undefined && row !== undefined ? cursorOf(item, row) : null };
}
