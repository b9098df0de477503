/** What the phases of a trading day mean for matching: how the board matches in one, and what is called when one gives way to another. */
import type { SessionPhase } from "#contract/instrument.ts";
import type { CallKind, Matching } from "#server/venue/venue.ts";

const MATCHED: Readonly<Record<SessionPhase, Matching>> = {
  preOpen: "call",
  open: "continuous",
  closingAuction: "call",
  fixedPrice: "none",
  closed: "none",
  halted: "none",
};

/** How the board matches in a phase. */
export const matchingIn = (phase: SessionPhase): Matching => MATCHED[phase];

const CALLED: Readonly<Partial<Record<SessionPhase, CallKind>>> = { preOpen: "opening", closingAuction: "closing", fixedPrice: "fixed" };

/** What is called when a phase gives way to another: what was gathered in it; null where nothing was, or it did not end in its way. */
export function callAfter(before: SessionPhase, phase: SessionPhase): CallKind | null {
  const kind = CALLED[before] ?? null;
  return phase === (kind === "opening" ? "open" : "closed") ? kind : null;
}
