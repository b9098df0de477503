/** What members do to a simulated market beside its own course, as one server tells it another. */
import type { TakenLevels } from "./consumed-liquidity.ts";
import type { JoinedOrders } from "./call-auction.ts";
import type { MemberFill, MemberTrade } from "./member-trade.ts";

/** The newest trade and fill that a report has in the database; 0 for none. */
export interface StoredUpTo {
  tradeId: number;
  fillId: number;
}

/** What was reported: `stored` is absent of a call that is priced and not booked yet. */
export interface ReportedTrades {
  trades: readonly MemberTrade[];
  fills: readonly MemberFill[];
  stored?: StoredUpTo | undefined;
}

export type MemberEffect = { taken: TakenLevels } | { reported: ReportedTrades };

/** What servers that show the same market tell one another. Only a simulated market has it: members never change a real one. */
export interface MarketEffects {
  /** Calls the listener with each effect, in their order. Returns how to unsubscribe. */
  onEffect(listener: (effect: MemberEffect) => void): () => void;
  /** Takes out of this market's books what was taken out of another server's. */
  take(taken: TakenLevels): void;
  /** Everything that is missing from the books now. */
  taken(): TakenLevels[];
  /** Replaces everything that is missing from the books. */
  replaceTaken(all: readonly TakenLevels[]): void;
  /** Members' orders in the next call of a row; null for none. */
  joined(row: number): JoinedOrders | null;
  /** Publishes a row with the next update, because what is shown of it has changed. */
  touch(row: number): void;
}
