/** How the board matches in each phase of a trading day, and which call auction takes place when one phase follows another. */
import type { SessionPhase } from "#contract/instrument.ts";
import type { CallKind, Matching } from "#server/venue/venue.ts";

const MATCHING_BY_PHASE: Readonly<Record<SessionPhase, Matching>> = {
  preOpen: "call",
  open: "continuous",
  closingAuction: "call",
  fixedPrice: "none",
  closed: "none",
  halted: "none",
};

/** How the board matches in a phase. */
export const matchingIn = (phase: SessionPhase): Matching => MATCHING_BY_PHASE[phase];

const CALL_BY_PHASE: Readonly<Partial<Record<SessionPhase, CallKind>>> = {
  preOpen: "opening",
  closingAuction: "closing",
  fixedPrice: "fixed",
};

/** The call auction that ends a phase; null where the phase collects no orders, or was not followed by the phase that ends it. */
export function callAfter(before: SessionPhase, phase: SessionPhase): CallKind | null {
  const kind = CALL_BY_PHASE[before] ?? null;
  return phase === (kind === "opening" ? "open" : "closed") ? kind : null;
}
