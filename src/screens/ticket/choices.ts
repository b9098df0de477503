/** Tells which options a ticket offers now and why others are disabled: by phase, instrument, trade rule, holdings and member settings. */
import type { Instrument, SessionPhase } from "#contract/instrument.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Pricing, Validity } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import type { RememberedKind } from "#contract/preference.ts";
import { multiplesOf } from "#contract/rule.ts";
import type { Funding, Market, TradeRule } from "#contract/rule.ts";
import { offeredUnits } from "./closing.ts";
import type { Draft } from "./draft.ts";
import { intentOf } from "./intent.ts";
import type { Intent, Side, TradeKind } from "./intent.ts";

/** What the choices depend on besides the draft. */
export interface Circumstances {
  instrument: Pick<Instrument, "kind" | "shortable" | "dayTradable" | "marginable" | "watch" | "lotShares" | "limitPercent">;
  rule: Pick<TradeRule, "multiples">;
  phase: SessionPhase;
  /** When an order goes to the market that is placed now, while it is closed; null while orders go there at once. */
  reservesFor: number | null;
  /** Why the instrument takes only orders for its next call auction: a halt, or disposition; null while it is traded continuously. */
  paused: Why;
  /** No daily price limit applies: orders must be paid in full. */
  free: boolean;
  /** The member has a margin account, and has signed the day trading agreement. */
  margin: boolean;
  dayTrading: boolean;
  /** Below the age of majority. */
  minor: boolean;
  /** The member's positions in the instrument. */
  held: readonly Position[];
  /** The kind the member chose last. */
  remembered: RememberedKind;
}

/** The refusal the broker would give for a choice; null if it is allowed. */
export type Why = RefusalCode | null;

export interface Choices {
  /** The kinds on the ticket's face; `noneToCover`: no short is held that could be bought back. */
  kinds: Record<TradeKind, Why | "noneToCover">;
  pricing: Record<Pricing, Why>;
  market: Record<Market, Why>;
  validity: Record<Validity, Why>;
  /** The ways to pay: own money, a margin loan, or the multiple of leverage. */
  funding: readonly { word: FundingWord; why: Why }[];
}

/** `cash`, `margin`, or a multiple as `2`. */
export type FundingWord = "cash" | "margin" | `${number}`;

export const fundingWord = ({ funding, leverage }: { funding: Funding; leverage: number }): FundingWord =>
  funding === "leverage" ? `${leverage}` : funding;

/** The draft fields of a funding choice. */
export function fundedBy(word: FundingWord): Pick<Draft, "funding" | "leverage"> {
  return word === "cash" || word === "margin" ? { funding: word, leverage: 1 } : { funding: "leverage", leverage: Number(word) };
}

/** Why only limit orders for the call auction are accepted; null outside auctions. */
export function auctionRestriction({ phase, paused, reservesFor }: Pick<Circumstances, "phase" | "paused" | "reservesFor">): Why {
  if (phase === "preOpen" || phase === "closingAuction" || reservesFor !== null) return "TRD_AUCTION_LIMIT_ONLY";
  return phase === "halted" ? "TRD_INSTRUMENT_HALTED" : paused;
}

function marketsOf({ phase, instrument, reservesFor }: Circumstances): Record<Market, Why> {
  const late = phase === "fixedPrice" || phase === "oddLot";
  const closed: Why = "TRD_NON_TRADING_HOURS";
  // Odd lots are not accepted before the open, and do not exist where a lot is one unit.
  const odd: Why = instrument.lotShares === 1 ? "TRD_NOT_TRADABLE" : phase === "preOpen" || reservesFor !== null ? closed : null;
  return { board: late ? closed : null, odd, fixed: phase === "fixedPrice" && instrument.lotShares > 1 ? null : closed };
}

/** Orders that must be paid in full: neither margin nor leverage nor a short. */
const fullPayment = ({ instrument, free }: Circumstances): boolean => instrument.watch === "disposition" || free;

function marginWhy(circumstances: Circumstances, market: Market): Why {
  if (fullPayment(circumstances) || market === "odd" || !circumstances.instrument.marginable) return "TRD_NOT_MARGINABLE";
  if (circumstances.minor) return "ACC_MINOR";
  return circumstances.margin ? null : "TRD_MARGIN_DISABLED";
}

/** The ways to pay an order of a kind. The margin chip is one itself. */
function fundingsOf(circumstances: Circumstances, market: Market, kind: TradeKind): Choices["funding"] {
  if (kind === "margin") return [{ word: "margin", why: null }];
  const minorWhy: Why = circumstances.minor ? "ACC_MINOR" : null;
  const why: Why = fullPayment(circumstances) || market === "odd" ? "TRD_LEVERAGE_NOT_ALLOWED" : minorWhy;
  const multiples = multiplesOf(circumstances.rule, circumstances.instrument).filter((multiple) => multiple > 1);
  return [
    { word: "cash", why: null },
    ...(kind === "cash" ? [] : [{ word: "margin" as const, why: marginWhy(circumstances, market) }]),
    ...multiples.map((multiple) => ({ word: `${multiple}` as const, why })),
  ];
}

