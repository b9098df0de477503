/** Tells how an order is confirmed: by a slide, by a press in a review, or, by the member's own setting, not at all. */
import type { Pricing } from "#contract/order.ts";
import type { Intent } from "./intent.ts";

/** `slide`: a review ends with a slide. `press`: with a press. `none`: the order is sent at once. */
export type ConfirmationKind = "slide" | "press" | "none";

/** What the confirmation of an order depends on. */
export interface ConfirmedOrder {
  pricing: Pricing;
  /** Whether it waits for a trigger. */
  waits: boolean;
  intent: Pick<Intent, "act" | "funding" | "nothing"> & {
    /** What it closes. */
    closes: object | null;
  };
  /** Null while no price is known. */
  valueCents: number | null;
}

/** The member's own amounts; null for none. */
export interface ConfirmLimits {
  /** Above it an order is confirmed by a slide. */
  slideAboveCents: number | null;
  /** Up to it a plain order needs no review: the setting of the ticket, or that of flash orders. */
  sendUpToCents: number | null;
}

/** Tells whether an order borrows money or shares. Closing what was financed borrows nothing. */
export const borrows = ({ act, funding, closes }: ConfirmedOrder["intent"]): boolean =>
  closes === null && (act === "short" || funding !== "cash");

/** The one rule of confirmation, for the ticket, the close of a position, flash orders and keys. */
export function confirmationFor(
  { pricing, waits, intent, valueCents }: ConfirmedOrder,
  { slideAboveCents, sendUpToCents }: ConfirmLimits,
): ConfirmationKind {
  if (pricing === "market" || borrows(intent)) return "slide";
  if (slideAboveCents !== null && (valueCents ?? 0) > slideAboveCents) return "slide";
  const plain = intent.nothing === null && !waits && valueCents !== null;
  return plain && sendUpToCents !== null && valueCents <= sendUpToCents ? "none" : "press";
}
