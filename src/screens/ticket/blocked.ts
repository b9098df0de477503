/** Tells why no order can be placed right now, before the form is shown. */
import { missingFor, openingAct } from "#contract/eligibility.ts";
import type { MemberFacts, Missing } from "#contract/eligibility.ts";
import { hasEnded, isListed, reservesFor } from "#contract/instrument.ts";
import type { Instrument, SessionPhase, VenueState } from "#contract/instrument.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";

/** Whether the venue accepts orders in a phase, including auctions and after-hours fixed-price trading. */
export function isTrading(phase: SessionPhase): boolean {
  return phase !== "closed" && phase !== "halted";
}

/** The refusal every order would get, checked in the broker's order; null for none. What is not known yet blocks nothing. */
export function blockOf(
  act: "trade" | "close",
  facts: MemberFacts | null,
  instrument: Instrument | null,
  venue: VenueState | null,
  now = Date.now(),
): Missing | null {
  const [missing] = facts === null ? [] : missingFor(act === "close" ? act : openingAct(instrument?.kind), facts);
  if (missing) return missing;
  const because = (code: RefusalCode): Missing => ({ code, params: {}, remedy: null });
  if (instrument !== null && (!instrument.tradable || hasEnded(instrument, now))) return because("TRD_NOT_TRADABLE");
  if (instrument !== null && !isListed(instrument, now)) return because("TRD_NOT_LISTED");
  const accepts = venue === null || isTrading(venue.phase) || reservesFor(venue) !== null;
  return accepts ? null : because("TRD_NON_TRADING_HOURS");
}
