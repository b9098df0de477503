/** The ticket's model: the draft, what its order would do, its figures, and the request it becomes. */
import { useState } from "react";
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { MarginRule, TradeRule } from "#contract/rule.ts";
import { usableProceeds } from "#contract/settlement.ts";
import type { MemberOverview } from "#contract/member.ts";
import type { Order } from "#contract/order.ts";
import type { Missing } from "#contract/eligibility.ts";
import { useConnection } from "#src/streams/connection.ts";
import { useVenueOf } from "#src/streams/call-auctions.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useMember } from "#src/streams/member.ts";
import { savePreferences, usePreferences } from "#src/streams/preferences.ts";
import { useSlideAbove } from "#src/streams/risk.ts";
import { useRule, useRules } from "#src/streams/rules.ts";
import type { QuoteView } from "#src/streams/quotes.ts";
import { blockOf } from "./blocked.ts";
import { fitted } from "./choices.ts";
import type { Choices, Circumstances } from "./choices.ts";
import { closingPlan, offeredUnits } from "./closing.ts";
import type { ClosingPlan } from "./closing.ts";
import { confirmationFor } from "./confirm-rule.ts";
import type { ConfirmLimits } from "./confirm-rule.ts";
import { FIRST_DRAFT, limitOf, prefilled, priced, stepped, turned, withLots } from "./draft.ts";
import type { Draft, Ladder } from "./draft.ts";
import { figuresOf } from "./figures.ts";
import type { FigureSource, Figures } from "./figures.ts";
import { intentOf, remembers } from "./intent.ts";
import type { Act, Intent, Side, TradeKind } from "./intent.ts";
import { useFreeOrders } from "./lock-up.tsx";
import { WHOLE, leastLots, quantumOf, withDefaultLots } from "./quantity.ts";
import type { Quantum } from "./quantity.ts";
import { useChangedIntent } from "./use-changed-intent.ts";
import { useCircumstances, useMarket } from "./use-market.ts";
import type { Market } from "./use-market.ts";
import { ladderOf, TAKEN, usePlacing } from "./use-placing.ts";
import type { Placing } from "./use-placing.ts";

/** Picked elsewhere: an order book price, or by key a side, lots, a step of the price or of the ticket; `n` grows with every pick, from 1. */
export interface Pick {
  price?: number;
  side?: Side;
  lots?: number;
  ticks?: 1 | -1;
  step?: "review" | "back";
  n: number;
}

export interface TicketOptions {
  code: string;
  side?: Side | undefined;
  /** The kind to start with; null for the default of the side. */
  kind?: TradeKind | null | undefined;
  pick?: Pick | null | undefined;
}

export interface TicketModel extends Figures, Placing {
  code: string;
  instrument: Instrument | null;
  view: QuoteView | null;
  member: MemberOverview | null;
  /** Cents of the day's sales that the order may be paid from, beside the available money. */
  proceedsCents: number;
  /** The instrument's trade rule; null while loading. */
  rule: TradeRule | null;
  /** The member or the instrument table is still loading. */
  loading: boolean;
  /** Loading the member failed and nothing is cached. */
  failed: boolean;
  retry: () => void;
  blocked: Missing | null;
  /** Whether prices are live, so that trading is allowed. */
  tradable: boolean;
  /** As it can be ordered now; unavailable choices of the member come back when they are available again. */
  draft: Draft;
  /** What the order does. */
  intent: Intent;
  choices: Choices;
  ladder: Ladder;
  /** What the order closes; null for one that opens a position. */
  plan: ClosingPlan | null;
  /** When the order goes to the market if it is placed now, while that is closed; null while it goes there at once. */
  reservesFor: number | null;
  /** When the first lock-up of what it closes ends; null without one. */
  lockedUntil: Order["lockedUntil"];
  /** Whether nothing of it can be closed until then. */
  locked: boolean;
  /** The least units the broker accepts at this price. */
  least: number;
  /** How the quantity is typed and stepped. */
  quantum: Quantum;
  /** Changes the draft and clears the errors of the named fields. */
  change: (next: Draft, ...fields: string[]) => void;
  /** What the order was to do before a fact changed that; null unless the member has to choose again before it can be reviewed. */
  changed: Act | null;
  /** Accepts what the order does now. */
  accept: () => void;
  /** Chooses a kind, and remembers it for the next ticket. */
  chooseKind: (kind: TradeKind) => void;
  marginRule: MarginRule | null;
  /** Whether confirming requires a slide. */
  slides: boolean;
  /** Whether a valid order is sent without a review, by the member's own setting. */
  skips: boolean;
  /** Starts a new ticket after an order. */
  again: () => void;
}

