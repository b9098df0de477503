/** What a bid costs and what it may be, computed alike by form and server. Apart from the schemas, so that importing it does not load zod. */
import type { Auction, AuctionRule, AuctionStatus } from "./auction.ts";
import { cents, formatPrice, grouped, price as toPrice, worth } from "./kernel/money.ts";
import type { Cents } from "./kernel/money.ts";
import type { RefusalCode } from "./kernel/refusal.ts";
import { onTick, tickSize } from "./tick.ts";

const WHOLE = 100_000_000n;
const part = (valueCents: number, perMillion: number): bigint => BigInt(valueCents) * BigInt(perMillion);

/** The deposit of a bid worth this much, rounded up to whole NT$ and never more than the value itself. */
export function depositOf({ depositPerMillion }: Pick<AuctionRule, "depositPerMillion">, valueCents: number): Cents {
  return cents(Math.min(valueCents, Number((part(valueCents, depositPerMillion) + WHOLE - 1n) / WHOLE) * 100));
}

/** The award fee on a value won, rounded down to whole NT$. */
export function awardFeeOf({ awardFeePerMillion }: Pick<AuctionRule, "awardFeePerMillion">, wonCents: number): Cents {
  return cents(Number(part(wonCents, awardFeePerMillion) / WHOLE) * 100);
}

/** What a bid takes from the available money when it is placed, and what it costs when all its lots win. */
export interface BidCost {
  valueCents: Cents;
  depositCents: Cents;
  feeCents: Cents;
  /** Deposit and process fee. */
  nowCents: Cents;
  awardFeeCents: Cents;
  /** Due after a win, besides the deposit. */
  laterCents: Cents;
}

export function bidCost({ lotShares, terms }: Pick<Auction, "lotShares" | "terms">, price: number, lots: number): BidCost {
  const valueCents = worth(toPrice(price), lots * lotShares);
  const depositCents = depositOf(terms, valueCents);
  const awardFeeCents = awardFeeOf(terms, valueCents);
  const feeCents = terms.bidFeeCents;
  return {
    valueCents,
    depositCents,
    feeCents,
    nowCents: cents(depositCents + feeCents),
    awardFeeCents,
    laterCents: cents(valueCents + awardFeeCents - depositCents),
  };
}

/** What a bid won: the value, its award fee, the part of the deposit that pays for it, what is still due, and what is given back. */
export interface Award {
  wonCents: Cents;
  awardFeeCents: Cents;
  keptCents: Cents;
  dueCents: Cents;
  refundCents: Cents;
}

/** The award of `wonLots` of a bid whose deposit is `depositCents`. */
export function awardOf(
  { lotShares, terms }: Pick<Auction, "lotShares" | "terms">,
  { price, depositCents }: { price: number; depositCents: number },
  wonLots: number,
): Award {
  const wonCents = worth(toPrice(price), wonLots * lotShares);
  const awardFeeCents = awardFeeOf(terms, wonCents);
  const keptCents = cents(Math.min(depositCents, depositOf(terms, wonCents)));
  return {
    wonCents,
    awardFeeCents,
    keptCents,
    dueCents: cents(wonCents + awardFeeCents - keptCents),
    refundCents: cents(depositCents - keptCents),
  };
}

/** Why a bid cannot be placed: the first of the endpoint's refusals about the auction and the form, and its field. */
export interface BidRefusal {
  code: Extract<
    RefusalCode,
    "AUC_NOT_STARTED" | "AUC_ENDED" | "VAL_BID_MIN" | "TRD_PRICE_OFF_TICK" | "AUC_LOTS_MIN" | "AUC_LOTS_MAX" | "AUC_BIDS_MAX"
  >;
  params: { n?: string };
  field: "code" | "price" | "lots";
}

type Bidden = Pick<Auction, "status" | "opensAt" | "closesAt" | "minimumPrice" | "capLots" | "terms">;

/** Whether an auction takes bids: the clock decides, except that a closed one never reopens. */
export function windowOf({ status, opensAt, closesAt }: Pick<Auction, "status" | "opensAt" | "closesAt">, at: number): AuctionStatus {
  if (status !== "notStarted" && status !== "bidding") return status;
  if (at >= closesAt) return "closed";
  return at >= opensAt ? "bidding" : status;
}

/** Checks a bid against its auction and the number of the member's bids in it; null when it may be placed. */
export function bidRefusal(
  auction: Bidden,
  { price, lots }: { price: number; lots: number },
  { placed, at }: { placed: number; at: number },
): BidRefusal | null {
  const status = windowOf(auction, at);
  if (status === "notStarted") return { code: "AUC_NOT_STARTED", params: {}, field: "code" };
  if (status !== "bidding") return { code: "AUC_ENDED", params: {}, field: "code" };
  const { minimumPrice, capLots, terms } = auction;
  if (price < minimumPrice) return { code: "VAL_BID_MIN", params: { n: formatPrice(minimumPrice) }, field: "price" };
  if (!onTick("stock", price)) return { code: "TRD_PRICE_OFF_TICK", params: { n: formatPrice(tickSize("stock", price)) }, field: "price" };
  if (lots < terms.leastLots) return { code: "AUC_LOTS_MIN", params: { n: grouped(String(terms.leastLots)) }, field: "lots" };
  if (lots > capLots) return { code: "AUC_LOTS_MAX", params: { n: grouped(String(capLots)) }, field: "lots" };
  if (placed >= terms.mostBids) return { code: "AUC_BIDS_MAX", params: { n: String(terms.mostBids) }, field: "code" };
  return null;
}

/** The most lots of one bid and one winner: a part of the lots auctioned, rounded down, but at least the fewest of a bid. */
export function capLotsOf({ capPerMillion, leastLots }: Pick<AuctionRule, "capPerMillion" | "leastLots">, lots: number): number {
  return Math.max(leastLots, Math.floor((lots * capPerMillion) / 1_000_000));
}
