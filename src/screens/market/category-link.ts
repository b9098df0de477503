/** Converts between categories and the path of their screen. */
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import type { Category } from "#contract/instrument.ts";

/** The path of a category. */
export const categoryPath = ({ board, code }: Pick<Category, "board" | "code">): Path =>
  pathTo("/market/Plate1", { board, category: code });

/** The category of an address; undefined if there is none. */
export function categoryAt(query: Pick<URLSearchParams, "get">, categories: readonly Category[]): Category | undefined {
  return categories.find(({ board, code }) => board === query.get("board") && code === query.get("category"));
}
