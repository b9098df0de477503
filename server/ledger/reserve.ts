/** Money that a member has reserved for an offering (an application, a bid, a raise): held, given back, taken, or lost. */
import type { CashEntryKind } from "#contract/cash-ledger.ts";
import type { Ledger } from "./ledger.ts";
import type { BrokerPocket } from "./pocket.ts";

/** Holds money. @throws Overdrawn when the caller did not check that it is available */
export function reserve(ledger: Ledger, memberId: number, amount: number): void {
  ledger.post({ memberId, kind: "reserve", orderNo: null, moves: [{ from: "available", to: "reserved", amount }] });
}

/** Gives reserved money back. */
export function giveBack(ledger: Ledger, memberId: number, amount: number): void {
  ledger.post({ memberId, kind: "reserveRelease", orderNo: null, moves: [{ from: "reserved", to: "available", amount }] });
}

/** Takes reserved money for what it was reserved for; `orderNo` is the position that it pays for. */
export function takeReserved(
  ledger: Ledger,
  memberId: number,
  { to, amount, kind, orderNo = null }: { to: BrokerPocket; amount: number; kind: CashEntryKind; orderNo?: string | null },
): void {
  ledger.post({ memberId, kind, orderNo, moves: [{ from: "reserved", to, amount }] });
}

/** Takes what a member loses by not keeping a promise; it is the issuer's. */
export function forfeit(ledger: Ledger, memberId: number, amount: number): void {
  takeReserved(ledger, memberId, { to: "issuers", amount, kind: "forfeit" });
}

/** Takes a fee that is never returned from the member's available money. */
export function payOfferingFee(ledger: Ledger, memberId: number, amount: number): void {
  ledger.post({ memberId, kind: "offeringFee", orderNo: null, moves: [{ from: "available", to: "fees", amount }] });
}
