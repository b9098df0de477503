/** Tells whether a tap on a price may send a flash order. */
import { worth } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { RememberedKind } from "#contract/preference.ts";
import { borrows, confirmationFor } from "#src/screens/ticket/confirm-rule.ts";
import type { ConfirmLimits, ConfirmedOrder } from "#src/screens/ticket/confirm-rule.ts";

/** Why no order is sent. `aboveSlide`: the member confirms orders of this value by a slide. */
export type FlashRefusal = "nothing" | "tooMany" | "aboveLimit" | "aboveSlide";

/** Two taps within this time are one: a double tap sends one order. */
export const FLASH_GUARD_MS = 500;

/** What a tap on a price would send. */
export interface FlashOrder {
  price: Price;
  lots: number;
  lotShares: number;
  unitsPerWhole?: number;
}

/** The kind a flash order starts with: the member's usual one, but borrowed money needs a review. */
export const flashKind = (remembered: RememberedKind): RememberedKind => (remembered === "margin" ? "cash" : remembered);

/** The reason a flash order is not sent; null if it may be, which is only where it needs no confirmation. */
export function flashRefusal(
  { price, lots, lotShares, unitsPerWhole }: FlashOrder,
  intent: ConfirmedOrder["intent"],
  closable: number | null,
  limits: ConfirmLimits,
): FlashRefusal | null {
  if (intent.nothing !== null || borrows(intent)) return "nothing";
  if (intent.closes !== null && lots > (closable ?? 0)) return "tooMany";
  const valueCents = worth(price, lots * lotShares, unitsPerWhole);
  const confirmation = confirmationFor({ pricing: "limit", waits: false, intent, valueCents }, limits);
  if (confirmation === "none") return null;
  return confirmation === "slide" ? "aboveSlide" : "aboveLimit";
}
