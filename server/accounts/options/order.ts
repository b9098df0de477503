/** A member's option orders: opened or closed whole at the quote of the moment, or refused. */
import type { Answer, Body } from "#contract/endpoints.ts";
import { cents, formatMoney, formatUnits, grouped } from "#contract/kernel/money.ts";
import { seriesCode, seriesOf } from "#contract/option-code.ts";
import type { Series } from "#contract/option-code.ts";
import type { OptionRule } from "#contract/option-rule.ts";
import { directionOf, premiumWorth, sellerMargin } from "#contract/option-terms.ts";
import { onPremiumTick, premiumTick } from "#contract/option-price.ts";
import type { OptionQuote } from "#contract/option-price.ts";
import type { OptionSide } from "#contract/option.ts";
import type { Message } from "#contract/message.ts";
import { formatPremium } from "#contract/premium.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toOptionPosition, toOptionTrade } from "#server/records/option.ts";
import type { OptionRecord, OptionTradeRecord } from "#server/records/option.ts";
import { indexLevels, lastTradeAt } from "#server/trading/futures/contracts.ts";
import type { Delivery } from "#server/trading/futures/contracts.ts";
import { readFutures } from "#server/trading/futures/futures-in-batch.ts";
import { marginIn } from "#server/trading/futures/margin.ts";
import { expiryIn, seriesIn } from "#server/trading/futures/option-value.ts";
import { addOption, chargesOf, dealOption, optionsOf, stepOption, takeOptionNo } from "#server/trading/futures/options-in-batch.ts";
import { optionDeliveries, optionQuoteNow, strikesOf } from "#server/trading/futures/option-series.ts";
import type { Expiry } from "#server/trading/futures/option-series.ts";
import { optionRuleAt } from "#server/rules/rules.ts";
import { checkRisk } from "#server/trading/order-entry/risk-check.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { isMinorIn } from "#server/trading/sequencer/of-age.ts";
import type { Venue } from "#server/venue/venue.ts";
import { readSigned } from "#server/accounts/agreements.ts";
import { putNotice, takeMessageNo } from "#server/accounts/notice.ts";
import { restore } from "#server/accounts/futures/margin-call.ts";

type Moment = Pick<Batch, "venue" | "at">;

/** What an order reads under the member's lock. */
export interface OptionReads {
  agreements: "options"[];
  numbers: readonly [position: number, trade: number];
  messageNo: number;
}

export async function prepareOpenOption(tx: Tx, batch: Batch, memberId: number): Promise<OptionReads> {
  await readFutures(tx, batch, memberId);
  const signed = (await readSigned(tx, memberId)).some(({ kind }) => kind === "options");
  const numbers = [await takeOptionNo(tx), await takeOptionNo(tx)] as const;
  return { agreements: signed ? ["options"] : [], numbers, messageNo: await takeMessageNo(tx) };
}

/** The listed series of a code. @throws Refusal GEN_NOT_FOUND */
function listed(venue: Venue, at: number, code: string): { series: Series; delivery: Delivery } {
  const { month, ...series } = seriesOf(code);
  const delivery = optionDeliveries(venue, at).find((one) => one.month === month);
  // A code with zeros before its strike would be another name of the same series, in which positions are found by their code.
  const isListed = strikesOf(venue, at, month).includes(series.strike) && code === seriesCode(month, series);
  if (!delivery || !isListed) throw new Refusal("GEN_NOT_FOUND", {}, "series");
  return { series, delivery };
}

/** The quote of a series. @throws Refusal where it does not trade now */
function quoteOf({ venue, at }: Moment, expiry: Expiry, series: Series): OptionQuote {
  if (venue.phase(at) !== "open" || at >= lastTradeAt(expiry)) throw new Refusal("TRD_NON_TRADING_HOURS");
  const index = indexLevels(venue);
  if (!index || !venue.fresh(at, index.row)) throw new Refusal("TRD_PRICE_STALE");
  const quote = optionQuoteNow(venue, expiry, series, at);
  if (!quote) throw new Refusal("TRD_CONTRACT_NO_QUOTE");
  return quote;
}