function withPick(draft: Draft, { price, side, lots, ticks }: Pick, ladder: Ladder, last: number): Draft {
  if (price !== undefined) return priced(draft, ladder, price);
  if (lots !== undefined) return withLots(draft, String(lots));
  if (ticks !== undefined) return draft.pricing === "limit" ? stepped(draft, ladder, ticks, 1, last) : draft;
  return side === undefined || side === draft.side ? draft : turned(draft, side);
}

/** The draft as typed; `begun` once the member has entered something, or opened the ticket on a side. */
function useDraft(options: TicketOptions, ladder: Ladder, last: number) {
  const [stored, setStored] = useState<Draft>({ ...FIRST_DRAFT, side: options.side ?? "buy", kind: options.kind ?? null });
  const [picked, setPicked] = useState(0);
  const [begun, setBegun] = useState(options.side !== undefined);
  let draft = stored;
  if (options.pick && options.pick.n !== picked) {
    setPicked(options.pick.n);
    setBegun(true);
    draft = withPick(stored, options.pick, ladder, last);
    setStored(draft);
  } else if (stored.priceText === null && last > 0) {
    draft = prefilled(stored, ladder, last);
    setStored(draft);
  }
  const write = (next: Draft, isBegun: boolean): void => {
    setStored(next);
    setBegun(isBegun);
  };
  return { draft, begun, setDraft: (next: Draft) => write(next, true), renew: (next: Draft) => write(next, false) };
}

/** While nothing is known: the default order only. */
const NO_CHOICES: Choices = {
  kinds: { cash: null, margin: "TRD_MARGIN_DISABLED", short: "TRD_NOT_SHORTABLE", dayTrade: "TRD_DAY_TRADING_DISABLED" },
  pricing: { limit: null, market: null },
  market: { board: null, odd: null, fixed: "TRD_NON_TRADING_HOURS" },
  validity: { rod: null, ioc: null, fok: null },
  funding: [{ word: "cash", why: null }],
};

const NONE: readonly Order[] = [];

/** The draft as it can be ordered now, with its default quantity, and the orders it may close. */
function useResolved(typed: Draft, circumstances: Circumstances | null, minimumCents: number, last: number) {
  const { draft, intent, choices } = circumstances
    ? fitted(typed, circumstances)
    : { draft: typed, intent: intentOf(typed, [], "cash"), choices: NO_CHOICES };
  const { free, lockedUntil } = useFreeOrders(intent.closes?.orders ?? NONE);
  if (!circumstances) return { draft, intent, choices, free, lockedUntil, least: 1, quantum: WHOLE };
  const { lotShares, kind } = circumstances.instrument;
  const quantum = quantumOf(kind, last);
  const closable = intent.closes && offeredUnits(free, draft.market, lotShares);
  const price = draft.pricing === "limit" ? limitOf(draft) : last;
  const least = leastLots(minimumCents, price, draft.market === "odd" ? 1 : lotShares, quantum);
  const { per } = quantum;
  return { draft: withDefaultLots(draft, { closable, least, per }), intent, choices, free, lockedUntil, least, quantum };
}

/** What the order closes, what it comes to, and how it is confirmed. */
function figured(
  draft: Draft,
  intent: Intent,
  free: readonly Order[],
  { data, depth, view }: Market,
  source: Omit<FigureSource, "market" | "plan">,
  limits: ConfirmLimits,
) {
  const { instrument } = source;
  const plan = intent.closes && instrument && closingPlan(free, draft, instrument.lotShares, { depth, quote: view?.quote ?? null });
  const figures = figuresOf(draft, intent, { ...source, market: data, plan });
  const valueCents = figures.estimate?.valueCents ?? plan?.closing?.valueCents ?? null;
  const confirmation = confirmationFor({ pricing: draft.pricing, waits: draft.entry !== null, intent, valueCents }, limits);
  return { plan, figures, confirmation };
}

