/** The form that closes a position: which of its orders, how much of them, and the price. What it comes to and sends is the ticket's. */
import { useState } from "react";
import { reservesFor } from "#contract/instrument.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { typedUnits } from "#contract/kernel/money.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { BulkOutcome, Order } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import type { Market } from "#contract/rule.ts";
import type { Request } from "#src/actors/request.ts";
import { haptic } from "#src/gateway/shell.ts";
import { closeMarketOf } from "./close-market.ts";
import type { NotNow } from "./close-market.ts";
import { closingPlan, offeredUnits } from "#src/screens/ticket/closing.ts";
import type { ClosingPart, ClosingPlan } from "#src/screens/ticket/closing.ts";
import { confirmationFor } from "#src/screens/ticket/confirm-rule.ts";
import { FIRST_DRAFT, prefilled, settled } from "#src/screens/ticket/draft.ts";
import type { Draft, Ladder } from "#src/screens/ticket/draft.ts";
import { closingAct } from "#src/screens/ticket/intent.ts";
import { useFreeOrders } from "#src/screens/ticket/lock-up.tsx";
import { closeBodyOf, useCloseRequest } from "#src/screens/ticket/use-close-request.ts";
import type { CloseBody } from "#src/screens/ticket/use-close-request.ts";
import { useMarket } from "#src/screens/ticket/use-market.ts";
import { ladderOf } from "#src/screens/ticket/use-placing.ts";
import { useReviewedPrice } from "#src/screens/ticket/use-reviewed-price.ts";
import type { ReviewedPrice } from "#src/screens/ticket/use-reviewed-price.ts";
import { useConnection } from "#src/streams/connection.ts";
import { useVenueOf } from "#src/streams/call-auctions.ts";
import { instrumentOf, useInstruments } from "#src/streams/instruments.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import { useSlideAbove } from "#src/streams/risk.ts";

export interface CloseModel {
  position: Position;
  /** The orders the member chose; empty: the oldest first. */
  chosen: readonly OrderNo[];
  choose: (orderNos: readonly OrderNo[]) => void;
  /** When the first lock-up of its orders ends; null without one. */
  lockedUntil: Order["lockedUntil"];
  /** Whether both lots of the board and single shares can be closed. */
  mixed: boolean;
  view: QuoteView | null;
  tradable: boolean;
  /** Why it cannot be closed at market now; null if it can. */
  why: RefusalCode | null;
  /** What cannot be sent in this phase, where nothing else is held. */
  notNow: NotNow | null;
  /** When the close goes to the market if it is sent now, while that is closed; null while it goes there at once. */
  reservesFor: number | null;
  /** Whether confirming requires a slide. */
  slides: boolean;
  draft: Draft;
  ladder: Ladder;
  change: (next: Draft, ...fields: string[]) => void;
  plan: ClosingPlan;
  request: Request<"closePosition">;
  /** The close under review or sent; null before. */
  body: CloseBody | null;
  closed: BulkOutcome | null;
  sent: readonly ClosingPart[];
  readAt: ReviewedPrice | null;
  review: () => void;
  confirm: () => void;
}

/** How a position can be closed in this phase. */
function useCloseMarket(code: string, free: readonly Order[], lotShares: number, wanted: Market, paused: RefusalCode | null) {
  const venue = useVenueOf(code);
  const units = { lots: offeredUnits(free, "board", lotShares), single: offeredUnits(free, "odd", lotShares) };
  return closeMarketOf({ ...units, wanted, paused, phase: venue?.phase ?? "open", reservesFor: venue && reservesFor(venue) });
}

/** The draft starts at market with all of it, and follows what is chosen until the member types a number. */
function useCloseDraft(position: Position, chosen: readonly OrderNo[]) {
  const { code } = position;
  useInstruments();
  const instrument = instrumentOf(code) ?? null;
  const ladder = ladderOf(instrument);
  const lotShares = instrument?.lotShares ?? 1;
  const { view, depth, paused } = useMarket(code, position.unitsPerWhole);
  const { free, lockedUntil } = useFreeOrders(
    chosen.length === 0 ? position.orders : position.orders.filter(({ orderNo }) => chosen.includes(orderNo)),
  );
  const [stored, setDraft] = useState<Draft>({ ...FIRST_DRAFT, pricing: "market" });
  const typed = prefilled(stored, ladder, view?.quote.last ?? 0);
  if (typed !== stored) setDraft(typed);
  const { market, ...offers } = useCloseMarket(code, free, lotShares, typed.market, paused);
  const lotsText = typed.lotsTyped ? typed.lotsText : typedUnits(offeredUnits(free, market, lotShares), position.unitsPerWhole);
  const pricing = market === "fixed" ? "market" : offers.why === null ? typed.pricing : "limit";
  const draft: Draft = { ...typed, market, pricing, lotsText };
  const plan = closingPlan(free, draft, lotShares, { depth, quote: view?.quote ?? null });
  return { draft, setDraft, plan, view, ladder, lockedUntil, ...offers };
}

/** The close form of one position. Remount it for another. */
export function useClose(position: Position, first: readonly OrderNo[]): CloseModel {
  const { tradable } = useConnection();
  const slideAboveCents = useSlideAbove();
  const [chosen, setChosen] = useState(first);
  const { setDraft, ...form } = useCloseDraft(position, chosen);
  const { draft, plan, view, ladder } = form;
  const { request, sent, send } = useCloseRequest(plan, form);
  const { readAt, startReview, confirm } = useReviewedPrice(request, view?.quote.last ?? 0, tradable);
  const review = (): void => {
    const final = settled(draft, ladder);
    setDraft(final);
    // A price just rounded to its tick must be seen before it is reviewed.
    if (final.snappedFrom !== null && final.priceText !== draft.priceText) return;
    haptic("light");
    startReview();
    send(closeBodyOf(position, final, plan, form.reservesFor !== null, chosen));
  };
  const intent = { act: closingAct(position), funding: position.funding, closes: position, nothing: null };
  const valueCents = plan.closing?.valueCents ?? null;
  const confirmation = confirmationFor(
    { pricing: draft.pricing, waits: false, intent, valueCents },
    // This form is always reviewed.
    { slideAboveCents, sendUpToCents: null },
  );
  return {
    position,
    chosen,
    ...form,
    tradable,
    request,
    body: request.body,
    closed: request.state === "accepted" ? request.answer : null,
    sent,
    readAt,
    slides: confirmation === "slide",
    choose: (orderNos) => {
      setChosen(orderNos);
      setDraft({ ...draft, lotsTyped: false });
    },
    change: (next, ...fields) => {
      setDraft(next);
      for (const field of fields) request.edit(field);
    },
    review,
    confirm,
  };
}
