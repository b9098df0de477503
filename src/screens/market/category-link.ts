/** The way to a category's screen. */
import type { Category } from "#contract/instrument.ts";

/** The address of a category. */
export const categoryPath = ({ board, code }: Pick<Category, "board" | "code">): string =>
  `/market/Plate1?board=${encodeURIComponent(board)}&category=${encodeURIComponent(code)}`;

/** The category an address names; undefined when there is none. */
export function categoryAt(query: URLSearchParams, categories: readonly Category[]): Category | undefined {
  return categories.find(({ board, code }) => board === query.get("board") && code === query.get("category"));
}