/** The price of an order now. @throws Refusal where the limit is between ticks, nobody buys the series, or not at the limit */
function priceOf({ bid, ask }: OptionQuote, side: OptionSide, limit: number | null): number {
  if (limit !== null && !onPremiumTick(limit)) throw new Refusal("TRD_PRICE_OFF_TICK", { n: formatUnits(premiumTick(limit), 10) }, "price");
  const now = side === "buy" ? ask : bid;
  if (now === null) throw new Refusal("TRD_CONTRACT_NO_QUOTE");
  if (limit !== null && (side === "buy" ? now > limit : now < limit))
    throw new Refusal("TRD_CONTRACT_PRICE", { n: formatUnits(now, 10) }, "price");
  return now;
}

/** What an opening trade takes and needs, in cents. */
interface Cost {
  premium: number;
  fee: number;
  tax: number;
  /** The margin it adds. */
  margin: number;
  /** What the wallet must have room for. */
  needed: number;
}

function costOf(
  venue: Venue,
  { right, strike }: Series,
  side: OptionSide,
  lots: number,
  price: number,
  mark: number,
  rule: OptionRule,
): Cost {
  const { fee, tax } = chargesOf({ side, lots, price, cause: "member" }, rule);
  const premium = premiumWorth(price, lots);
  const index = Math.round((indexLevels(venue)?.last ?? 0) / 10_000);
  const margin = side === "buy" ? 0 : sellerMargin(right, strike, mark, index, lots, rule).initialCents;
  return { premium, fee, tax, margin, needed: fee + tax + (side === "buy" ? premium : margin - premium) };
}

/** What an opening trade would cost now. */
export function quoteOption(
  moment: Moment,
  rule: OptionRule,
  roomCents: number,
  { series: code, side, lots }: Body<"quoteOption">,
): Omit<Answer<"quoteOption">, "at"> {
  const { series, delivery } = listed(moment.venue, moment.at, code);
  const quote = quoteOf(moment, delivery, series);
  const price = priceOf(quote, side, null);
  const { premium, fee, tax, margin, needed } = costOf(moment.venue, series, side, lots, price, quote.mark, rule);
  return {
    price,
    mark: quote.mark,
    premiumCents: cents(premium),
    feeCents: cents(fee),
    taxCents: cents(tax),
    marginCents: cents(margin),
    freeCents: cents(Math.max(0, roomCents)),
    lackingCents: cents(Math.max(0, needed - roomCents)),
  };
}

/** Checks what opening needs: at most so many lots on a side of the market, and room in the wallet afterwards. */
function checkOpening(batch: Batch, memberId: number, series: Series, signed: number, cost: Cost, rule: OptionRule): void {
  const direction = directionOf(series.right, signed);
  const held = optionsOf(batch, memberId).filter(({ option_right: right, lots }) => directionOf(right, lots) === direction);
  const together = held.reduce((sum, { lots }) => sum + Math.abs(lots), Math.abs(signed));
  if (together > rule.mostLots) throw new Refusal("TRD_OPTION_LOTS", { n: grouped(String(rule.mostLots)) }, "lots");
  checkRisk(batch, memberId, signed > 0 ? cost.premium : cost.margin);
  const lacking = cost.needed - marginIn(batch, memberId).roomCents;
  if (lacking > 0) throw new Refusal("TRD_CONTRACT_MARGIN", { n: formatMoney(lacking) }, "lots");
}

function newOption(batch: Batch, memberId: number, code: string, series: Series, delivery: Delivery, id: number): OptionRecord {
  const row: OptionRecord = {
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
    paid_cents: 0,
    fee_cents: 0,
    tax_cents: 0,
    mark_day: batch.venue.feeDay(batch.at),
    expiry_day: delivery.expiryDay,
    expiry_opens_at: delivery.opensAt,
    expiry_closes_at: delivery.closesAt,
    called_day: null,
    opened_at: batch.at,
    ended_at: null,
    version: 0,
  };
  addOption(batch, row);
  return row;
}

/** Tells of a trade in the inbox. */
function tell(batch: Batch, { member_id: memberId, code, side, lots, price }: OptionTradeRecord, messageNo: number): Message {
  const values = { code, lots: grouped(String(lots)), price: formatPremium(price) };
  return putNotice(batch, memberId, messageNo, { about: side === "buy" ? "optionBought" : "optionSold", values });
}

