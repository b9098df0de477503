/** What a member may choose on a ticket now, and why not the rest: by the phase, the instrument, its rule and what the member enabled. */
import type { Instrument, SessionPhase } from "#contract/instrument.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Direction, Pricing, Validity } from "#contract/order.ts";
import { multiplesOf } from "#contract/rule.ts";
import type { Market, TradeRule } from "#contract/rule.ts";
import type { Draft } from "./draft.ts";

/** What choices depend on besides what is chosen. */
export interface Circumstances {
  instrument: Pick<Instrument, "shortable" | "dayTradable" | "marginable" | "watch" | "lotShares" | "limitPercent">;
  rule: Pick<TradeRule, "multiples">;
  phase: SessionPhase;
  /** A pause of the instrument's own: its orders gather for a call. */
  paused: boolean;
  /** Nothing bounds the price of its day: money paid in full only. */
  free: boolean;
  /** The member has a margin account, and has signed for day trading. */
  margin: boolean;
  dayTrading: boolean;
}

/** Why it may not be chosen, as the desk would refuse it; null where it may. */
export type Why = RefusalCode | null;

export interface Choices {
  direction: Record<Direction, Why>;
  pricing: Record<Pricing, Why>;
  market: Record<Market, Why>;
  validity: Record<Validity, Why>;
  /** The word of a way to pay: own money, a margin loan, or the multiple of leverage. */
  funding: readonly { word: FundingWord; why: Why }[];
  dayTrade: Why;
}

/** `cash`, `margin`, or a multiple as `2`. */
export type FundingWord = "cash" | "margin" | `${number}`;

export const fundingWord = ({ funding, leverage }: Pick<Draft, "funding" | "leverage">): FundingWord =>
  funding === "leverage" ? `${leverage}` : funding;

/** What a word of funding means in a draft. */
export function fundedBy(word: FundingWord): Pick<Draft, "funding" | "leverage"> {
  return word === "cash" || word === "margin" ? { funding: word, leverage: 1 } : { funding: "leverage", leverage: Number(word) };
}

/** Orders gather for one call: only limits that wait for it are taken. */
export function gathering({ phase, paused }: Pick<Circumstances, "phase" | "paused">): Why {
  if (phase === "preOpen" || phase === "closingAuction") return "TRD_AUCTION_LIMIT_ONLY";
  return phase === "halted" || paused ? "TRD_INSTRUMENT_HALTED" : null;
}

function marketsOf({ phase, instrument }: Circumstances): Record<Market, Why> {
  const late = phase === "fixedPrice";
  const closed: Why = "TRD_NON_TRADING_HOURS";
  // Single shares are not taken before the open, and there are none where one unit is a lot.
  const odd: Why = instrument.lotShares === 1 ? "TRD_NOT_TRADABLE" : late || phase === "preOpen" ? closed : null;
  return { board: late ? closed : null, odd, fixed: late && instrument.lotShares > 1 ? null : closed };
}

function fundingsOf({ instrument, rule, free, margin }: Circumstances, market: Market): Choices["funding"] {
  const plain = instrument.watch === "disposition" || free || market === "odd";
  const marginWhy: Why = plain || !instrument.marginable ? "TRD_NOT_MARGINABLE" : margin ? null : "TRD_MARGIN_DISABLED";
  const multiples = multiplesOf(rule, instrument).filter((multiple) => multiple > 1);
  return [
    { word: "cash", why: null },
    { word: "margin", why: marginWhy },
    ...multiples.map((multiple) => ({ word: `${multiple}` as const, why: plain ? ("TRD_LEVERAGE_NOT_ALLOWED" as const) : null })),
  ];
}

function dayTradeOf({ instrument, dayTrading }: Circumstances, market: Market): Why {
  if (instrument.watch === "disposition" || !instrument.dayTradable || market !== "board") return "TRD_NOT_DAY_TRADABLE";
  return dayTrading ? null : "TRD_DAY_TRADING_DISABLED";
}

/**
 * A draft as it can be ordered now, with every choice there is: what was chosen earlier and cannot be had in this phase or on this
 * market stands at its plain form, with the reason beside it, until it can be had again.
 */
export function fitted(draft: Draft, around: Circumstances): { draft: Draft; choices: Choices } {
  const markets = marketsOf(around);
  const market = markets[draft.market] === null ? draft.market : around.phase === "fixedPrice" ? "fixed" : "board";
  const call = gathering(around);
  const limitOnly: Why = market === "odd" ? "TRD_ODD_LIMIT_ONLY" : call;
  const funding = fundingsOf(around, market);
  const paid = funding.some(({ word, why }) => word === fundingWord(draft) && why === null)
    ? { funding: draft.funding, leverage: draft.leverage }
    : fundedBy("cash");
  const dayTrade = dayTradeOf(around, market);
  const shortable = around.instrument.shortable && around.instrument.watch !== "disposition" && !around.free;
  const lasting: Why = market === "fixed" ? "TRD_NON_TRADING_HOURS" : limitOnly;
  return {
    draft: {
      ...draft,
      market,
      ...paid,
      pricing: market === "fixed" ? "market" : limitOnly === null ? draft.pricing : "limit",
      validity: lasting === null ? draft.validity : "rod",
      dayTrade: draft.dayTrade && dayTrade === null,
      entry: market === "fixed" ? null : draft.entry,
    },
    choices: {
      direction: { rise: null, fall: shortable ? null : "TRD_NOT_SHORTABLE" },
      pricing: { limit: market === "fixed" ? "TRD_NON_TRADING_HOURS" : null, market: limitOnly },
      market: markets,
      validity: { rod: null, ioc: lasting, fok: lasting },
      funding,
      dayTrade,
    },
  };
}

/** How many choices of a draft are other than the plain ones: said on the way to them. */
export function choicesMade({ market, validity, funding, dayTrade, entry, exits }: Draft): number {
  return [market !== "board", validity !== "rod", funding !== "cash", dayTrade, entry !== null, Object.keys(exits).length > 0].filter(
    Boolean,
  ).length;
}
