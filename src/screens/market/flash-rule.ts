/** Tells whether a tap on a price may send a flash order, and which one. */
import { worth } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { FlashSettings, RememberedKind } from "#contract/preference.ts";
import type { Intent } from "#src/screens/ticket/intent.ts";

/** Why no order is sent. */
export type FlashRefusal = "nothing" | "tooMany" | "aboveLimit";

/** Two taps within this time are one: a double tap sends one order. */
export const FLASH_GUARD_MS = 500;

/** What a tap on a price would send. */
export interface FlashOrder {
  price: Price;
  lots: number;
  lotShares: number;
}

/** The kind a flash order starts with: the member's usual one, but borrowed money needs a review. */
export const flashKind = (remembered: RememberedKind): RememberedKind => (remembered === "margin" ? "cash" : remembered);

/** The reason a flash order is not sent; null if it may be. It never borrows, never opens a short, and never exceeds the member's own amount. */
export function flashRefusal(
  { price, lots, lotShares }: FlashOrder,
  { act, nothing, closes, funding }: Pick<Intent, "act" | "nothing" | "closes" | "funding">,
  closable: number | null,
  { limitCents }: Pick<FlashSettings, "limitCents">,
): FlashRefusal | null {
  if (nothing !== null || act === "short" || (closes === null && funding !== "cash")) return "nothing";
  if (closes !== null && lots > (closable ?? 0)) return "tooMany";
  return worth(price, lots * lotShares) > limitCents ? "aboveLimit" : null;
}
