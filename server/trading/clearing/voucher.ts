/** The fee voucher of an order: reserved when it is placed, paid with the fills that open it, returned if there are none. */
import type { VoucherFactType, VoucherStatus } from "#contract/voucher.ts";
import { advance } from "#machines/advance.ts";
import { voucherMachine } from "#machines/voucher.ts";
import { query } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";

const UPDATE = "UPDATE voucher SET status = $2, order_no = $3, paid_cents = $4 WHERE voucher_no = $1";

/** Writes the voucher of an order in a new status, and emits its fact. @throws Error when its machine forbids it, which is a fault */
function step(batch: Batch, order: OrderRecord, from: VoucherStatus, type: VoucherFactType): void {
  const { voucher_no: voucherNo, member_id: memberId } = order;
  const status = advance<VoucherStatus>(voucherMachine, from, type);
  if (!status || voucherNo === null) throw new Error(`${type} cannot happen to the voucher of order ${order.order_no}, which is ${from}`);
  batch.emit(memberId, { type, voucherNo });
  const values = [voucherNo, status, status === "available" ? null : order.order_no, order.voucher_cents];
  batch.deferWrite(async (tx) => {
    await query(tx, UPDATE, values);
  });
}

/** Reserves the member's voucher that expires first for a new order. It keeps it however long it waits. */
export function reserveVoucher(batch: Batch, order: OrderRecord): void {
  const { vouchers } = batch.member(order.member_id);
  const { feePerMillion, feeMinimumCents } = order.terms;
  const place = feePerMillion + feeMinimumCents > 0 ? vouchers.findIndex((one) => one.expires_at > batch.at) : -1;
  const [voucher] = place < 0 ? [] : vouchers.splice(place, 1);
  if (!voucher) return;
  order.voucher_no = voucher.voucher_no;
  order.voucher_left_cents = voucher.face_cents;
  step(batch, order, "available", "voucher.reserved");
}

/** Gives the member what their voucher pays of an opening fee that was just paid. @returns the amount in cents */
export function payByVoucher(batch: Batch, order: OrderRecord, paidFeeCents: number): number {
  const amount = Math.min(order.voucher_left_cents, paidFeeCents);
  if (amount <= 0) return 0;
  const { member_id: memberId, order_no: orderNo, voucher_no: voucherNo } = order;
  batch.ledger.post({ memberId, kind: "voucher", orderNo, moves: [{ from: "rewards", to: "available", amount }] });
  const isFirst = order.voucher_cents === 0;
  order.voucher_left_cents -= amount;
  order.voucher_cents += amount;
  if (isFirst) step(batch, order, "reserved", "voucher.used");
  else {
    const paid = order.voucher_cents;
    batch.deferWrite(async (tx) => {
      await query(tx, "UPDATE voucher SET paid_cents = $2 WHERE voucher_no = $1", [voucherNo, paid]);
    });
  }
  return amount;
}

/** Ends the reservation when nothing more of the order will be opened: an unused voucher is the member's again. */
export function releaseVoucher(batch: Batch, order: OrderRecord): void {
  if (order.voucher_no === null || order.voucher_left_cents === 0) return;
  order.voucher_left_cents = 0;
  if (order.voucher_cents > 0) return;
  step(batch, order, "reserved", "voucher.returned");
  order.voucher_no = null;
}
