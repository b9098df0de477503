/** The model of closing a position: which orders, how many shares, the estimated proceeds, and the request it becomes. */
import { useObservableState } from "observable-hooks";
import { useMemo, useState } from "react";
import type { Asked } from "#contract/endpoints.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { BulkOutcome, Order } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
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
import { closingOf, closingParts, marketPrices, offeredBy, sumOfClosings } from "#src/screens/ticket/closing.ts";
import type { Closing, ClosingPart } from "#src/screens/ticket/closing.ts";
import { useTimePast } from "./lock-up.tsx";

/** Lots of the board, or single shares. */
export type CloseUnit = "lots" | "shares";

export interface CloseModel {
  position: Position;
  /** The orders the member chose; empty: the oldest first. */
  chosen: readonly OrderNo[];
  choose: (orderNos: readonly OrderNo[]) => void;
  /** Orders that can be closed now; those in their lock-up are left out. */
  free: readonly Order[];
  /** When the first lock-up of the other orders ends; null without one. */
  lockedUntil: Order["lockedUntil"];
  unit: CloseUnit;
  /** The other unit can be closed too. */
  mixed: boolean;
  chooseUnit: (unit: CloseUnit) => void;
  /** How many of the unit can be closed, and the shares of one. */
  most: number;
  unitShares: number;
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
  /** The lots of each order; null while the number is not possible. */
  parts: readonly ClosingPart[] | null;
  closing: Closing | null;
  request: Request<"closePosition">;
  readAt: ReviewedPrice | null;
  review: () => void;
  confirm: () => void;
}

type LastQuote = Pick<Quote, "last" | "bid" | "ask">;

/** After-hours fixed-price trading has one price. */
const lastOnly = (last: number): LastQuote => ({ last, bid: 0, ask: 0 });

function problemsOf(body: Asked<"closePosition">, mostShares: number, view: QuoteView | null): Problem[] {
  const problem = (field: string, code: RefusalCode): Problem => ({ field, code, params: {} });
  if (body.shares > mostShares) return [problem("shares", "TRD_SELL_EXCEEDS")];
  return outside(body.price as never, view?.limits ?? null) ? [problem("price", "TRD_PRICE_LIMIT_EXCEEDED")] : [];
}

/** The orders that can be closed now, of those chosen, and when the next lock-up ends. */
function useFree({ orders }: Position, chosen: readonly OrderNo[]): Pick<CloseModel, "free" | "lockedUntil"> {
  const held = orders.filter((order) => order.status === "holding" && (chosen.length === 0 || chosen.includes(order.orderNo)));
  const locks = held.flatMap(({ lockedUntil }) => (lockedUntil === null ? [] : [lockedUntil]));
  const now = useTimePast(locks);
  const [lockedUntil = null] = locks.filter((until) => until > now).toSorted((x, y) => x - y);
  return { free: held.filter((order) => order.lockedUntil === null || order.lockedUntil <= now), lockedUntil };
}

/** How many can be closed in each unit; the board's lots are preferred. */
function useUnit(free: readonly Order[], lotShares: number): Pick<CloseModel, "unit" | "mixed" | "chooseUnit" | "most" | "unitShares"> {
  const [wanted, setWanted] = useState<CloseUnit>("lots");
  const { lots, singleShares } = offeredBy(free, lotShares);
  const mixed = lots > 0 && singleShares > 0;
  const unit = lots === 0 && singleShares > 0 ? "shares" : mixed ? wanted : "lots";
  return { unit, mixed, chooseUnit: setWanted, most: unit === "lots" ? lots : singleShares, unitShares: unit === "lots" ? lotShares : 1 };
}

/** The number starts as all of it, and follows what is chosen until the member types. */
function useDraft(ladder: Ladder, last: number, most: number) {
  const [typed, setTyped] = useState(false);
  const [draft, setDraft] = useState<Draft>({ ...FIRST_DRAFT, pricing: "market" });
  const filled = prefilled(draft, ladder, last);
  if (filled !== draft) setDraft(filled);
  const shown = typed ? filled : { ...filled, lotsText: String(most) };
  const change = (next: Draft): void => {
    if (next.lotsText !== shown.lotsText) setTyped(true);
    setDraft(next);
  };
  return { draft: shown, setDraft: change, follow: () => setTyped(false) };
}

/** How the position can be closed in this phase: by limit in a call auction and for odd lots, at the day's close after hours. */
function useClosePricing(odd: boolean, paused: boolean): Pick<CloseModel, "why" | "fixed"> {
  const phase = useVenue()?.phase ?? "open";
  if (odd) return { why: "TRD_ODD_LIMIT_ONLY", fixed: false };
  return { why: auctionRestriction({ phase, paused }), fixed: phase === "fixedPrice" };
}

