/** The ticket's model: the draft, its market data, and the request it becomes. */
import { useObservableState } from "observable-hooks";
import { useMemo, useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { worth } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import { TRIGGERS } from "#contract/order.ts";
import type { Order } from "#contract/order.ts";
import { termsOf } from "#contract/rule.ts";
import type { MarginRule, TradeRule } from "#contract/rule.ts";
import type { MemberOverview } from "#contract/member.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { isUnlimited } from "#contract/tick.ts";
import { useRequest } from "#src/actors/request.ts";
import type { Request } from "#src/actors/request.ts";
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
import { estimateOf, liquidationAt, maintenanceAt, mostLots, movedFar, worstLoss } from "./estimate.ts";
import type { Estimate, Maintenance, Market, Wanted } from "./estimate.ts";
import { problemsOf } from "./problems.ts";

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

/** The last price when the review was shown, and the previous one if it has moved too far since. */
interface ReadAt {
  price: number;
  was: number | null;
}

export interface TicketModel {
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
  /** The lock-up period: how long the position cannot be closed. */
  lockSeconds: number;
  /** The size of one of `lots`: a board lot's shares, or 1 for odd lots. */
  lotShares: number;
  /** The maximum lots of one order. */
  maxLots: number;
  ladder: Ladder;
  /** Changes the draft and clears the errors of the named fields. */
  change: (next: Draft, ...fields: string[]) => void;
  estimate: Estimate | null;
  /** The liquidation price of a leveraged position; null if there is none, or nothing is known. */
  liquidation: Price | null;
  /** The initial maintenance of a short, or of a long on a margin loan, with its call and liquidation prices; null for other orders. */
  maintenance: Maintenance | null;
  marginRule: MarginRule | null;
  /** The loss if the market goes to today's adverse limit. */
  worst: { at: Price; lossCents: number } | null;
  /** The maximum lots the available money covers. */
  most: number;
  /** Whether confirming requires a slide: market orders, borrowed money, short selling, or above the member's own threshold. */
  slides: boolean;
  request: Request<"placeOrder">;
  readAt: ReadAt | null;
  review: () => void;
  confirm: () => void;
  /** Starts a new ticket after an order. */
  again: () => void;
}

function useMarket(code: string): { view: QuoteView | null; market: Market; pausedUntil: number | null } {
  const view = useQuote(code);
  const book$ = useMemo(() => depth$(code), [code]);
  const depth = useObservableState(book$, null);
  return { view, market: { quote: view?.quote ?? null, limits: view?.limits ?? null, depth }, pausedUntil: depth?.pausedUntil ?? null };
}

/** The market an order of this draft meets: after-hours fixed price trades at the close only; odd lots and triggered orders have no known book. */
function marketFor({ market: at, entry }: Draft, market: Market): Market {
  const close = market.quote?.last ?? 0;
  if (at === "fixed" && close > 0) return { ...market, limits: { down: close as Price, up: close as Price }, depth: null };
  return at === "odd" || entry !== null ? { ...market, depth: null } : market;
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

/** The ticket of one instrument. Remount it for another code. */
export function useTicket(options: TicketOptions): TicketModel {
  const { code } = options;
  const instrument = useInstruments()?.byCode.get(code) ?? null;
  const member = useMember();
  const venue = useVenue();
  const { tradable } = useConnection();
  const { view, market: instrumentMarket, pausedUntil } = useMarket(code);
  const ladder: Ladder = { kind: instrument?.kind ?? "stock", decimals: instrument?.decimals ?? 2 };
  const last = view?.quote.last ?? 0;
  // Before the day's first trade, a limit starts at the reference price.
  const { draft: typed, setDraft } = useDraft(options, ladder, last || (view?.quote.reference ?? 0));
  const [readAt, setReadAt] = useState<ReadAt | null>(null);
  const rule = useRule(instrument);
  const marginRule = useRules().value?.margin ?? null;
  const circumstances = useCircumstances(instrument, rule, pausedUntil !== null);
  const { draft, choices } = circumstances ? fitted(typed, circumstances) : { draft: typed, choices: null };
  const market = marketFor(draft, instrumentMarket);
  const slideAbove = useRisk().value?.slideAboveCents ?? null;

  const limit = limitOf(draft);
  const lots = lotsOf(draft);
  const lotShares = draft.market === "odd" ? 1 : (instrument?.lotShares ?? 1);
  const maxLots = rule === null ? 1 : draft.market === "odd" ? rule.maxOddShares : rule.maxLots;
  const known = instrument !== null && rule !== null && (draft.pricing === "market" || limit !== null);
  const wanted: Omit<Wanted, "lots"> | null = known
    ? {
        instrument: { kind: instrument.kind, lotShares },
        terms: termsOf(rule, instrument, draft),
        maxLots,
        direction: draft.direction,
        limit: draft.pricing === "limit" ? limit : null,
      }
    : null;
  const sized = wanted && lots ? { ...wanted, lots } : null;
  const estimate = sized && estimateOf(sized, market);
  // A market order opens near the last price.
  const openPrice = draft.pricing === "limit" ? limit : last > 0 ? (last as Price) : null;
  const openCents =
    sized && openPrice && (draft.direction === "rise" ? (estimate?.valueCents ?? null) : worth(openPrice, sized.lots * lotShares));
  const available = member.value?.availableCents ?? 0;

  const request = useRequest("placeOrder", {
    reviews: true,
    fields: ["price", "lots", "direction"],
    check: (body) => problemsOf(body, { view, estimate, available: member.value ? available : Infinity, ladder, maxLots, choices }),
    onAccepted: (order) => {
      haptic("success");
      takeOrder(order);
    },
  });

  const review = (): void => {
    const final = settled(draft, ladder);
    setDraft(final);
    // A price just rounded to its tick must be seen before it is reviewed.
    if (final.snappedFrom !== null && draft.snappedFrom === null && final.priceText !== draft.priceText) return;
    haptic("light");
    setReadAt({ price: last, was: null });
    request.submit({
      code,
      direction: draft.direction,
      pricing: draft.pricing,
      price: draft.pricing === "limit" ? limitOf(final) : null,
      lots: lots ?? draft.lotsText,
      market: draft.market,
      validity: draft.validity,
      funding: draft.funding,
      leverage: draft.leverage,
      dayTrade: draft.dayTrade,
      trigger: draft.entry && triggerOf(draft.entry.kind, draft.entry.text),
      exits: TRIGGERS.flatMap((kind) => (draft.exits[kind] === undefined ? [] : [triggerOf(kind, draft.exits[kind])])),
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
    choices: choices ?? NO_CHOICES,
    lockSeconds: wanted?.terms.lockSeconds ?? 0,
    lotShares,
    maxLots,
    ladder,
    change: (next, ...fields) => {
      setDraft(next);
      for (const field of fields) request.edit(field);
    },
    estimate,
    liquidation: sized && openCents && liquidationAt(sized, openCents),
    maintenance: sized && openCents && marginRule && maintenanceAt(sized, draft.funding, openCents, marginRule),
    marginRule,
    worst: sized && openCents && worstLoss(sized, openCents, view?.limits ?? null),
    slides:
      draft.pricing === "market" ||
      draft.direction === "fall" ||
      draft.funding !== "cash" ||
      (slideAbove !== null && (estimate?.valueCents ?? 0) > slideAbove),
    most: wanted ? mostLots(wanted, market, available) : 0,
    request,
    readAt,
    review,
    confirm,
    again: () => {
      setDraft({ ...typed, lotsText: "1", snappedFrom: null, entry: null, exits: {} });
      request.reset();
    },
  };
}

/** The accepted order of a ticket; null before. */
export function orderOf({ request }: TicketModel): Order | null {
  return request.state === "accepted" ? request.answer : null;
}
