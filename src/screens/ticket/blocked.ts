/** Tells why no order can be placed right now, before the form is shown. */
import type { Instrument, SessionPhase } from "#contract/instrument.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { IdentityStatus } from "#contract/member.ts";

const BY_IDENTITY: Record<IdentityStatus, RefusalCode | null> = {
  verified: null,
  unverified: "ACC_REALNAME_REQUIRED",
  underReview: "ACC_REALNAME_PENDING",
  rejected: "ACC_REALNAME_REJECTED",
};

/** Whether the venue accepts orders in a phase, including auctions and after-hours fixed-price trading. */
export function isTrading(phase: SessionPhase): boolean {
  return phase !== "closed" && phase !== "halted";
}

/** The refusal every order would get, checked in the broker's order; null for none. What is not known yet blocks nothing. */
export function blockOf(identity: IdentityStatus | null, instrument: Instrument | null, phase: SessionPhase | null): RefusalCode | null {
  const code = identity === null ? null : BY_IDENTITY[identity];
  if (code !== null) return code;
  if (instrument?.tradable === false) return "TRD_NOT_TRADABLE";
  return phase !== null && !isTrading(phase) ? "TRD_NON_TRADING_HOURS" : null;
}
