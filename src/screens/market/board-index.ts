/** Which index stands for a board, and which board an index is of. */
import type { Instrument } from "#contract/instrument.ts";

/** The boards that have breadth: those with an index of their own. */
export const INDEXED = ["listed", "otc"] as const;
export type Indexed = (typeof INDEXED)[number];

/** The code of a board's whole-market index. */
export const BOARD_INDEX: Record<Indexed, string> = { listed: "IX0001", otc: "IX0043" };

export function isIndexed(board: string | null): board is Indexed {
  return INDEXED.some((one) => one === board);
}

/** The board whose instruments an index is made of: the OTC exchange puts its own name before those of its indices. */
export function boardOf({ en }: Pick<Instrument, "en">): Indexed {
  return en.startsWith("TPEx") ? "otc" : "listed";
}
