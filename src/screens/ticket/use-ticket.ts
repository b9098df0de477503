/** Everything a ticket knows and does: the draft, the market it stands in, the request it becomes. */
import { useObservableState } from "observable-hooks";
import { useMemo, useState } from "react";
import type { Asked } from "#contract/endpoints.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Order } from "#contract/order.ts";
import { termsOf } from "#contract/rule.ts";
import type { TradeRule } from "#contract/rule.ts";
import type { MemberOverview } from "#contract/member.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Problem } from "#machines/request.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request } from "#src/actors/request.ts";
import { haptic } from "#src/gateway/shell.ts";
import { useConnection } from "#src/streams/connection.ts";
import { depth$ } from "#src/streams/depths.ts";
import { useInstruments, useVenue } from "#src/streams/instruments.ts";
import { useMember } from "#src/streams/member.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { useRule } from "#src/streams/rules.ts";
import { useQuote } from "#src/streams/quotes.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import { blockOf } from "./blocked.ts";
import { FIRST_DRAFT, limitOf, lotsOf, outside, prefilled, priced, settled } from "./draft.ts";
import type { Draft, Ladder } from "./draft.ts";
import { estimateOf, mostLots, movedFar } from "./estimate.ts";
import type { Estimate, Market, Wanted } from "./estimate.ts";

/** Chosen elsewhere: the price of a level of the book, a side by key; `n` grows with every pick, beginning at 1. */
export interface Pick {
  price?: number;
  direction?: Draft["direction"];
  n: number;
}

export interface TicketOptions {
  code: string;
  direction?: Draft["direction"] | undefined;
  pick?: Pick | null | undefined;
}

/** The last price a review was read at, and the one before if it moved too far meanwhile. */
interface ReadAt {
  price: number;
  was: number | null;
}

export interface TicketModel {
  code: string;
  instrument: Instrument | null;
  view: QuoteView | null;
  member: MemberOverview | null;
  /** What the instrument is traded by; null while it is on its way. */
  rule: TradeRule | null;
  /** The member or the table is still on its way. */
  loading: boolean;
  /** Reading the member failed and nothing is known of them. */
  failed: boolean;
  retry: () => void;
  blocked: RefusalCode | null;
  /** Prices may be traded on. */
  tradable: boolean;
  draft: Draft;
  ladder: Ladder;
  /** Change the draft; the fields named are no longer wrong. */
  change: (next: Draft, ...fields: string[]) => void;
  estimate: Estimate | null;
  /** The most lots the available money covers. */
  most: number;
  request: Request<"placeOrder">;
  readAt: ReadAt | null;
  review: () => void;
  confirm: () => void;
  /** A new ticket after an order. */
  again: () => void;
}

/** Bought on the board with one's own money. */
const CASH = { market: "board", funding: "cash", leverage: 1, dayTrade: false } as const;

function problemsOf(body: Asked<"placeOrder">, model: { view: QuoteView | null; estimate: Estimate | null; available: number }): Problem[] {
  const { view, estimate, available } = model;
  const problem = (field: string, code: RefusalCode): Problem => ({ field, code, params: {} });
  if (body.price !== null && outside(body.price as never, view?.limits ?? null)) return [problem("price", "TRD_PRICE_LIMIT_EXCEEDED")];
  if (estimate && estimate.neededCents > available) return [problem("lots", "FUND_AVAILABLE_INSUFFICIENT")];
  return [];
}

function useMarket(code: string): { view: QuoteView | null; market: Market } {
  const view = useQuote(code);
  const book$ = useMemo(() => depth$(code), [code]);
  const depth = useObservableState(book$, null);
  return { view, market: { quote: view?.quote ?? null, limits: view?.limits ?? null, depth } };
}

