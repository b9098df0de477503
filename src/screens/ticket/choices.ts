/** Tells which options a ticket offers now and why others are disabled: by phase, instrument, trade rule and member settings. */
import type { Instrument, SessionPhase } from "#contract/instrument.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Direction, Pricing, Validity } from "#contract/order.ts";
import { multiplesOf } from "#contract/rule.ts";
import type { Market, TradeRule } from "#contract/rule.ts";
import type { Draft } from "./draft.ts";

/** What the choices depend on besides the draft. */
export interface Circumstances {
  instrument: Pick<Instrument, "shortable" | "dayTradable" | "marginable" | "watch" | "lotShares" | "limitPercent">;
  rule: Pick<TradeRule, "multiples">;
  phase: SessionPhase;
  /** The instrument is in a volatility halt: orders are collected for a call auction. */
  paused: boolean;
  /** No daily price limit applies: orders must be paid in full. */
  free: boolean;
  /** The member has a margin account, and has signed the day trading agreement. */
  margin: boolean;
  dayTrading: boolean;
}

/** The refusal the broker would give for a choice; null if it is allowed. */
export type Why = RefusalCode | null;

export interface Choices {
  direction: Record<Direction, Why>;
  pricing: Record<Pricing, Why>;
  market: Record<Market, Why>;
  validity: Record<Validity, Why>;
  /** The ways to pay: own money, a margin loan, or the multiple of leverage. */
  funding: readonly { word: FundingWord; why: Why }[];
  dayTrade: Why;
}

/** `cash`, `margin`, or a multiple as `2`. */
export type FundingWord = "cash" | "margin" | `${number}`;

export const fundingWord = ({ funding, leverage }: Pick<Draft, "funding" | "leverage">): FundingWord =>
  funding === "leverage" ? `${leverage}` : funding;

/** The draft fields of a funding choice. */
export function fundedBy(word: FundingWord): Pick<Draft, "funding" | "leverage"> {
  return word === "cash" || word === "margin" ? { funding: word, leverage: 1 } : { funding: "leverage", leverage: Number(word) };
}

/** Why only limit orders for the call auction are accepted; null outside auctions. */
export function auctionRestriction({ phase, paused }: Pick<Circumstances, "phase" | "paused">): Why {
  if (phase === "preOpen" || phase === "closingAuction") return "TRD_AUCTION_LIMIT_ONLY";
  return phase === "halted" || paused ? "TRD_INSTRUMENT_HALTED" : null;
}

function marketsOf({ phase, instrument }: Circumstances): Record<Market, Why> {
  const late = phase === "fixedPrice";
  const closed: Why = "TRD_NON_TRADING_HOURS";
  // Odd lots are not accepted before the open, and do not exist where a lot is one unit.
  const odd: Why = instrument.lotShares === 1 ? "TRD_NOT_TRADABLE" : late || phase === "preOpen" ? closed : null;
  return { board: late ? closed : null, odd, fixed: late && instrument.lotShares > 1 ? null : closed };
}

function fundingsOf({ instrument, rule, free, margin }: Circumstances, market: Market): Choices["funding"] {
  const fullPayment = instrument.watch === "disposition" || free || market === "odd";
  const marginReason: Why = fullPayment || !instrument.marginable ? "TRD_NOT_MARGINABLE" : margin ? null : "TRD_MARGIN_DISABLED";
  const multiples = multiplesOf(rule, instrument).filter((multiple) => multiple > 1);
  return [
    { word: "cash", why: null },
    { word: "margin", why: marginReason },
    ...multiples.map((multiple) => ({ word: `${multiple}` as const, why: fullPayment ? ("TRD_LEVERAGE_NOT_ALLOWED" as const) : null })),
  ];
}

function dayTradeOf({ instrument, dayTrading }: Circumstances, market: Market): Why {
  if (instrument.watch === "disposition" || !instrument.dayTradable || market !== "board") return "TRD_NOT_DAY_TRADABLE";
  return dayTrading ? null : "TRD_DAY_TRADING_DISABLED";
}

/**
 * Adapts a draft to what can be ordered now, and lists every choice: an earlier choice that is unavailable in this phase or market
 * falls back to the default, with the reason, until it is available again.
 */
export function fitted(draft: Draft, circumstances: Circumstances): { draft: Draft; choices: Choices } {
  const markets = marketsOf(circumstances);
  const market = markets[draft.market] === null ? draft.market : circumstances.phase === "fixedPrice" ? "fixed" : "board";
  const call = auctionRestriction(circumstances);
  const limitOnly: Why = market === "odd" ? "TRD_ODD_LIMIT_ONLY" : call;
  const funding = fundingsOf(circumstances, market);
  const paid = funding.some(({ word, why }) => word === fundingWord(draft) && why === null)
    ? { funding: draft.funding, leverage: draft.leverage }
    : fundedBy("cash");
  const dayTrade = dayTradeOf(circumstances, market);
  const shortable = circumstances.instrument.shortable && circumstances.instrument.watch !== "disposition" && !circumstances.free;
  const orderDurationReason: Why = market === "fixed" ? "TRD_NON_TRADING_HOURS" : limitOnly;
  return {
    draft: {
      ...draft,
      market,
      ...paid,
      pricing: market === "fixed" ? "market" : limitOnly === null ? draft.pricing : "limit",
      validity: orderDurationReason === null ? draft.validity : "rod",
      dayTrade: draft.dayTrade && dayTrade === null,
      entry: market === "fixed" ? null : draft.entry,
    },
    choices: {
      direction: { rise: null, fall: shortable ? null : "TRD_NOT_SHORTABLE" },
      pricing: { limit: market === "fixed" ? "TRD_NON_TRADING_HOURS" : null, market: limitOnly },
      market: markets,
      validity: { rod: null, ioc: orderDurationReason, fok: orderDurationReason },
      funding,
      dayTrade,
    },
  };
}

/** How many options of a draft differ from the default, shown on the options button. */
export function choicesMade({ market, validity, funding, dayTrade, entry, exits }: Draft): number {
  return [market !== "board", validity !== "rod", funding !== "cash", dayTrade, entry !== null, Object.keys(exits).length > 0].filter(
    Boolean,
  ).length;
}