/** What closing brings at the limit, or part by part at the prices of the displayed book; null while a price is not known. */
export function expectedClosing(
  parts: readonly ClosingPart[],
  limit: Price | null,
  lotShares: number,
  market: { depth: Depth | null; quote: LastQuote | null },
): Closing | null {
  const [first] = parts;
  if (!first) return null;
  const lots = parts.map((part) => (part.lots * part.order.lotShares) / lotShares);
  const prices = limit === null ? marketPrices(first.order.direction, lots, market.depth, market.quote) : parts.map(() => limit);
  const closings = parts.flatMap(({ order, lots: n }, at) => {
    const each = prices[at];
    return each ? [closingOf(order, n, each)] : [];
  });
  return closings.length === parts.length ? sumOfClosings(closings) : null;
}

/** The request with its review. */
function useCloseRequest(mostShares: number, view: QuoteView | null, tradable: boolean, onClosed: (outcome: BulkOutcome) => void) {
  const request = useRequest("closePosition", {
    reviews: true,
    fields: ["price", "shares"],
    check: (body) => problemsOf(body, mostShares, view),
    onAccepted: (outcome) => {
      haptic("success");
      outcome.orders.forEach(takeOrder);
      onClosed(outcome);
    },
  });
  return { request, ...useReviewedPrice(request, view?.quote.last ?? 0, tradable) };
}

/** What the form is about, and what it comes to at the market's prices. */
function useCloseFigures(position: Position, chosen: readonly OrderNo[]) {
  useInstruments();
  const { code } = position;
  const instrument = instrumentOf(code);
  const ladder: Ladder = { kind: instrument?.kind ?? "stock", decimals: instrument?.decimals ?? 2 };
  const lotShares = instrument?.lotShares ?? 1;
  const view = useQuote(code);
  const book$ = useMemo(() => depth$(code), [code]);
  const depth = useObservableState(book$, null);
  const last = view?.quote.last ?? 0;
  const { free, lockedUntil } = useFree(position, chosen);
  const unit = useUnit(free, lotShares);
  const { draft: typed, setDraft, follow } = useDraft(ladder, last, unit.most);
  const { why, fixed } = useClosePricing(unit.unit === "shares", depth?.pausedUntil != null);
  const draft: Draft = { ...typed, pricing: fixed ? "market" : why === null ? typed.pricing : "limit" };
  const limit = draft.pricing === "limit" ? limitOf(draft) : null;
  const shares = (lotsOf(typed) ?? 0) * unit.unitShares;
  const parts = shares > 0 ? closingParts(free, shares, lotShares) : null;
  const market = { depth: fixed ? null : depth, quote: fixed ? lastOnly(last) : (view?.quote ?? null) };
  const priced = instrument && (draft.pricing === "market" || limit !== null);
  const closing = parts && priced ? expectedClosing(parts, limit, lotShares, market) : null;
  return { ladder, view, free, lockedUntil, unit, draft, setDraft, follow, why, fixed, shares, parts, closing };
}

/** The close form of one position. Remount it for another. */
export function useClose(
  position: Position,
  first: readonly OrderNo[],
  onClosed: (outcome: BulkOutcome, parts: readonly ClosingPart[]) => void,
): CloseModel {
  const { tradable } = useConnection();
  const slideAbove = useRisk().value?.slideAboveCents ?? null;
  const [chosen, setChosen] = useState(first);
  const { unit, setDraft, follow, shares, ...figures } = useCloseFigures(position, chosen);
  const { draft, ladder, parts, closing, view } = figures;
  // Frozen at the review: the fills are pushed before the answer arrives, and change what is left to close.
  const [sent, setSent] = useState<readonly ClosingPart[]>([]);
  const asked = useCloseRequest(unit.most * unit.unitShares, view, tradable, (outcome) => onClosed(outcome, sent));
  const { request, readAt, startReview, confirm } = asked;
  const review = (): void => {
    const final = settled(draft, ladder);
    setDraft(final);
    if (final.snappedFrom !== null && final.priceText !== draft.priceText) return;
    haptic("light");
    startReview();
    setSent(parts ?? []);
    const { code, direction, funding, dayTrade } = position;
    request.submit({
      code,
      direction,
      funding,
      dayTrade,
      pricing: draft.pricing,
      price: draft.pricing === "limit" ? limitOf(final) : null,
      fixed: figures.fixed,
      validity: "rod",
      shares: shares > 0 ? shares : draft.lotsText,
      orderNos: [...chosen],
    });
  };
  return {
    position,
    chosen,
    ...unit,
    ...figures,
    tradable,
    request,
    readAt,
    slides: draft.pricing === "market" || (slideAbove !== null && (closing?.valueCents ?? 0) > slideAbove),
    choose: (orderNos) => {
      setChosen(orderNos);
      follow();
    },
    chooseUnit: (next) => {
      unit.chooseUnit(next);
      follow();
    },
    change: (next, ...fields) => {
      setDraft(next);
      for (const field of fields) request.edit(field);
    },
    review,
    confirm,
  };
}
