/** Fee voucher: the table row and its conversion to the contract's type. */
import type { OrderNo } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Voucher, VoucherStatus } from "#contract/voucher.ts";

export interface VoucherRecord {
  voucher_no: string;
  id: number;
  member_id: number;
  status: VoucherStatus;
  face_cents: number;
  issued_at: number;
  expires_at: number;
  order_no: string | null;
  paid_cents: number;
}

export function toVoucher(row: VoucherRecord): Voucher {
  return {
    voucherNo: row.voucher_no,
    status: row.status,
    faceCents: cents(row.face_cents),
    issuedAt: epochMs(row.issued_at),
    expiresAt: epochMs(row.expires_at),
    orderNo: row.order_no as OrderNo | null,
    paidCents: cents(row.paid_cents),
  };
}
