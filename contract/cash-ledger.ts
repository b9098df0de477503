/** The cash ledger: every movement of a member's money as the ledger recorded it. */
import * as z from "zod/mini";
import { _default as withDefault } from "zod/mini";
import { endpoint } from "#contract/kernel/endpoint.ts";
import { Currency } from "#contract/kernel/currency.ts";
import { Code, OrderNo } from "#contract/kernel/id.ts";
import { Cents } from "#contract/kernel/money.ts";
import { Cursor, pageOf } from "#contract/kernel/page.ts";
import { EpochMs } from "#contract/kernel/time.ts";

/** Why money moved: the ledger's transaction kinds that are visible to members. */
export const CASH_ENTRY_KINDS = [
  "deposit",
  "hold",
  "release",
  "buy",
  "sell",
  "redemption",
  "shortOpen",
  "shortClose",
  "fee",
  "tax",
  "interest",
  "dividend",
  "margin",
  "settle",
  "repay",
  "conversion",
  "transfer",
  "loanDraw",
  "loanRepay",
  "payoutHold",
  "payoutRelease",
  "withdrawal",
  "blockHold",
  "blockRelease",
  "reserve",
  "reserveRelease",
  "offeringFee",
  "right",
  "forfeit",
  "voucher",
  "rebate",
  "borrowFee",
  "lendingFee",
  "futuresTrade",
  "futuresMark",
  "optionTrade",
] as const;
export const CashEntryKind = z.enum(CASH_ENTRY_KINDS);
export type CashEntryKind = z.infer<typeof CashEntryKind>;

/** One ledger transaction's effect on the member's available and frozen money in one currency; a conversion is two entries. */
export const CashEntry = z.object({
  flowNo: z.string(),
  at: EpochMs,
  kind: CashEntryKind,
  currency: Currency,
  /** Signed change of the member's total cash in this currency; 0 when money only moved between available, frozen and unsettled. */
  amountCents: Cents,
  /** Signed change of the available part, and of the frozen part. */
  availableCents: Cents,
  frozenCents: Cents,
  /** Available balance after the movement. */
  balanceCents: Cents,
  orderNo: z.nullable(OrderNo),
  /** The instrument of that order. */
  code: z.nullable(Code),
  /** The future or the option series that it is of. */
  series: z.nullable(z.string()),
  /** The futures wallet after it; null where it did not move. */
  futuresWalletCents: z.nullable(Cents),
});
export type CashEntry = z.infer<typeof CashEntry>;

export const cashLedgerEndpoints = {
  listFlows: endpoint({
    path: "/flows/list",
    access: "member",
    does: "List the movements of the member's money, newest first. Null kinds means all; `from` is inclusive, `until` exclusive, null is unbounded.",
    body: z.object({
      kinds: z.nullable(z.array(CashEntryKind)),
      from: withDefault(z.nullable(EpochMs), null),
      until: withDefault(z.nullable(EpochMs), null),
      cursor: Cursor,
    }),
    data: pageOf(CashEntry),
    refusals: [],
  }),
};
