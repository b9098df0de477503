/** A member's futures order: filled whole at the quote of the moment, or refused. */
import type { Answer, Body } from "#contract/endpoints.ts";
import { futuresFeeOf, futuresTaxOf, markOf, pointsWorth } from "#contract/futures-price.ts";
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
import { addPosition, dealFutures, futuresOf, readFutures, stepFutures, takeFuturesNo } from "#server/trading/futures/futures-in-batch.ts";
import { daysLeft, deliveries, indexLevels, lastTradeAt, partsOf, quoteNow } from "#server/trading/futures/contracts.ts";
import type { Delivery } from "#server/trading/futures/contracts.ts";
import { marginIn } from "#server/trading/futures/margin.ts";
import { putNotice, takeMessageNo } from "#server/accounts/notice.ts";
import { restore } from "./margin-call.ts";

type Order = Body<"tradeFutures">;

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

/** The price of an order now. @throws Refusal where the contract does not trade, or not at the order's limit */
function priceOf(batch: Batch, { contract, side, price }: Order): { price: number; mark: number; delivery: Delivery } {
  const { venue, at } = batch;
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
  return { price: now, mark: markOf(index.last, daysLeft(venue, delivery.expiryDay, at)), delivery };
}

function checkMember(batch: Batch, memberId: number, { agreements }: OrderReads): void {
  const { owed } = batch.ledger.debt(memberId);
  checkEligible("tradeFutures", { ...batch.member(memberId), debtCents: owed, minor: isMinorIn(batch, memberId), agreements });
}

/** An order's lots: those that close what is held the other way, those that open, and those that are held the same way. */
interface Split {
  closed: number;
  opened: number;
  held: number;
}

/** What opening lots needs beyond closing them: afterwards the account has its initial margin. */
function checkOpening(
  batch: Batch,
  memberId: number,
  { contract, lots }: Order,
  { closed, opened, held }: Split,
  price: number,
  mark: number,
): void {
  const { product } = partsOf(contract);
  const terms = futuresRuleAt(batch.rules, memberId, product, batch.at);
  const { mostLots, initialCents } = terms;
  if (held + opened > mostLots) throw new Refusal("TRD_CONTRACT_LOTS", { n: grouped(String(mostLots)) }, "lots");
  checkRisk(batch, memberId, pointsWorth(product, price * opened));
  const margin = marginIn(batch, memberId);
  const cost =
    futuresFeeOf(lots, terms) + futuresTaxOf(product, price, lots, terms) + Math.abs(pointsWorth(product, (price - mark) * lots));
  const lacking = margin.initialCents + initialCents * (opened - closed) + cost - margin.equityCents;
  if (lacking > 0) throw new Refusal("TRD_CONTRACT_MARGIN", { n: formatMoney(lacking) }, "lots");
}

function newPosition(batch: Batch, memberId: number, { contract }: Order, delivery: Delivery, id: number): FuturesRecord {
  const row: FuturesRecord = {
    position_no: `X${id}`,
    id,
    member_id: memberId,
    code: contract,
    product: partsOf(contract).product,
    status: "open",
    lots: 0,
    cost_points: 0,
    marked_points: 0,
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
  addPosition(batch, row);
  return row;
}

/** Fills an order. Everything is checked before anything is done. @throws Refusal one of `tradeFutures`'s */
export function tradeFutures(batch: Batch, memberId: number, order: Order, reads: OrderReads): Answer<"tradeFutures"> {
  checkEligible("close", batch.member(memberId));
  const row = futuresOf(batch, memberId).find(({ code }) => code === order.contract);
  const signed = order.side === "buy" ? 1 : -1;
  const against = row && Math.sign(row.lots) !== signed ? row : null;
  const closed = against ? Math.min(order.lots, Math.abs(against.lots)) : 0;
  const opened = order.lots - closed;
  // Who may not open is told so before any contract is looked for.
  if (opened > 0) checkMember(batch, memberId, reads);
  const { price, mark, delivery } = priceOf(batch, order);
  const held = row && !against ? Math.abs(row.lots) : 0;
  if (opened > 0) checkOpening(batch, memberId, order, { closed, opened, held }, price, mark);
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
  const target = opened > 0 ? (against || !row ? newPosition(batch, memberId, order, delivery, reads.numbers[0]) : row) : against;
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