function dayTradeWhy({ instrument, dayTrading }: Circumstances, market: Market): Why {
  if (instrument.watch === "disposition" || !instrument.dayTradable || market !== "board") return "TRD_NOT_DAY_TRADABLE";
  return dayTrading ? null : "TRD_DAY_TRADING_DISABLED";
}

/** Why a kind is unavailable on a side: closing what is held is always possible. */
function kindsOf(circumstances: Circumstances, side: Side, market: Market): Choices["kinds"] {
  const { held, instrument } = circumstances;
  const holds = (direction: Position["direction"], ofDay: boolean): boolean =>
    held.some((position) => position.direction === direction && position.dayTrade === ofDay);
  const minorWhy: Why = circumstances.minor ? "ACC_MINOR" : null;
  const shortWhy: Why = instrument.shortable && !fullPayment(circumstances) ? minorWhy : "TRD_NOT_SHORTABLE";
  const offsets = holds(side === "buy" ? "fall" : "rise", true);
  return {
    cash: null,
    margin: side === "sell" ? null : marginWhy(circumstances, market),
    short: side === "sell" ? shortWhy : holds("fall", false) ? null : "noneToCover",
    dayTrade: offsets ? null : (dayTradeWhy(circumstances, market) ?? (side === "sell" ? shortWhy : null)),
  };
}

/** The side and kind as they can be ordered now. */
function intentNow(draft: Draft, circumstances: Circumstances, market: Market, kinds: Choices["kinds"]): Intent {
  const kind = draft.kind !== null && kinds[draft.kind] === null ? draft.kind : null;
  const remembered = kinds[circumstances.remembered] === null ? circumstances.remembered : "cash";
  const intent = intentOf({ ...draft, kind }, circumstances.held, remembered);
  const word = fundingWord(intent);
  const available = fundingsOf(circumstances, market, intent.kind).some((one) => one.word === word && one.why === null);
  return intent.closes || available ? intent : { ...intent, ...fundedBy("cash") };
}

/** The market of an order: a close goes where what is held can be sold. */
function marketOf(draft: Draft, { instrument, phase }: Circumstances, markets: Choices["market"], closes: Position | null): Market {
  const whole = phase === "fixedPrice" ? "fixed" : "board";
  const market = markets[draft.market] === null ? draft.market : phase === "oddLot" ? "odd" : whole;
  const offers = (one: Market): boolean =>
    closes !== null && offeredUnits(closes.orders, one === "odd" ? "odd" : "board", instrument.lotShares) > 0;
  if (closes === null || offers(market)) return market;
  const other = market === "odd" ? whole : "odd";
  return markets[other] === null && offers(other) ? other : market;
}

/**
 * Adapts a draft to what can be ordered now, and lists every choice: an earlier choice that is unavailable in this phase or market
 * falls back to the default, with the reason, until it is available again.
 */
export function fitted(draft: Draft, circumstances: Circumstances): { draft: Draft; intent: Intent; choices: Choices } {
  const markets = marketsOf(circumstances);
  const asked = marketOf(draft, circumstances, markets, null);
  const kinds = kindsOf(circumstances, draft.side, asked);
  const intent = intentNow(draft, circumstances, asked, kinds);
  const market = marketOf(draft, circumstances, markets, intent.closes);
  const call = auctionRestriction(circumstances);
  const limitOnly: Why = market === "odd" ? "TRD_ODD_LIMIT_ONLY" : call;
  const orderDurationReason: Why = market === "fixed" ? "TRD_NON_TRADING_HOURS" : limitOnly;
  const opens = intent.closes === null;
  const reserves = circumstances.reservesFor !== null;
  return {
    intent,
    draft: {
      ...draft,
      market,
      pricing: market === "fixed" ? "market" : limitOnly === null ? draft.pricing : "limit",
      validity: orderDurationReason === null ? draft.validity : "rod",
      entry: market === "fixed" || !opens || reserves ? null : draft.entry,
      exits: opens ? draft.exits : {},
    },
    choices: {
      kinds,
      pricing: { limit: market === "fixed" ? "TRD_NON_TRADING_HOURS" : null, market: limitOnly },
      market: markets,
      validity: { rod: null, ioc: orderDurationReason, fok: orderDurationReason },
      funding: fundingsOf(circumstances, market, intent.kind),
    },
  };
}

/** How many options behind the button differ from the default. */
export function choicesMade({ validity, entry, exits, market }: Draft, { funding, kind }: Pick<Intent, "funding" | "kind">): number {
  const paid = funding !== "cash" && kind !== "margin";
  return [market === "fixed", validity !== "rod", paid, entry !== null, Object.keys(exits).length > 0].filter(Boolean).length;
}