/** Cents the order may be paid from: those of the day's sales, and all together. */
function spendableOf(member: MemberOverview | null, rule: TradeRule | null, intent: Intent, circumstances: Circumstances | null) {
  const reservesFor = circumstances?.reservesFor ?? null;
  const reserves = reservesFor !== null;
  // What is reserved settles on another morning than the day's sales.
  const proceedsCents = member && rule && !intent.closes && !reserves ? usableProceeds(member.dayProceeds, { ...intent, ...rule }) : 0;
  return { proceedsCents, availableCents: (member?.availableCents ?? 0) + proceedsCents, reservesFor, reserves };
}

/** The ticket of one instrument. Remount it for another code. */
export function useTicket(options: TicketOptions): TicketModel {
  const { code } = options;
  const instrument = useInstruments()?.byCode.get(code) ?? null;
  const member = useMember();
  const venue = useVenueOf(code);
  const { tradable } = useConnection();
  const { ticketKind, skipReviewCents } = usePreferences();
  const market = useMarket(code, instrument ? unitsPerWhole(instrument) : 1);
  const { view } = market;
  const ladder = ladderOf(instrument);
  // Before the day's first trade, a limit starts at the reference price.
  const last = view?.quote.last || (view?.quote.reference ?? 0);
  const { draft: typed, begun, setDraft, renew } = useDraft(options, ladder, last);
  const rule = useRule(instrument);
  const marginRule = useRules().value?.margin ?? null;
  const circumstances = useCircumstances(code, instrument, rule, market.paused);
  const { free, ...order } = useResolved(typed, circumstances, rule?.minimumCents ?? 0, last);
  const { draft, intent } = order;
  const { proceedsCents, availableCents, reservesFor, reserves } = spendableOf(member.value, rule, intent, circumstances);
  const source = { instrument, rule, marginRule, availableCents };
  const limits = { slideAboveCents: useSlideAbove(), sendUpToCents: skipReviewCents };
  const { plan, figures, confirmation } = figured(draft, intent, free, market, source, limits);
  const known = { ...figures, view, available: member.value ? availableCents : Infinity, ladder };
  const placing = usePlacing({ code, draft, setDraft, intent, plan, reserves, tradable, skips: confirmation === "none", known });
  const shown = circumstances === null || TAKEN.includes(placing.request.state) ? null : intent;
  const { changed, settle, restart } = useChangedIntent({ typed, intent: shown, begun, setDraft });
  const change = (next: Draft, ...fields: string[]): void => {
    setDraft(next);
    if (next.side !== draft.side) settle();
    for (const field of fields) placing.request.edit(field);
  };
  return {
    ...figures,
    ...placing,
    ...order,
    code,
    instrument,
    proceedsCents,
    reservesFor,
    view,
    rule,
    tradable,
    ladder,
    plan,
    locked: plan?.most === 0 && order.lockedUntil !== null,
    change,
    changed,
    accept: settle,
    review: (always) => changed === null && placing.review(always),
    marginRule,
    skips: confirmation === "none",
    member: member.value,
    loading: instrument === null || rule === null || (member.value === null && member.state === "loading"),
    failed: member.value === null && member.state === "failed",
    retry: member.retry,
    blocked: blockOf(intent.closes === null ? "trade" : "close", member.value?.facts ?? null, instrument, venue),
    chooseKind: (kind) => {
      settle();
      change({ ...draft, kind, lotsTyped: false }, "lots", "shares", "price");
      const kept = remembers(kind);
      if (kept !== null && kept !== ticketKind) void savePreferences({ ticketKind: kept });
    },
    slides: confirmation === "slide",
    again: () => {
      restart();
      renew({ ...typed, kind: null, lotsTyped: false, snappedFrom: null, entry: null, exits: {} });
      placing.request.reset();
    },
  };
}
