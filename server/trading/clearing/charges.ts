/** Charges for holding a position: which money pays them, and what is left unpaid. */
import { isOnMargin } from "#contract/margin.ts";
import type { Payment } from "#server/ledger/ledger.ts";
import type { MemberPocket, PocketKind } from "#server/ledger/pocket.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** The member's pocket that pays an order's charges. */
export const payingPockets = (order: OrderRecord): readonly MemberPocket[] => (isOnMargin(order) ? ["available", "margin"] : ["available"]);

/** Charges of a batch left unpaid, by position. */
const unpaid = new WeakMap<OrderRecord, number>();

/** A position's own charges that the member's money could not pay. */
export const unpaidChargesOf = (order: OrderRecord): number => unpaid.get(order) ?? 0;

/** Books a charge for holding a position: paid from the member's money; the position's collateral covers the rest. */
export function charge(batch: Batch, order: OrderRecord, kind: "dividend" | "tax", to: PocketKind, amount: number): void {
  chargeInParts(batch, order, kind, [{ to, amount }]);
}

/** Books a charge that several receive. */
export function chargeInParts(
  batch: Batch,
  order: OrderRecord,
  kind: "dividend" | "tax" | "borrowFee",
  payments: readonly Payment[],
): void {
  const { ledger } = batch;
  const { member_id: memberId, order_no: orderNo } = order;
  const owed = ledger.settle({ memberId, orderNo, kind, moves: [] }, payments, payingPockets(order));
  if (owed === 0) return;
  unpaid.set(order, unpaidChargesOf(order) + owed);
  batch.charged.add(order);
}
