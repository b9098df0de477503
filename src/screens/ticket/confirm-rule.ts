/** Tells how an order is confirmed: by a slide, by a press, or, by the member's own setting, without a review. */
import type { Draft } from "./draft.ts";
import type { Intent } from "./intent.ts";

/** Market orders, borrowed money, short selling and values above the member's own threshold are confirmed by a slide. */
export function needsSlide(
  { pricing }: Pick<Draft, "pricing">,
  { act, funding, closes }: Pick<Intent, "act" | "funding" | "closes">,
  valueCents: number | null,
  slideAboveCents: number | null,
): boolean {
  if (pricing === "market" || (closes === null && (act === "short" || funding !== "cash"))) return true;
  return slideAboveCents !== null && (valueCents ?? 0) > slideAboveCents;
}

/** Only a plain limit order up to the member's own amount skips the review; what is borrowed or sold short never does. */
export function skipsReview(
  draft: Pick<Draft, "pricing" | "entry">,
  intent: Pick<Intent, "act" | "funding" | "closes" | "nothing">,
  valueCents: number | null,
  skipReviewCents: number | null,
): boolean {
  if (skipReviewCents === null || valueCents === null || intent.nothing !== null || draft.entry !== null) return false;
  return !needsSlide(draft, intent, valueCents, skipReviewCents);
}
