/** Everything a ticket knows and does: the draft, the market it stands in, the request it becomes. */
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
  /** As it can be ordered now; what the member chose beyond that comes back when it can be had again. */
  draft: Draft;
  choices: Choices;
  /** How long what is bought may not be sold. */
  lockSeconds: number;
  /** What one of `lots` is: a board lot's shares, or one where single shares are ordered. */
  lotShares: number;
  /** The most lots of one order. */
  maxLots: number;
  ladder: Ladder;
  /** Change the draft; the fields named are no longer wrong. */
  change: (next: Draft, ...fields: string[]) => void;
  estimate: Estimate | null;
  /** Where the house would close a leveraged position; null where it never does, or nothing is known. */
  liquidation: Price | null;
  /** How a short, or a long on a margin loan, stands at its start, and where it would be called and sold; null for other orders. */
  maintenance: Maintenance | null;
  marginRule: MarginRule | null;
  /** What is lost where the market goes to today's limit against it. */
  worst: { at: Price; lossCents: number } | null;
  /** The most lots the available money covers. */
  most: number;
  /** Whether it is confirmed by sliding: at market, borrowed, sold short, or above the member's own amount. */
  slides: boolean;
  request: Request<"placeOrder">;
  readAt: ReadAt | null;
  review: () => void;
  confirm: () => void;
  /** A new ticket after an order. */
  again: () => void;
}

function useMarket(code: string): { view: QuoteView | null; market: Market; pausedUntil: number | null } {
  const view = useQuote(code);
  const book$ = useMemo(() => depth$(code), [code]);
  const depth = useObservableState(book$, null);
  return { view, market: { quote: view?.quote ?? null, limits: view?.limits ?? null, depth }, pausedUntil: depth?.pausedUntil ?? null };
}

/** The market an order of this draft meets: at the close there is one price; single shares and waiting orders meet no book that is known. */
function marketFor({ market: at, entry }: Draft, market: Market): Market {
  const close = market.quote?.last ?? 0;
  if (at === "fixed" && close > 0) return { ...market, limits: { down: close as Price, up: close as Price }, depth: null };
  return at === "odd" || entry !== null ? { ...market, depth: null } : market;
}

/** Nothing is known of what the member enabled: as if nothing were. */
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

/** While nothing is known: the plainest order. */
const NO_CHOICES: Choices = {
  direction: { rise: null, fall: null },
  pricing: { limit: null, market: null },
  market: { board: null, odd: null, fixed: "TRD_NON_TRADING_HOURS" },
  validity: { rod: null, ioc: null, fok: null },
  funding: [{ word: "cash", why: null }],
  dayTrade: null,
};

/** The ticket of one instrument. Mount it anew for another code. */
export function useTicket(options: TicketOptions): TicketModel {
  const { code } = options;
  const instrument = useInstruments()?.byCode.get(code) ?? null;
  const member = useMember();
  const venue = useVenue();
  const { tradable } = useConnection();
  const { view, market: seen, pausedUntil } = useMarket(code);
  const ladder: Ladder = { kind: instrument?.kind ?? "stock", decimals: instrument?.decimals ?? 2 };
  const last = view?.quote.last ?? 0;
  // Before the first trade of a day a limit begins at the reference.
  const { draft: typed, setDraft } = useDraft(options, ladder, last || (view?.quote.reference ?? 0));
  const [readAt, setReadAt] = useState<ReadAt | null>(null);
  const rule = useRule(instrument);
  const marginRule = useRules().value?.margin ?? null;
  const around = useCircumstances(instrument, rule, pausedUntil !== null);
  const { draft, choices } = around ? fitted(typed, around) : { draft: typed, choices: null };
  const market = marketFor(draft, seen);
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
  const whole = wanted && lots ? { ...wanted, lots } : null;
  const estimate = whole && estimateOf(whole, market);
  // At market it opens about where the market is.
  const each = draft.pricing === "limit" ? limit : last > 0 ? (last as Price) : null;
  const openCents = whole && each && (draft.direction === "rise" ? (estimate?.valueCents ?? null) : worth(each, whole.lots * lotShares));
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
    liquidation: whole && openCents && liquidationAt(whole, openCents),
    maintenance: whole && openCents && marginRule && maintenanceAt(whole, draft.funding, openCents, marginRule),
    marginRule,
    worst: whole && openCents && worstLoss(whole, openCents, view?.limits ?? null),
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

/** The order a ticket became; null before. */
export function orderOf({ request }: TicketModel): Order | null {
  return request.state === "accepted" ? request.answer : null;
}
