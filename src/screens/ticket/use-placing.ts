/** Sends the ticket's order: a new order or the close of a position, reviewed unless the member's own setting skips the review. */
import type { Asked } from "#contract/endpoints.ts";
import { unitsPerWhole } from "#contract/instrument.ts";
import type { BulkOutcome, Order } from "#contract/order.ts";
import { TRIGGERS } from "#contract/order.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request, RequestState, Typed } from "#src/actors/request.ts";
import { haptic } from "#src/gateway/shell.ts";
import { takeOrder } from "#src/streams/orders.ts";
import type { ClosingPart, ClosingPlan } from "./closing.ts";
import { limitOf, lotsOf, settled, triggerOf } from "./draft.ts";
import type { Draft, Ladder } from "./draft.ts";
import type { Intent } from "./intent.ts";
import { problemsOf } from "./problems.ts";
import type { Known } from "./problems.ts";
import { closeBodyOf, useCloseRequest } from "./use-close-request.ts";
import type { CloseBody } from "./use-close-request.ts";
import { useReviewedPrice } from "./use-reviewed-price.ts";
import type { ReviewedPrice } from "./use-reviewed-price.ts";

/** What the form and the outcome need of either request. */
export type TicketRequest = Omit<Request<"placeOrder">, "body" | "answer" | "submit">;

/** The order on its way: reviewed, confirmed and sent. */
export interface Placing {
  request: TicketRequest;
  /** The order under review or sent, if it opens a position. */
  opening: Asked<"placeOrder"> | null;
  /** The same if it closes one. */
  closing: CloseBody | null;
  placed: Order | null;
  closed: BulkOutcome | null;
  /** What the close takes from each order, as they were when it was sent. */
  sent: readonly ClosingPart[];
  readAt: ReviewedPrice | null;
  /** `always`: review it even where the member's own setting skips the review, as a key does. */
  review: (always?: boolean) => void;
  confirm: () => void;
}

/** While a request is in one of these states, it is what the ticket shows, whatever is held meanwhile. */
export const TAKEN: readonly RequestState[] = ["validating", "reviewing", "submitting", "unknown", "asking", "notReceived", "accepted"];

/** The new order of a draft as typed; validation reports what is missing or wrong. */
export function openingOf(
  code: string,
  draft: Draft,
  ladder: Ladder,
  { direction, funding, leverage, dayTrade }: Intent,
  reserve: boolean,
): Typed<"placeOrder"> {
  return {
    code,
    direction,
    funding,
    leverage,
    dayTrade,
    pricing: draft.pricing,
    price: draft.pricing === "limit" ? limitOf(draft) : null,
    lots: lotsOf(draft, unitsPerWhole(ladder)) ?? draft.lotsText,
    market: draft.market,
    validity: draft.validity,
    trigger: draft.entry && triggerOf(draft.entry.kind, draft.entry.text),
    reserve,
    exits: TRIGGERS.flatMap((kind) => (draft.exits[kind] === undefined ? [] : [triggerOf(kind, draft.exits[kind])])),
  };
}

export interface PlacingOptions {
  code: string;
  draft: Draft;
  setDraft: (draft: Draft) => void;
  intent: Intent;
  /** What the order closes; null for one that opens. */
  plan: ClosingPlan | null;
  /** Whether it is reserved for the next session, where it cannot go to the market now. */
  reserves: boolean;
  tradable: boolean;
  /** Whether a valid order is sent without a review. */
  skips: boolean;
  /** What the order is checked against. */
  known: Known;
}

export function usePlacing({ code, draft, setDraft, intent, plan, reserves, tradable, skips, known }: PlacingOptions): Placing {
  const opening = useRequest("placeOrder", {
    reviews: true,
    fields: ["price", "lots"],
    check: (body) => problemsOf(body, known),
    onAccepted: (order) => {
      haptic("success");
      takeOrder(order);
    },
  });
  const { request: closing, sent, send } = useCloseRequest(plan, known);
  const closes = TAKEN.includes(closing.state) || (!TAKEN.includes(opening.state) && intent.closes !== null);
  const request: TicketRequest = closes ? closing : opening;
  const { readAt, startReview, confirm } = useReviewedPrice(request, known.view?.quote.last ?? 0, tradable);
  const review = (always = false): void => {
    const final = settled(draft, known.ladder);
    setDraft(final);
    // A price just rounded to its tick must be seen before it is reviewed.
    if (final.snappedFrom !== null && draft.snappedFrom === null && final.priceText !== draft.priceText) return;
    haptic("light");
    startReview();
    if (intent.closes === null) opening.submit(openingOf(code, final, known.ladder, intent, reserves), skips && !always);
    else if (plan) send(closeBodyOf(intent.closes, final, plan, reserves), skips && !always);
  };
  const accepted = request.state === "accepted";
  return {
    request,
    opening: closes ? null : opening.body,
    closing: closes ? closing.body : null,
    placed: accepted && !closes ? opening.answer : null,
    closed: accepted && closes ? closing.answer : null,
    sent,
    readAt,
    review,
    confirm,
  };
}

/** The typed ladder of an instrument that is not loaded yet. */
export const ladderOf = (instrument: { kind: Ladder["kind"]; decimals: number } | null): Ladder => ({
  kind: instrument?.kind ?? "stock",
  decimals: instrument?.decimals ?? 2,
});
