/** What a futures order would cost: its price now, and the account before and after it. */
import type { Answer, Body } from "#contract/endpoints.ts";
import { futuresFeeOf, futuresTaxOf } from "#contract/futures-price.ts";
import { cents, grouped } from "#contract/kernel/money.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import { futuresRuleAt } from "#server/rules/rules.ts";
import { deliveries, indexLevels, lastTradeAt, partsOf, quoteNow } from "#server/trading/futures/contracts.ts";
import type { Delivery } from "#server/trading/futures/contracts.ts";
import type { Wallet, WalletMargin } from "#server/trading/futures/margin.ts";
import type { MarginSources } from "#server/trading/futures/option-margin.ts";
import { afterFuture, begun, lackingAfterClosing, marginFor } from "#server/trading/futures/trial.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

export type Order = Pick<Body<"tradeFutures">, "contract" | "side" | "lots" | "price">;
type Moment = Pick<Batch, "venue" | "at">;

/** The price of an order now. @throws Refusal where the contract does not trade, or not at the order's limit */
export function priceOf({ venue, at }: Moment, { contract, side, price }: Order): { price: number; delivery: Delivery } {
  const delivery = deliveries(venue, at).find(({ month }) => month === partsOf(contract).month);
  const index = indexLevels(venue);
  if (!delivery || !index) throw new Refusal("GEN_NOT_FOUND", {}, "contract");
  if (venue.phase(at) !== "open" || at >= lastTradeAt(delivery)) throw new Refusal("TRD_NON_TRADING_HOURS");
  if (!venue.fresh(at, index.row)) throw new Refusal("TRD_PRICE_STALE");
  const quote = quoteNow(venue, delivery, at);
  if (!quote) throw new Refusal("TRD_CONTRACT_NO_QUOTE");
  const now = side === "buy" ? quote.ask : quote.bid;
  if (price !== null && (side === "buy" ? now > price : now < price))
    throw new Refusal("TRD_CONTRACT_PRICE", { n: grouped(String(now)) }, "price");
  return { price: now, delivery };
}

/** An order's lots: those that close what is held the other way, those that open, and those that are held the same way. */
export interface Split {
  /** What is held of the contract, and whether the order is against it. */
  row: FuturesRecord | undefined;
  against: FuturesRecord | null;
  closed: number;
  opened: number;
  held: number;
}

export function splitOf({ open }: Wallet, { contract, side, lots }: Order): Split {
  const row = open.futures.find(({ code }) => code === contract);
  const against = row && Math.sign(row.lots) !== (side === "buy" ? 1 : -1) ? row : null;
  const closed = against ? Math.min(lots, Math.abs(against.lots)) : 0;
  return { row, against, closed, opened: lots - closed, held: row && !against ? Math.abs(row.lots) : 0 };
}

/** A position without lots, as an order begins one. */
export function blankFutures(moment: Moment, memberId: number, contract: string, delivery: Delivery, id: number): FuturesRecord {
  return {
    position_no: `X${id}`,
    id,
    member_id: memberId,
    code: contract,
    product: partsOf(contract).product,
    status: "open",
    lots: 0,
    cost_points: 0,
    marked_points: 0,
    ...begun(moment, delivery),
  };
}

/** The price and charges of an order, and the account before and after it. */
export interface FuturesCost {
  price: number;
  fee: number;
  tax: number;
  before: WalletMargin;
  after: WalletMargin;
  /** What the wallet must have first. */
  lacking: number;
}

export function costOf(
  moment: MarginSources & { at: number },
  wallet: Wallet,
  { contract, side, lots }: Order,
  { row, against, closed, opened }: Split,
  blank: FuturesRecord,
  price: number,
): FuturesCost {
  const { product } = partsOf(contract);
  const { at } = moment;
  const terms = futuresRuleAt(moment.rules, blank.member_id, product, at);
  const fee = futuresFeeOf(lots, terms);
  const tax = futuresTaxOf(product, price, lots, terms);
  const sign = side === "buy" ? 1 : -1;
  const charged = { ...wallet, walletCents: wallet.walletCents - fee - tax };
  const closing = against ? afterFuture(charged, against, { signed: sign * closed, price, chargesCents: 0 }) : charged;
  const target = against || !row ? blank : row;
  const done = opened > 0 ? afterFuture(closing, target, { signed: sign * opened, price, chargesCents: 0 }) : closing;
  const before = marginFor(moment, at, wallet);
  const after = marginFor(moment, at, done);
  const lacking = Math.max(0, after.initialCents - after.equityCents);
  return { price, fee, tax, before, after, lacking: opened > 0 ? lacking : lackingAfterClosing(before, after, lacking) };
}

/** What an order would cost now. */
export function quoteFutures(
  moment: MarginSources & Moment,
  memberId: number,
  wallet: Wallet,
  body: Body<"quoteFutures">,
): Omit<Answer<"quoteFutures">, "at"> {
  const order = { ...body, price: null };
  const { price, delivery } = priceOf(moment, order);
  const blank = blankFutures(moment, memberId, body.contract, delivery, 0);
  const { fee, tax, before, after, lacking } = costOf(moment, wallet, order, splitOf(wallet, order), blank, price);
  return {
    price,
    feeCents: cents(fee),
    taxCents: cents(tax),
    marginCents: cents(after.initialCents - before.initialCents),
    marginAfterCents: after.initialCents,
    lackingCents: cents(lacking),
  };
}
