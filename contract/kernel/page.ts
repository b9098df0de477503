/** Cursor pagination: the opaque cursor of one page requests the next. */
import * as z from "zod/mini";

/** Null requests the first page. */
export const Cursor = z.nullable(z.string().check(z.maxLength(64)));

/** The schema of a page; `next` is null on the last page. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item), next: z.nullable(z.string()) });

/** Items per page. */
export const PAGE_SIZE = 50;
