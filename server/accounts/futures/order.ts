/** A member's futures order: filled whole at the quote of the moment, or refused. */
import type { Answer } from "#contract/endpoints.ts";
import { pointsWorth } from "#contract/futures-price.ts";
import { formatMoney, grouped } from "#contract/kernel/money.ts";
import type { Message } from "#contract/message.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toFuturesPosition, toFuturesTrade } from "#server/records/futures.ts";
import type { FuturesRecord, FuturesTradeRecord } from "#server/records/futures.ts";
import { checkRisk } from "#server/trading/order-entry/risk-check.ts";
import { futuresRuleAt } from "#server/rules/rules.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { isMinorIn } from "#server/trading/sequencer/of-age.ts";
import type { Tx } from "#server/db/database.ts";
import { readSigned } from "#server/accounts/agreements.ts";
import { addPosition, dealFutures, readFutures, stepFutures, takeFuturesNo } from "#server/trading/futures/futures-in-batch.ts";
import { partsOf } from "#server/trading/futures/contracts.ts";
import { marginIn, walletOf } from "#server/trading/futures/margin.ts";
import { putNotice, takeMessageNo } from "#server/accounts/notice.ts";
import { restore } from "./margin-call.ts";
import { blankFutures, costOf, priceOf, splitOf } from "./quote.ts";
import type { FuturesCost, Order, Split } from "./quote.ts";

/** What an order reads under the member's lock: two trades where it closes lots and opens others. */
export interface OrderReads {
  agreements: "futures"[];
  numbers: readonly [position: number, first: number, second: number];
  messageNo: number;
}

export async function prepareFutures(tx: Tx, batch: Batch, memberId: number): Promise<OrderReads> {
  await readFutures(tx, batch, memberId);
  const signed = (await readSigned(tx, memberId)).some(({ kind }) => kind === "futures");
  const numbers = [await takeFuturesNo(tx), await takeFuturesNo(tx), await takeFuturesNo(tx)] as const;
  return { agreements: signed ? ["futures"] : [], numbers, messageNo: await takeMessageNo(tx) };
}

function checkMember(batch: Batch, memberId: number, { agreements }: OrderReads): void {
  const { owed } = batch.ledger.debt(memberId);
  checkEligible("tradeFutures", { ...batch.member(memberId), debtCents: owed, minor: isMinorIn(batch, memberId), agreements });
}

/** Checks an order: what opens keeps to the most lots, and afterwards the account has its initial margin, or needs no more than before where it only closes. */
function checkOrder(batch: Batch, memberId: number, order: Order, { opened, held }: Split, cost: FuturesCost): void {
  const { product } = partsOf(order.contract);
  const { mostLots } = futuresRuleAt(batch.rules, memberId, product, batch.at);
  if (held + opened > mostLots) throw new Refusal("TRD_CONTRACT_LOTS", { n: grouped(String(mostLots)) }, "lots");
  if (opened > 0) checkRisk(batch, memberId, pointsWorth(product, cost.price * opened));
  if (cost.lacking > 0) throw new Refusal("TRD_CONTRACT_MARGIN", { n: formatMoney(cost.lacking) }, "lots");
}

function newPosition(batch: Batch, row: FuturesRecord): FuturesRecord {
  addPosition(batch, row);
  return row;
}

/** Fills an order. Everything is checked before anything is done. @throws Refusal one of `tradeFutures`'s */
export function tradeFutures(batch: Batch, memberId: number, order: Order, reads: OrderReads): Answer<"tradeFutures"> {
  checkEligible("close", batch.member(memberId));
  const wallet = walletOf(batch, memberId);
  const split = splitOf(wallet, order);
  const { row, against, closed, opened } = split;
  // Who may not open is told so before any contract is looked for.
  if (opened > 0) checkMember(batch, memberId, reads);
  const { price, delivery } = priceOf(batch, order);
  const blank = blankFutures(batch, memberId, order.contract, delivery, reads.numbers[0]);
  checkOrder(batch, memberId, order, split, costOf(batch, wallet, order, split, blank, price));
  const trades: FuturesTradeRecord[] = [];
  // One message tells of the whole order, with its last step.
  const told = (): Message =>
    putNotice(batch, memberId, reads.messageNo, {
      about: order.side === "buy" ? "futuresBought" : "futuresSold",
      values: { code: order.contract, lots: grouped(String(order.lots)), price: grouped(String(price)) },
    });
  const deal = (lots: number, tradeNo: number) => ({ tradeNo, side: order.side, lots, price, cause: "member" as const });
  if (against) {
    trades.push(dealFutures(batch, against, deal(closed, reads.numbers[1])));
    stepFutures(batch, against, against.lots === 0 ? "futures.closed" : "futures.changed", opened > 0 ? null : told());
  }
  const target = opened > 0 ? (against || !row ? newPosition(batch, blank) : row) : against;
  if (!target) throw new Error("an order without a position");
  if (opened > 0) {
    trades.push(dealFutures(batch, target, deal(opened, reads.numbers[2])));
    stepFutures(batch, target, target.version === 0 ? "futures.opened" : "futures.changed", told());
  }
  const { equityCents, initialCents } = marginIn(batch, memberId);
  if (equityCents >= initialCents) restore(batch, memberId);
  batch.emit(memberId, { type: "wallet.changed", kind: "futuresTrade", currencies: ["TWD"] });
  return { trades: trades.map(toFuturesTrade), position: toFuturesPosition(target) };
}
