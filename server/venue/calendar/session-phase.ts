/** How the board matches in each phase of a trading day, and which call auctions take place when one phase follows another. */
import type { SessionPhase } from "#contract/instrument.ts";
import type { CallKind, Matching } from "#server/venue/venue.ts";

const MATCHING_BY_PHASE: Readonly<Record<SessionPhase, Matching>> = {
  preOpen: "call",
  open: "continuous",
  closingAuction: "call",
  oddLot: "none",
  fixedPrice: "none",
  closed: "none",
  halted: "none",
};

/** How the board matches in a phase. */
export const matchingIn = (phase: SessionPhase): Matching => MATCHING_BY_PHASE[phase];

const CALLS_BY_PHASE: Readonly<Partial<Record<SessionPhase, readonly CallKind[]>>> = {
  preOpen: ["opening"],
  closingAuction: ["closing"],
  fixedPrice: ["fixed", "lateOdd"],
};

/** The call auctions that end a phase; none where the phase collects no orders, or was not followed by the phase that ends it. */
export function callsAfter(before: SessionPhase, phase: SessionPhase): readonly CallKind[] {
  return phase === (before === "preOpen" ? "open" : "closed") ? (CALLS_BY_PHASE[before] ?? []) : [];
}
