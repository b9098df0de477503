/** Fee vouchers: each pays the opening fee of one order, up to its face. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { OrderNo } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";

/** The lifecycle of a voucher; the same in SQL, machine and locale (`reward.voucher.*`). */
export const VOUCHER_STATUSES = ["available", "reserved", "used", "expired"] as const;
export const VoucherStatus = z.enum(VOUCHER_STATUSES);
export type VoucherStatus = z.infer<typeof VoucherStatus>;

export const VOUCHER_FACTS = [
  "voucher.issued",
  /** The member's next order was placed. */
  "voucher.reserved",
  /** That order ended without a fill. */
  "voucher.returned",
  "voucher.used",
  "voucher.expired",
] as const;
export const VoucherFactType = z.enum(VOUCHER_FACTS);
export type VoucherFactType = z.infer<typeof VoucherFactType>;

export const VoucherNo = z.string().check(z.regex(/^V\d{1,12}$/, "GEN_NOT_FOUND"));

export const Voucher = z.object({
  voucherNo: VoucherNo,
  status: VoucherStatus,
  faceCents: Cents,
  issuedAt: EpochMs,
  /** An order placed before keeps it until the order ends. */
  expiresAt: EpochMs,
  /** The order it is reserved for or was used by. */
  orderNo: z.nullable(OrderNo),
  /** What it paid of that order's fee. */
  paidCents: Cents,
});
export type Voucher = z.infer<typeof Voucher>;

export const voucherEndpoints = {
  listVouchers: endpoint({
    path: "/voucher/list",
    access: "member",
    does: "List the member's fee vouchers, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(Voucher),
    refusals: [],
  }),
  nextVoucher: endpoint({
    path: "/voucher/next",
    access: "member",
    does: "Read the fee voucher that the member's next order uses: the one that expires first; null without any.",
    body: z.object({}),
    data: z.object({ voucher: z.nullable(Voucher) }),
    refusals: [],
  }),
};
