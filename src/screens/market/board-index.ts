/** Maps boards to their market indices, and indices to their boards. */
import type { Instrument } from "#contract/instrument.ts";

/** The boards that have breadth: those with a market index. */
export const INDEXED = ["listed", "otc"] as const;
export type Indexed = (typeof INDEXED)[number];

/** The code of a board's market index. */
export const BOARD_INDEX: Record<Indexed, string> = { listed: "IX0001", otc: "IX0043" };

export function isIndexed(board: string | null): board is Indexed {
  return INDEXED.some((one) => one === board);
}

/** The board of an index's constituents: the OTC exchange prefixes the names of its indices with TPEx. */
export function boardOf({ en }: Pick<Instrument, "en">): Indexed {
  return en.startsWith("TPEx") ? "otc" : "listed";
}
