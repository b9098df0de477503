/** The figures of a ticket's draft: what the order costs, borrows and risks, and the most lots the money covers. */
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { worth } from "#contract/kernel/money.ts";
import type { Cents, Price } from "#contract/kernel/money.ts";
import { termsOf } from "#contract/rule.ts";
import type { MarginRule, TradeRule } from "#contract/rule.ts";
import { limitOf, lotsOf } from "./draft.ts";
import type { Draft } from "./draft.ts";
import type { ClosingPlan } from "./closing.ts";
import type { Intent } from "./intent.ts";
import { estimateOf, liquidationAt, maintenanceAt, mostLots, worstLoss } from "./estimate.ts";
import type { Estimate, Maintenance, MarketData, Wanted } from "./estimate.ts";

export interface Figures {
  /** The size of one of `lots`: a board lot's shares, or 1 for odd lots. */
  lotShares: number;
  /** The maximum lots of one order. */
  maxLots: number;
  /** The lock-up period: how long the position cannot be closed. */
  lockSeconds: number;
  estimate: Estimate | null;
  /** The liquidation price of a leveraged position; null if there is none, or nothing is known. */
  liquidation: Price | null;
  /** The initial maintenance of a short, or of a long on a margin loan, with its call and liquidation prices; null for other orders. */
  maintenance: Maintenance | null;
  /** The loss if the market goes to today's adverse limit. */
  worst: { at: Price; lossCents: number } | null;
  /** The maximum lots: what the available money covers, or what can be closed. */
  most: number;
}

/** What the figures are computed from; null while it is loading. */
export interface FigureSource {
  instrument: Instrument | null;
  rule: TradeRule | null;
  marginRule: MarginRule | null;
  market: MarketData;
  availableCents: number;
  /** What the order closes; null for one that opens. */
  plan: ClosingPlan | null;
}

/** The market an order of this draft meets: after-hours fixed price trades at the close only; odd lots and triggered orders have no known book. */
function marketFor({ market: at, entry }: Draft, market: MarketData): MarketData {
  const close = market.quote?.last ?? 0;
  if (at === "fixed" && close > 0) return { ...market, limits: { down: close as Price, up: close as Price }, depth: null };
  return at === "odd" || entry !== null ? { ...market, depth: null } : market;
}

/** The order of a draft, without its lots; null while it cannot be estimated. */
function wantedOf(
  draft: Draft,
  intent: Intent,
  { instrument, rule }: Pick<FigureSource, "instrument" | "rule">,
  { lotShares, maxLots }: Pick<Figures, "lotShares" | "maxLots">,
): Omit<Wanted, "lots"> | null {
  const limit = limitOf(draft);
  if (instrument === null || rule === null || (draft.pricing === "limit" && limit === null)) return null;
  return {
    instrument: { kind: instrument.kind, lotShares },
    terms: termsOf(rule, instrument, { ...intent, market: draft.market }),
    maxLots,
    direction: intent.direction,
    limit: draft.pricing === "limit" ? limit : null,
  };
}

/** The value the position opens at; null while no price is known. A market order opens near the last price. */
function openValue({ limit, direction, lots, instrument }: Wanted, estimate: Estimate | null, last: number): Cents | null {
  const openPrice = limit ?? (last > 0 ? (last as Price) : null);
  if (openPrice === null) return null;
  return direction === "rise" ? (estimate?.valueCents ?? null) : worth(openPrice, lots * instrument.lotShares, unitsPerWhole(instrument));
}

export function figuresOf(draft: Draft, intent: Intent, source: FigureSource): Figures {
  const { instrument, rule, marginRule, market, availableCents, plan } = source;
  const odd = draft.market === "odd";
  const unit = {
    lotShares: odd ? 1 : (instrument?.lotShares ?? 1),
    maxLots: rule === null ? 1 : odd ? rule.maxOddShares : rule.maxLots,
  };
  const met = marketFor(draft, market);
  const lots = lotsOf(draft, instrument ? unitsPerWhole(instrument) : 1);
  const wanted = intent.closes || intent.nothing ? null : wantedOf(draft, intent, { instrument, rule }, unit);
  const sized = wanted && lots ? { ...wanted, lots } : null;
  const estimate = sized && estimateOf(sized, met);
  const openCents = sized && openValue(sized, estimate, market.quote?.last ?? 0);
  return {
    ...unit,
    lockSeconds: wanted?.terms.lockSeconds ?? 0,
    estimate,
    liquidation: sized && openCents && liquidationAt(sized, openCents),
    maintenance: sized && openCents && marginRule && maintenanceAt(sized, intent.funding, openCents, marginRule),
    worst: sized && openCents && worstLoss(sized, openCents, market.limits),
    most: plan ? plan.most : wanted ? mostLots(wanted, met, availableCents) : 0,
  };
}
