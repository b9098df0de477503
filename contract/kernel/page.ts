/** Lists in pages: an opaque cursor from the last page asks for the next. */
import * as z from "zod/mini";

/** Null asks for the first page. */
export const Cursor = z.nullable(z.string().check(z.maxLength(64)));

/** A page of a list; `next` is null on the last one. */
export const pageOf = <Item extends z.ZodMiniType>(item: Item) => z.object({ items: z.array(item), next: z.nullable(z.string()) });

/** How many items a page holds. */
export const PAGE_SIZE = 50;