/** What every order ends with: a call that is met is over, and the wallet has changed. */
function finish(batch: Batch, memberId: number): void {
  const { equityCents, initialCents } = marginIn(batch, memberId);
  if (equityCents >= initialCents) restore(batch, memberId);
  batch.emit(memberId, { type: "wallet.changed", kind: "optionTrade", currencies: ["TWD"] });
}

/** Opens lots of a listed series. Everything is checked before anything is done. @throws Refusal one of `openOption`'s */
export function openOption(batch: Batch, memberId: number, body: Body<"openOption">, reads: OptionReads): Answer<"openOption"> {
  const { series: code, side, lots } = body;
  const { owed } = batch.ledger.debt(memberId);
  // Who may not open is told so before any series is looked for.
  checkEligible("tradeOptions", {
    ...batch.member(memberId),
    debtCents: owed,
    minor: isMinorIn(batch, memberId),
    agreements: reads.agreements,
  });
  const { series, delivery } = listed(batch.venue, batch.at, code);
  const quote = quoteOf(batch, delivery, series);
  const price = priceOf(quote, side, body.price);
  const signed = side === "buy" ? lots : -lots;
  const same = optionsOf(batch, memberId).find((row) => row.code === code && row.strike === series.strike);
  if (same && Math.sign(same.lots) !== Math.sign(signed)) throw new Refusal("TRD_OPTION_OPPOSITE", {}, "side");
  const rule = optionRuleAt(batch.rules, memberId, batch.at);
  checkOpening(batch, memberId, series, signed, costOf(batch.venue, series, side, lots, price, quote.mark, rule), rule);
  const row = same ?? newOption(batch, memberId, code, series, delivery, reads.numbers[0]);
  const trade = dealOption(batch, row, { tradeNo: reads.numbers[1], side, lots, price, cause: "member" });
  stepOption(batch, row, row.version === 0 ? "option.opened" : "option.changed", tell(batch, trade, reads.messageNo));
  finish(batch, memberId);
  return { trade: toOptionTrade(trade), position: toOptionPosition(row) };
}

/** What closing reads: a position that has ended too, so that it can be told. */
export interface CloseReads {
  ended: boolean;
  tradeNo: number;
  messageNo: number;
}

const ENDED = "SELECT 1 FROM option_position WHERE member_id = $1 AND position_no = $2 AND status NOT IN ('open', 'called')";

export async function prepareCloseOption(tx: Tx, batch: Batch, memberId: number, positionNo: string): Promise<CloseReads> {
  await readFutures(tx, batch, memberId);
  return {
    ended: (await query(tx, ENDED, [memberId, positionNo])).length > 0,
    tradeNo: await takeOptionNo(tx),
    messageNo: await takeMessageNo(tx),
  };
}

/** Closes lots of a position. @throws Refusal one of `closeOption`'s */
export function closeOption(batch: Batch, memberId: number, body: Body<"closeOption">, reads: CloseReads): Answer<"closeOption"> {
  const { positionNo, lots } = body;
  checkEligible("close", batch.member(memberId));
  const row = optionsOf(batch, memberId).find((one) => one.position_no === positionNo);
  if (!row) throw new Refusal(reads.ended ? "TRD_ALREADY_CLOSED" : "GEN_NOT_FOUND", {}, "positionNo");
  if (lots > Math.abs(row.lots)) throw new Refusal("TRD_CLOSE_EXCEEDS", { n: grouped(String(Math.abs(row.lots))) }, "lots");
  const side = row.lots > 0 ? "sell" : "buy";
  const price = priceOf(quoteOf(batch, expiryIn(row), seriesIn(row)), side, body.price);
  const trade = dealOption(batch, row, { tradeNo: reads.tradeNo, side, lots, price, cause: "member" });
  stepOption(batch, row, row.lots === 0 ? "option.closed" : "option.changed", tell(batch, trade, reads.messageNo));
  finish(batch, memberId);
  return { trade: toOptionTrade(trade), position: toOptionPosition(row) };
}
