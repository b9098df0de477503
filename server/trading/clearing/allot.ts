/** Opens a position that was never an order in the market: bought at a given price outside it, and locked until a moment. */
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import type { Instrument } from "#contract/instrument.ts";
import { price as toPrice, worth } from "#contract/kernel/money.ts";
import type { Fill, OrderOrigin } from "#contract/order.ts";
import type { Terms } from "#contract/rule.ts";
import type { BrokerPocket } from "#server/ledger/pocket.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { accrueRebate } from "./rebate.ts";
import { step, UNTOUCHED } from "#server/trading/sequencer/order-record.ts";
import type { FillRecord, OrderRecord } from "#server/trading/sequencer/order-record.ts";

export interface Allotment {
  memberId: number;
  requestId: string;
  instrument: Instrument;
  shares: number;
  price: number;
  feeCents: number;
  terms: Terms;
  origin: OrderOrigin;
  /** The shares cannot be sold by anybody before. */
  lockedUntil: number;
  /** Where the member has held the money: for a purchase, or for an offering. */
  payFrom?: "held" | "reserved";
  /** Whom the value is paid to. */
  payTo: BrokerPocket;
  reason: Fill["reason"];
}

function filledOrder(batch: Batch, asked: Allotment): OrderRecord {
  const { instrument, shares, price, terms, feeCents } = asked;
  // Whole lots where possible, so that they trade on the board.
  const lotShares = shares % instrument.lotShares === 0 ? instrument.lotShares : 1;
  const number = batch.takeNumber();
  return {
    ...UNTOUCHED,
    order_no: number,
    turn: number,
    member_id: asked.memberId,
    request_id: asked.requestId,
    code: instrument.code,
    kind: instrument.kind,
    status: "pending",
    direction: "rise",
    pricing: "limit",
    price,
    bound_price: price,
    currency: HOME_CURRENCY,
    lots: shares / lotShares,
    lot_shares: lotShares,
    leverage: 1,
    market: lotShares === 1 ? "odd" : "board",
    validity: "rod",
    funding: "cash",
    day_trade: false,
    terms,
    trigger_kind: null,
    trigger_price: null,
    origin: asked.origin,
    fills: 1,
    filled_lots: shares / lotShares,
    placed_at: batch.at,
    bought_at: batch.at,
    locked_until: asked.lockedUntil,
    open_cents: worth(toPrice(price), shares),
    open_fee_cents: feeCents,
    asked_at: batch.at,
    turn_at: batch.at,
  };
}

/**
 * Opens the position and pays for it, in full and at once, from what is held for it: the value and the fee. Takes one order
 * number.
 */
export function allot(batch: Batch, asked: Allotment): OrderRecord {
  const order = filledOrder(batch, asked);
  const posting = { memberId: asked.memberId, orderNo: order.order_no };
  const from = asked.payFrom ?? "held";
  batch.add(order);
  batch.ledger.post({ ...posting, kind: "buy", moves: [{ from, to: asked.payTo, amount: order.open_cents }] });
  batch.ledger.post({ ...posting, kind: "fee", moves: [{ from, to: "fees", amount: asked.feeCents }] });
  // Fees of an offering are no commission.
  if (from === "held") accrueRebate(batch, order, asked.feeCents);
  const fill: FillRecord = {
    order_no: order.order_no,
    n: 1,
    member_id: asked.memberId,
    side: "open",
    at: batch.at,
    price: asked.price,
    lots: order.filled_lots,
    fee_cents: asked.feeCents,
    tax_cents: 0,
    reason: asked.reason,
    level: 0,
    best: asked.price,
    profit_cents: 0,
  };
  batch.addFill(fill);
  step(order, "order.filled");
  batch.emitOrderFact("order.filled", order, [fill]);
  return order;
}