function useDraft(options: TicketOptions, ladder: Ladder, last: number) {
  const [stored, setDraft] = useState<Draft>({ ...FIRST_DRAFT, direction: options.direction ?? "rise" });
  const [picked, setPicked] = useState(0);
  let draft = stored;
  if (options.pick && options.pick.n !== picked) {
    setPicked(options.pick.n);
    const { price, direction = stored.direction } = options.pick;
    draft = { ...(price === undefined ? stored : priced(stored, ladder, price)), direction };
    setDraft(draft);
  } else if (stored.priceText === null && last > 0) {
    draft = prefilled(stored, ladder, last);
    setDraft(draft);
  }
  return { draft, setDraft };
}

/** The ticket of one instrument. Mount it anew for another code. */
export function useTicket(options: TicketOptions): TicketModel {
  const { code } = options;
  const instrument = useInstruments()?.byCode.get(code) ?? null;
  const member = useMember();
  const venue = useVenue();
  const { tradable } = useConnection();
  const { view, market } = useMarket(code);
  const ladder: Ladder = { kind: instrument?.kind ?? "stock", decimals: instrument?.decimals ?? 2 };
  const last = view?.quote.last ?? 0;
  const { draft, setDraft } = useDraft(options, ladder, last);
  const [readAt, setReadAt] = useState<ReadAt | null>(null);

  const limit = limitOf(draft);
  const lots = lotsOf(draft);
  const rule = useRule(instrument);
  const known = instrument !== null && rule !== null && (draft.pricing === "market" || limit !== null);
  const wanted: Omit<Wanted, "lots"> | null = known
    ? {
        instrument,
        terms: termsOf(rule, instrument, CASH),
        maxLots: rule.maxLots,
        direction: draft.direction,
        limit: draft.pricing === "limit" ? limit : null,
      }
    : null;
  const estimate = wanted && lots ? estimateOf({ ...wanted, lots }, market) : null;
  const available = member.value?.availableCents ?? 0;

  const request = useRequest("placeOrder", {
    reviews: true,
    fields: ["price", "lots", "direction"],
    check: (body) => problemsOf(body, { view, estimate, available: member.value ? available : Infinity }),
    onAccepted: (order) => {
      haptic("success");
      takeOrder(order);
    },
  });

  const review = (): void => {
    const final = settled(draft, ladder);
    setDraft(final);
    // A price that was just moved to its tick is looked at before it is reviewed.
    if (final.snappedFrom !== null && draft.snappedFrom === null && final.priceText !== draft.priceText) return;
    haptic("light");
    setReadAt({ price: last, was: null });
    request.submit({
      code,
      direction: draft.direction,
      pricing: draft.pricing,
      price: draft.pricing === "limit" ? limitOf(final) : null,
      lots: lots ?? draft.lotsText,
      ...CASH,
      validity: "rod",
      trigger: null,
      exits: [],
    });
  };
  const confirm = (): void => {
    if (!tradable) return;
    if (readAt && movedFar(readAt.price, last)) {
      setReadAt({ price: last, was: readAt.price });
      request.reviewAgain();
    } else {
      request.confirm();
    }
  };
  return {
    code,
    instrument,
    view,
    member: member.value,
    rule,
    loading: instrument === null || rule === null || (member.value === null && member.state === "loading"),
    failed: member.value === null && member.state === "failed",
    retry: member.retry,
    blocked: blockOf(member.value?.identity ?? null, instrument, venue?.phase ?? null),
    tradable,
    draft,
    ladder,
    change: (next, ...fields) => {
      setDraft(next);
      for (const field of fields) request.edit(field);
    },
    estimate,
    most: wanted ? mostLots(wanted, market, available) : 0,
    request,
    readAt,
    review,
    confirm,
    again: () => {
      setDraft({ ...draft, lotsText: "1", snappedFrom: null });
      request.reset();
    },
  };
}

/** The order a ticket became; null before. */
export function orderOf({ request }: TicketModel): Order | null {
  return request.state === "accepted" ? request.answer : null;
}
