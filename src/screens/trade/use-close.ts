/** The model of closing a position: the draft, the estimated proceeds, and the request it becomes. */
import { useObservableState } from "observable-hooks";
import { useMemo, useState } from "react";
import type { Asked } from "#contract/endpoints.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Order } from "#contract/order.ts";
import type { Depth, Quote } from "#contract/quote.ts";
import type { Problem } from "#machines/request.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request } from "#src/actors/request.ts";
import { haptic } from "#src/gateway/shell.ts";
import { auctionRestriction } from "#src/screens/ticket/choices.ts";
import { FIRST_DRAFT, limitOf, lotsOf, outside, prefilled, settled } from "#src/screens/ticket/draft.ts";
import type { Draft, Ladder } from "#src/screens/ticket/draft.ts";
import { useReviewedPrice } from "#src/screens/ticket/use-reviewed-price.ts";
import type { ReviewedPrice } from "#src/screens/ticket/use-reviewed-price.ts";
import { useConnection } from "#src/streams/connection.ts";
import { depth$ } from "#src/streams/depths.ts";
import { instrumentOf, useInstruments, useVenue } from "#src/streams/instruments.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { useRisk } from "#src/streams/risk.ts";
import { useQuote } from "#src/streams/quotes.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import { closingOf, marketPrice } from "#src/screens/ticket/closing.ts";
import type { Closing } from "#src/screens/ticket/closing.ts";
import { openLots } from "./order-lines.tsx";

export interface CloseModel {
  order: Order;
  held: number;
  view: QuoteView | null;
  tradable: boolean;
  /** Why it cannot be closed at market now; null if it can. */
  why: RefusalCode | null;
  /** After hours: closing is possible only at the day's closing price. */
  fixed: boolean;
  /** Whether confirming requires a slide. */
  slides: boolean;
  draft: Draft;
  ladder: Ladder;
  change: (next: Draft, ...fields: string[]) => void;
  closing: Closing | null;
  request: Request<"closeOrder">;
  readAt: ReviewedPrice | null;
  review: () => void;
  confirm: () => void;
}

function problemsOf(body: Asked<"closeOrder">, held: number, view: QuoteView | null): Problem[] {
  const problem = (field: string, code: RefusalCode): Problem => ({ field, code, params: {} });
  if (body.lots > held) return [problem("lots", "TRD_SELL_EXCEEDS")];
  return outside(body.price as never, view?.limits ?? null) ? [problem("price", "TRD_PRICE_LIMIT_EXCEEDED")] : [];
}

function useDraft(order: Order, ladder: Ladder, last: number) {
  const [draft, setDraft] = useState<Draft>({
    ...FIRST_DRAFT,
    pricing: "market",
    lotsText: String(openLots(order)),
  });
  const filled = prefilled(draft, ladder, last);
  if (filled !== draft) setDraft(filled);
  return { draft: filled, setDraft };
}

type LastQuote = Pick<Quote, "last" | "bid" | "ask">;

/** After-hours fixed-price trading has one price. */
const lastOnly = (last: number): LastQuote => ({ last, bid: 0, ask: 0 });

/** How the position can be closed in this phase: by limit in a call auction and for odd lots, at the day's close after hours. */
function useClosePricing(
  order: Order,
  instrument: Instrument | null,
  lots: number | null,
  paused: boolean,
): { why: RefusalCode | null; fixed: boolean } {
  const phase = useVenue()?.phase ?? "open";
  const oddLot = order.lotShares === 1 && lots !== null && lots < (instrument?.lotShares ?? 1);
  if (oddLot) return { why: "TRD_ODD_LIMIT_ONLY", fixed: false };
  return { why: auctionRestriction({ phase, paused }), fixed: phase === "fixedPrice" };
}

/** What closing brings at the limit of the draft, or at the average price of the displayed book; null while either is not known. */
function expectedClosing(order: Order, draft: Draft, market: { depth: Depth | null; quote: LastQuote | null }): Closing | null {
  const lots = lotsOf(draft);
  if (!lots) return null;
  const each = draft.pricing === "limit" ? limitOf(draft) : marketPrice(order.direction, lots, market.depth, market.quote);
  return each ? closingOf(order, lots, each) : null;
}

/** The close form of one position. Remount it for another. */
export function useClose(order: Order, onClosed: () => void): CloseModel {
  useInstruments();
  const instrument = instrumentOf(order.code);
  const ladder: Ladder = { kind: instrument?.kind ?? "stock", decimals: instrument?.decimals ?? 2 };
  const view = useQuote(order.code);
  const book$ = useMemo(() => depth$(order.code), [order.code]);
  const depth = useObservableState(book$, null);
  const { tradable } = useConnection();
  const last = view?.quote.last ?? 0;
  const held = openLots(order);
  const { draft: typed, setDraft } = useDraft(order, ladder, last);
  const lots = lotsOf(typed);
  const { why, fixed } = useClosePricing(order, instrument ?? null, lots, depth?.pausedUntil != null);
  const draft: Draft = { ...typed, pricing: fixed ? "market" : why === null ? typed.pricing : "limit" };
  const slideAbove = useRisk().value?.slideAboveCents ?? null;
  const market = { depth: fixed ? null : depth, quote: fixed ? lastOnly(last) : (view?.quote ?? null) };
  const closing = instrument ? expectedClosing(order, draft, market) : null;
  const request = useRequest("closeOrder", {
    reviews: true,
    fields: ["price", "lots"],
    check: (body) => problemsOf(body, held, view),
    onAccepted: (closed) => {
      haptic("success");
      takeOrder(closed);
      onClosed();
    },
  });
  const { readAt, startReview, confirm } = useReviewedPrice(request, last, tradable);
  const review = (): void => {
    const final = settled(draft, ladder);
    setDraft(final);
    if (final.snappedFrom !== null && final.priceText !== draft.priceText) return;
    haptic("light");
    startReview();
    request.submit({
      orderNo: order.orderNo,
      pricing: draft.pricing,
      price: draft.pricing === "limit" ? limitOf(final) : null,
      lots: lots ?? draft.lotsText,
      validity: "rod",
      fixed,
    });
  };
  return {
    order,
    held,
    why,
    fixed,
    slides: draft.pricing === "market" || (slideAbove !== null && (closing?.valueCents ?? 0) > slideAbove),
    view,
    tradable,
    draft,
    ladder,
    change: (next, ...fields) => {
      setDraft(next);
      for (const field of fields) request.edit(field);
    },
    closing,
    request,
    readAt,
    review,
    confirm,
  };
}
