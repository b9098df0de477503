/** Where a position can be closed in a phase: at the day's close after hours, by limit in a call auction and for odd lots. */
import type { SessionPhase } from "#contract/instrument.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Market } from "#contract/rule.ts";
import { auctionRestriction } from "#src/screens/ticket/choices.ts";

/** What is taken in a phase that does not take what is held: single shares, or whole lots. */
export type NotNow = "onlyOdd" | "onlyLots";

export interface CloseMarket {
  market: Market;
  /** Whether both lots of the board and single shares can be closed. */
  mixed: boolean;
  /** Why it cannot be closed at market now; null if it can. */
  why: RefusalCode | null;
  notNow: NotNow | null;
  reservesFor: number | null;
}

interface Held {
  /** Whole lots and single shares that can be closed. */
  lots: number;
  single: number;
  wanted: Market;
  phase: SessionPhase;
  /** Why only limit orders are taken that wait for a call of the instrument; null for no such reason. */
  paused: RefusalCode | null;
  /** When a close goes to the market that is reserved now; null while it goes there at once. */
  reservesFor: number | null;
}

export function closeMarketOf({ lots, single, wanted, phase, paused, reservesFor }: Held): CloseMarket {
  const onlyOdd = phase === "oddLot";
  const onlyLots = reservesFor !== null;
  const odd = onlyOdd || (!onlyLots && single > 0 && (lots === 0 || wanted === "odd"));
  return {
    market: odd ? "odd" : phase === "fixedPrice" ? "fixed" : "board",
    mixed: lots > 0 && single > 0 && !onlyOdd && !onlyLots,
    why: odd ? "TRD_ODD_LIMIT_ONLY" : auctionRestriction({ phase, paused, reservesFor }),
    notNow: onlyOdd && lots > 0 && single === 0 ? "onlyOdd" : onlyLots && single > 0 && lots === 0 ? "onlyLots" : null,
    reservesFor,
  };
}
