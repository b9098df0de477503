/** What members' orders did to a market: the log that, with the seed, gives its path again after a restart. */
import type { AggressorSide } from "#server/venue/market-data/trade-tape.ts";

/** A trade that would not have been without members: against the displayed book, with each other, or in an auction (side 0). */
export interface MemberTrade {
  row: number;
  at: number;
  price: number;
  /** Lots that it adds to the day's volume. */
  lots: number;
  side: AggressorSide;
  /** The part of them that was taken out of the displayed book. */
  taken: number;
}
