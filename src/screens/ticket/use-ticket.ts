/** The ticket's model: the draft, its market data, and the request it becomes. */
import { useObservableState } from "observable-hooks";
import { useMemo, useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { TRIGGERS } from "#contract/order.ts";
import type { Order } from "#contract/order.ts";
import type { MarginRule, TradeRule } from "#contract/rule.ts";
import type { MemberOverview } from "#contract/member.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { isUnlimited } from "#contract/tick.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request, Typed } from "#src/actors/request.ts";
import { haptic } from "#src/gateway/shell.ts";
import { useConnection } from "#src/streams/connection.ts";
import { useDayTrading } from "#src/streams/day-trading.ts";
import { depth$ } from "#src/streams/depths.ts";
import { useInstruments, useVenue } from "#src/streams/instruments.ts";
import { useMargin } from "#src/streams/margin.ts";
import { useMember } from "#src/streams/member.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { useRisk } from "#src/streams/risk.ts";
import { useRule, useRules } from "#src/streams/rules.ts";
import { useQuote } from "#src/streams/quotes.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import { blockOf } from "./blocked.ts";
import { fitted } from "./choices.ts";
import type { Choices, Circumstances } from "./choices.ts";
import { FIRST_DRAFT, limitOf, lotsOf, prefilled, priced, settled, triggerOf } from "./draft.ts";
import type { Draft, Ladder } from "./draft.ts";
import type { Estimate, MarketData } from "./estimate.ts";
import { figuresOf } from "./figures.ts";
import type { Figures } from "./figures.ts";
import { problemsOf } from "./problems.ts";
import type { Known } from "./problems.ts";
import { useReviewedPrice } from "./use-reviewed-price.ts";
import type { ReviewedPrice } from "./use-reviewed-price.ts";

/** Picked elsewhere: an order book price, or a direction by key; `n` grows with every pick, starting at 1. */
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

/** The order on its way: reviewed, confirmed and sent. */
interface Placing {
  request: Request<"placeOrder">;
  readAt: ReviewedPrice | null;
  review: () => void;
  confirm: () => void;
}

export interface TicketModel extends Figures, Placing {
  code: string;
  instrument: Instrument | null;
  view: QuoteView | null;
  member: MemberOverview | null;
  /** The instrument's trade rule; null while loading. */
  rule: TradeRule | null;
  /** The member or the instrument table is still loading. */
  loading: boolean;
  /** Loading the member failed and nothing is cached. */
  failed: boolean;
  retry: () => void;
  blocked: RefusalCode | null;
  /** Whether prices are live, so that trading is allowed. */
  tradable: boolean;
  /** As it can be ordered now; unavailable choices of the member come back when they are available again. */
  draft: Draft;
  choices: Choices;
  ladder: Ladder;
  /** Changes the draft and clears the errors of the named fields. */
  change: (next: Draft, ...fields: string[]) => void;
  marginRule: MarginRule | null;
  /** Whether confirming requires a slide: market orders, borrowed money, short selling, or above the member's own threshold. */
  slides: boolean;
  /** Starts a new ticket after an order. */
  again: () => void;
}

function useMarket(code: string): { view: QuoteView | null; market: MarketData; pausedUntil: number | null } {
  const view = useQuote(code);
  const book$ = useMemo(() => depth$(code), [code]);
  const depth = useObservableState(book$, null);
  return { view, market: { quote: view?.quote ?? null, limits: view?.limits ?? null, depth }, pausedUntil: depth?.pausedUntil ?? null };
}

/** Member settings that are not loaded count as not enabled. */
function useCircumstances(instrument: Instrument | null, rule: TradeRule | null, paused: boolean): Circumstances | null {
  const venue = useVenue();
  const margin = useMargin().value?.account.status === "approved";
  const dayTrading = (useDayTrading().value?.signedAt ?? null) !== null;
  if (!instrument || !rule) return null;
  const free = venue !== null && isUnlimited(instrument, venue.opensAt);
  return { instrument, rule, phase: venue?.phase ?? "open", paused, free, margin, dayTrading };
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

/** While nothing is known: the default order only. */
const NO_CHOICES: Choices = {
  direction: { rise: null, fall: null },
  pricing: { limit: null, market: null },
  market: { board: null, odd: null, fixed: "TRD_NON_TRADING_HOURS" },
  validity: { rod: null, ioc: null, fok: null },
  funding: [{ word: "cash", why: null }],
  dayTrade: null,
};

/** The order of a draft as typed; validation reports what is missing or wrong. */
function valuesOf(code: string, draft: Draft): Typed<"placeOrder"> {
  return {
    code,
    direction: draft.direction,
    pricing: draft.pricing,
    price: draft.pricing === "limit" ? limitOf(draft) : null,
    lots: lotsOf(draft) ?? draft.lotsText,
    market: draft.market,
    validity: draft.validity,
    funding: draft.funding,
    leverage: draft.leverage,
    dayTrade: draft.dayTrade,
    trigger: draft.entry && triggerOf(draft.entry.kind, draft.entry.text),
    exits: TRIGGERS.flatMap((kind) => (draft.exits[kind] === undefined ? [] : [triggerOf(kind, draft.exits[kind])])),
  };
}

interface PlacingOptions {
  code: string;
  draft: Draft;
  setDraft: (draft: Draft) => void;
  tradable: boolean;
  /** What the order is checked against. */
  known: Known;
}

/** Places the order of a draft once it is reviewed and confirmed. */
function usePlacing({ code, draft, setDraft, tradable, known }: PlacingOptions): Placing {
  const request = useRequest("placeOrder", {
    reviews: true,
    fields: ["price", "lots", "direction"],
    check: (body) => problemsOf(body, known),
    onAccepted: (order) => {
      haptic("success");
      takeOrder(order);
    },
  });
  const { readAt, startReview, confirm } = useReviewedPrice(request, known.view?.quote.last ?? 0, tradable);
  const review = (): void => {
    const final = settled(draft, known.ladder);
    setDraft(final);
    // A price just rounded to its tick must be seen before it is reviewed.
    if (final.snappedFrom !== null && draft.snappedFrom === null && final.priceText !== draft.priceText) return;
    haptic("light");
    startReview();
    request.submit(valuesOf(code, final));
  };
  return { request, readAt, review, confirm };
}

/** Market orders, borrowed money, short selling and values above the member's own threshold are confirmed by a slide. */
function needsSlide({ pricing, direction, funding }: Draft, estimate: Estimate | null, slideAbove: number | null): boolean {
  if (pricing === "market" || direction === "fall" || funding !== "cash") return true;
  return slideAbove !== null && (estimate?.valueCents ?? 0) > slideAbove;
}

/** The ticket of one instrument. Remount it for another code. */
export function useTicket(options: TicketOptions): TicketModel {
  const { code } = options;
  const instrument = useInstruments()?.byCode.get(code) ?? null;
  const member = useMember();
  const venue = useVenue();
  const { tradable } = useConnection();
  const { view, market, pausedUntil } = useMarket(code);
  const ladder: Ladder = { kind: instrument?.kind ?? "stock", decimals: instrument?.decimals ?? 2 };
  // Before the day's first trade, a limit starts at the reference price.
  const { draft: typed, setDraft } = useDraft(options, ladder, view?.quote.last || (view?.quote.reference ?? 0));
  const rule = useRule(instrument);
  const marginRule = useRules().value?.margin ?? null;
  const circumstances = useCircumstances(instrument, rule, pausedUntil !== null);
  const { draft, choices } = circumstances ? fitted(typed, circumstances) : { draft: typed, choices: null };
  const slideAbove = useRisk().value?.slideAboveCents ?? null;
  const figures = figuresOf(draft, { instrument, rule, marginRule, market, availableCents: member.value?.availableCents ?? 0 });
  const { estimate, maxLots } = figures;
  const available = member.value?.availableCents ?? Infinity;
  const placing = usePlacing({ code, draft, setDraft, tradable, known: { view, estimate, available, ladder, maxLots, choices } });
  return {
    ...figures,
    ...placing,
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
    choices: choices ?? NO_CHOICES,
    ladder,
    change: (next, ...fields) => {
      setDraft(next);
      for (const field of fields) placing.request.edit(field);
    },
    marginRule,
    slides: needsSlide(draft, estimate, slideAbove),
    again: () => {
      setDraft({ ...typed, lotsText: "1", snappedFrom: null, entry: null, exits: {} });
      placing.request.reset();
    },
  };
}

/** The accepted order of a ticket; null before. */
export function orderOf({ request }: TicketModel): Order | null {
  return request.state === "accepted" ? request.answer : null;
}
