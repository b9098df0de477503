/** Groups instruments by category. */
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import type { Board, Category, Instrument } from "#contract/instrument.ts";
import { BOARDS } from "#contract/instrument.ts";

/** A category with its instruments, and its index in the table's categories, which identifies it in the heat. */
export interface CategoryGroup {
  category: Category;
  place: number;
  items: Instrument[];
}

const keyOf = (board: string, category: string): string => `${board}-${category}`;

/** A unique key of a category; valid as part of an element id. */
export const categoryKey = ({ board, code }: Category): string => keyOf(board, code);

/** Groups instruments by category, in the order of boards and of categories; empty categories are left out. */
export function grouped(categories: readonly Category[], instruments: readonly Instrument[], board: Board | null): CategoryGroup[] {
  const groups = new Map<string, CategoryGroup>(
    categories.map((category, place) => [categoryKey(category), { category, place, items: [] }]),
  );
  for (const instrument of instruments) groups.get(keyOf(instrument.board, instrument.category))?.items.push(instrument);
  const shown = [...groups.values()].filter(({ category, items }) => items.length > 0 && (board === null || category.board === board));
  return shown.toSorted((a, b) => BOARDS.indexOf(a.category.board) - BOARDS.indexOf(b.category.board));
}

/** The path of a category's ranking. */
export function categoryRankingPath({ board, code }: Pick<Category, "board" | "code">): Path {
  return pathTo("/favorite/moreListCate", { board, category: code });
}
