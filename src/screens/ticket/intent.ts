/** Tells what an order of the ticket does: its side and kind, and what is held, decide whether it opens a position or closes one. */
import { REMEMBERED_KINDS } from "#contract/preference.ts";
import type { RememberedKind } from "#contract/preference.ts";
import type { Direction } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import type { Funding } from "#contract/rule.ts";

export const SIDES = ["buy", "sell"] as const;
export type Side = (typeof SIDES)[number];

/** The kinds on the ticket's face. Leverage multiples are an option of a kind, not a kind. */
export const TRADE_KINDS = ["cash", "margin", "short", "dayTrade"] as const;
export type TradeKind = (typeof TRADE_KINDS)[number];

/** What a trader calls it: opening a long, closing it, opening a short, closing it. */
export type Act = "buy" | "sell" | "short" | "cover";

/** What closing a long or a short is called. */
export const closingAct = ({ direction }: { direction: Direction }): "sell" | "cover" => (direction === "rise" ? "sell" : "cover");

/** Why side and kind together mean nothing: none of that kind is held. */
export type Nothing = "noneToSell" | "noneToCover";

export interface Intent {
  kind: TradeKind;
  act: Act;
  /** Of the position it opens or closes. */
  direction: Direction;
  funding: Funding;
  leverage: number;
  dayTrade: boolean;
  /** The position it closes; null if it opens one. */
  closes: Position | null;
  nothing: Nothing | null;
}

/** The choices of a ticket that decide what its order does. */
export interface Chosen {
  side: Side;
  /** Null until the member chooses one on this ticket. */
  kind: TradeKind | null;
  /** How it is paid, beyond what the kind says. */
  funding: Funding;
  leverage: number;
}

/** Tells whether a position is what an order of this side and kind closes. */
function isClosedBy(side: Side, kind: TradeKind, { direction, funding, dayTrade }: Position): boolean {
  if (direction !== (side === "sell" ? "rise" : "fall")) return false;
  if (kind === "dayTrade" || dayTrade) return dayTrade && kind === "dayTrade";
  if (side === "buy") return kind === "short";
  return kind === "margin" ? funding === "margin" : kind === "cash" && funding !== "margin";
}

/** The position an order of this side and kind closes, preferably one paid as chosen; null for none. */
function closedBy(side: Side, kind: TradeKind, preferred: Funding, held: readonly Position[]): Position | null {
  const matching = held.filter((position) => isClosedBy(side, kind, position));
  return matching.find(({ funding }) => funding === preferred) ?? matching[0] ?? null;
}

/**
 * The kind until the member chooses one: what is held decides first, then the kind chosen last. Selling what is not held starts in
 * cash, which refuses: a short is opened only by choosing it.
 */
export function defaultKind(side: Side, held: readonly Position[], remembered: RememberedKind): TradeKind {
  const closable = (kind: TradeKind): boolean => held.some((position) => isClosedBy(side, kind, position));
  if (side === "buy") return closable("dayTrade") ? "dayTrade" : closable("short") ? "short" : remembered;
  return [remembered, "dayTrade" as const, ...REMEMBERED_KINDS].find(closable) ?? "cash";
}

/** How an order of a kind is paid: cash and margin say so themselves, except for the multiple of a cash order. */
function paidBy(kind: TradeKind, funding: Funding, leverage: number): Pick<Intent, "funding" | "leverage"> {
  if (kind === "margin") return { funding: "margin", leverage: 1 };
  return kind === "cash" && funding === "margin" ? { funding: "cash", leverage: 1 } : { funding, leverage };
}

/** What the order of these choices does, given the positions held of its instrument. */
export function intentOf({ side, kind: chosen, funding, leverage }: Chosen, held: readonly Position[], remembered: RememberedKind): Intent {
  const kind = chosen ?? defaultKind(side, held, remembered);
  const closes = closedBy(side, kind, funding, held);
  if (closes) {
    return {
      kind,
      act: closingAct(closes),
      direction: closes.direction,
      funding: closes.funding,
      leverage: 1,
      dayTrade: closes.dayTrade,
      closes,
      nothing: null,
    };
  }
  const nothing =
    side === "sell" && (kind === "cash" || kind === "margin") ? "noneToSell" : side === "buy" && kind === "short" ? "noneToCover" : null;
  const buys = side === "buy";
  const act = nothing === null ? (buys ? "buy" : "short") : buys ? "cover" : "sell";
  const direction = act === "buy" || act === "sell" ? "rise" : "fall";
  return { kind, act, direction, ...paidBy(kind, funding, leverage), dayTrade: kind === "dayTrade", closes: null, nothing };
}

/** The kind to remember for the next ticket; null for one that must be chosen each time. */
export function remembers(kind: TradeKind): RememberedKind | null {
  return REMEMBERED_KINDS.find((one) => one === kind) ?? null;
}
