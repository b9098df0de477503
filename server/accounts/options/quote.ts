/** What option orders would cost: the listed series, its price now, and the account before and after the trade. */
import type { Answer, Body } from "#contract/endpoints.ts";
import { cents, formatUnits } from "#contract/kernel/money.ts";
import { seriesCode, seriesOf } from "#contract/option-code.ts";
import type { Series } from "#contract/option-code.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { onPremiumTick, premiumTick } from "#contract/option-price.ts";
import type { OptionQuote } from "#contract/option-price.ts";
import type { OptionSide } from "#contract/option.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { optionRuleAt } from "#server/rules/rules.ts";
import { indexLevels, lastTradeAt } from "#server/trading/futures/contracts.ts";
import type { Delivery } from "#server/trading/futures/contracts.ts";
import type { Wallet, WalletMargin } from "#server/trading/futures/margin.ts";
import type { MarginSources, OpenContracts } from "#server/trading/futures/option-margin.ts";
import { expiryIn, seriesIn } from "#server/trading/futures/option-value.ts";
import { chargesOf } from "#server/trading/futures/options-in-batch.ts";
import { optionDeliveries, optionQuoteNow, strikesOf } from "#server/trading/futures/option-series.ts";
import type { Expiry } from "#server/trading/futures/option-series.ts";
import { afterOption, begun, lackingAfterClosing, marginFor } from "#server/trading/futures/trial.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Venue } from "#server/venue/venue.ts";
import { spreadAfter } from "./spread.ts";

type Moment = Pick<Batch, "venue" | "at">;
/** Where and when a wallet is looked at. */
export type WalletMoment = MarginSources & { at: Batch["at"] };

/** The listed series of a code. @throws Refusal GEN_NOT_FOUND */
export function listed(venue: Venue, at: number, code: string): { series: Series; delivery: Delivery } {
  const { month, ...series } = seriesOf(code);
  const delivery = optionDeliveries(venue, at).find((one) => one.month === month);
  // A code with zeros before its strike would be another name of the same series, in which positions are found by their code.
  const isListed = strikesOf(venue, at, month).includes(series.strike) && code === seriesCode(month, series);
  if (!delivery || !isListed) throw new Refusal("GEN_NOT_FOUND", {}, "series");
  return { series, delivery };
}

/** The quote of a series. @throws Refusal where it does not trade now */
export function quoteOf({ venue, at }: Moment, expiry: Expiry, series: Series): OptionQuote {
  if (venue.phase(at) !== "open" || at >= lastTradeAt(expiry)) throw new Refusal("TRD_NON_TRADING_HOURS");
  const index = indexLevels(venue);
  if (!index || !venue.fresh(at, index.row)) throw new Refusal("TRD_PRICE_STALE");
  const quote = optionQuoteNow(venue, expiry, series, at);
  if (!quote) throw new Refusal("TRD_CONTRACT_NO_QUOTE");
  return quote;
}

/** The price of an order now. @throws Refusal where the limit is between ticks, nobody buys the series, or not at the limit */
export function priceOf({ bid, ask }: OptionQuote, side: OptionSide, limit: number | null): number {
  if (limit !== null && !onPremiumTick(limit)) throw new Refusal("TRD_PRICE_OFF_TICK", { n: formatUnits(premiumTick(limit), 10) }, "price");
  const now = side === "buy" ? ask : bid;
  if (now === null) throw new Refusal("TRD_CONTRACT_NO_QUOTE");
  if (limit !== null && (side === "buy" ? now > limit : now < limit))
    throw new Refusal("TRD_CONTRACT_PRICE", { n: formatUnits(now, 10) }, "price");
  return now;
}

/** A position without lots, as an order begins one. */
export function blankOption(
  moment: Moment,
  memberId: number,
  { code, series, delivery }: { code: string; series: Series; delivery: Delivery },
  id: number,
): OptionRecord {
  return {
    position_no: `O${id}`,
    id,
    member_id: memberId,
    code,
    month: delivery.month,
    option_right: series.right,
    strike: series.strike,
    status: "open",
    lots: 0,
    cost_tenths: 0,
    marked_tenths: 0,
    ...begun(moment, delivery),
  };
}

