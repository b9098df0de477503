/** A member's option orders: opened or closed whole at the quote of the moment, or refused. */
import type { Answer, Body } from "#contract/endpoints.ts";
import { formatMoney, grouped } from "#contract/kernel/money.ts";
import { directionOf, premiumWorth, sellerMargin } from "#contract/option-terms.ts";
import type { OptionSide } from "#contract/option.ts";
import type { Message } from "#contract/message.ts";
import { formatPremium } from "#contract/premium.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toOptionPosition, toOptionTrade } from "#server/records/option.ts";
import type { OptionRecord, OptionTradeRecord } from "#server/records/option.ts";
import { indexLevels } from "#server/trading/futures/contracts.ts";
import { readFutures } from "#server/trading/futures/futures-in-batch.ts";
import { marginIn, walletOf } from "#server/trading/futures/margin.ts";
import { expiryIn, seriesIn } from "#server/trading/futures/option-value.ts";
import { addOption, dealOption, optionsOf, stepOption, takeOptionNo } from "#server/trading/futures/options-in-batch.ts";
import { optionRuleAt } from "#server/rules/rules.ts";
import { checkRisk } from "#server/trading/order-entry/risk-check.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { isMinorIn } from "#server/trading/sequencer/of-age.ts";
import { readSigned } from "#server/accounts/agreements.ts";
import { putNotice, takeMessageNo } from "#server/accounts/notice.ts";
import { restore } from "#server/accounts/futures/margin-call.ts";
import { blankOption, costOf, listed, priceOf, quoteOf, sameSeries } from "./quote.ts";

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

/** An opening trade to be checked. */
interface Opening {
  row: OptionRecord;
  side: OptionSide;
  lots: number;
  price: number;
  mark: number;
}

/** Checks what opening needs: at most so many lots on a side of the market, and room in the wallet afterwards. */
function checkOpening(batch: Batch, memberId: number, { row, side, lots, price, mark }: Opening): void {
  const { option_right: right, strike } = row;
  const direction = directionOf(right, side === "buy" ? lots : -lots);
  const held = optionsOf(batch, memberId).filter((one) => directionOf(one.option_right, one.lots) === direction);
  const together = held.reduce((sum, one) => sum + Math.abs(one.lots), lots);
  const rule = optionRuleAt(batch.rules, memberId, batch.at);
  if (together > rule.mostLots) throw new Refusal("TRD_OPTION_LOTS", { n: grouped(String(rule.mostLots)) }, "lots");
  // An order is as large as it is alone, whatever it is paired with.
  const index = Math.round((indexLevels(batch.venue)?.last ?? 0) / 10_000);
  checkRisk(
    batch,
    memberId,
    side === "buy" ? premiumWorth(price, lots) : sellerMargin(right, strike, mark, index, lots, rule).initialCents,
  );
  const { lacking } = costOf(batch, walletOf(batch, memberId), row, side, lots, price);
  if (lacking > 0) throw new Refusal("TRD_CONTRACT_MARGIN", { n: formatMoney(lacking) }, "lots");
}

/** Tells of a trade in the inbox. */
function tell(batch: Batch, { member_id: memberId, code, side, lots, price }: OptionTradeRecord, messageNo: number): Message {
  const values = { code, lots: grouped(String(lots)), price: formatPremium(price) };
  return putNotice(batch, memberId, messageNo, { about: side === "buy" ? "optionBought" : "optionSold", values });
}

/** Steps a position of which lots were closed, and tells of it. */
export const stepTraded = (batch: Batch, row: OptionRecord, trade: OptionTradeRecord, messageNo: number): void =>
  stepOption(batch, row, row.lots === 0 ? "option.closed" : "option.changed", tell(batch, trade, messageNo));

/** What every order ends with: a call that is met is over, and the wallet has changed. */
export function finish(batch: Batch, memberId: number): void {
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
  const same = sameSeries(walletOf(batch, memberId), code, series);
  if (same && Math.sign(same.lots) !== (side === "buy" ? 1 : -1)) throw new Refusal("TRD_OPTION_OPPOSITE", {}, "side");
  const row = same ?? blankOption(batch, memberId, { code, series, delivery }, reads.numbers[0]);
  checkOpening(batch, memberId, { row, side, lots, price, mark: quote.mark });
  if (!same) addOption(batch, row);
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
  // Nothing else may lack what it was paired with, and what is bought back is paid for.
  const { lacking } = costOf(batch, walletOf(batch, memberId), row, side, lots, price);
  if (lacking > 0) throw new Refusal("TRD_CONTRACT_MARGIN", { n: formatMoney(lacking) }, "lots");
  const trade = dealOption(batch, row, { tradeNo: reads.tradeNo, side, lots, price, cause: "member" });
  stepTraded(batch, row, trade, reads.messageNo);
  finish(batch, memberId);
  return { trade: toOptionTrade(trade), position: toOptionPosition(row) };
}