/** The position of a series that an order joins: of the same strike, which dividends lower. */
export const sameSeries = ({ open }: Wallet, code: string, series: Series): OptionRecord | undefined =>
  open.options.find((row) => row.code === code && row.strike === series.strike);

/** What a trade takes, and the account before and after it. */
export interface Cost {
  premium: number;
  fee: number;
  tax: number;
  before: WalletMargin;
  after: WalletMargin;
  /** The positions after it. */
  open: OpenContracts;
  /** What the wallet must have first. */
  lacking: number;
}

/**
 * What a trade of a position would cost. One that only closes needs nothing but margin that it adds, and a wallet that can pay for it: what
 * could not be paid would be a debt.
 */
export function costOf(moment: WalletMoment, wallet: Wallet, row: OptionRecord, side: OptionSide, lots: number, price: number): Cost {
  const { at } = moment;
  const { fee, tax } = chargesOf({ side, lots, price, cause: "member" }, optionRuleAt(moment.rules, row.member_id, at));
  const signed = side === "buy" ? lots : -lots;
  const before = marginFor(moment, at, wallet);
  const done = afterOption(wallet, row, { signed, price, chargesCents: fee + tax });
  const after = marginFor(moment, at, done);
  const closes = row.lots !== 0 && Math.sign(row.lots) !== Math.sign(signed);
  const lacking = Math.max(0, 0 - after.roomCents);
  return {
    premium: premiumWorth(price, lots),
    fee,
    tax,
    before,
    after,
    open: done.open,
    lacking: closes ? Math.max(lackingAfterClosing(before, after, lacking), 0 - done.walletCents) : lacking,
  };
}

/** A cost as a member is told it. */
const toldOf = ({ premium, fee, tax, before, after, lacking }: Cost) => ({
  premiumCents: cents(premium),
  feeCents: cents(fee),
  taxCents: cents(tax),
  marginCents: cents(after.initialCents - before.initialCents),
  marginAfterCents: after.initialCents,
  freeCents: before.freeCents,
  lackingCents: cents(lacking),
});

/** What an opening trade would cost now. */
export function quoteOption(
  moment: WalletMoment,
  memberId: number,
  wallet: Wallet,
  { series: code, side, lots }: Body<"quoteOption">,
): Omit<Answer<"quoteOption">, "at"> {
  const { series, delivery } = listed(moment.venue, moment.at, code);
  const quote = quoteOf(moment, delivery, series);
  const price = priceOf(quote, side, null);
  const same = sameSeries(wallet, code, series);
  // What is held the other way is closed first, so that its order is refused; what it would cost is told as if nothing were held.
  const joins = same && Math.sign(same.lots) === (side === "buy" ? 1 : -1);
  const row = joins ? same : blankOption(moment, memberId, { code, series, delivery }, 0);
  const cost = costOf(moment, wallet, row, side, lots, price);
  const spread = spreadAfter(moment, cost.open, row.position_no, cost.fee + cost.tax);
  return { price, mark: quote.mark, ...toldOf(cost), spread };
}

/** What closing lots of a position would bring now, and what margin the account needs then. */
export function quoteCloseOption(
  moment: WalletMoment,
  wallet: Wallet,
  { positionNo, lots }: Body<"quoteCloseOption">,
): Omit<Answer<"quoteCloseOption">, "at"> {
  const row = wallet.open.options.find((one) => one.position_no === positionNo);
  if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "positionNo");
  const some = Math.min(lots, Math.abs(row.lots));
  const side = row.lots > 0 ? "sell" : "buy";
  const quote = quoteOf(moment, expiryIn(row), seriesIn(row));
  const price = priceOf(quote, side, null);
  return { price, mark: quote.mark, ...toldOf(costOf(moment, wallet, row, side, some, price)), spread: null };
}
