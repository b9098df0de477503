/** Capital flow: every movement of a member's money, as the ledger wrote it. */
import * as z from "zod/mini";
import { _default as otherwise } from "zod/mini";
import { endpoint } from "#contract/kernel/endpoint.ts";
import { OrderNo } from "#contract/kernel/id.ts";
import { Cents } from "#contract/kernel/money.ts";
import { Cursor, pageOf } from "#contract/kernel/page.ts";
import { EpochMs } from "#contract/kernel/time.ts";

/** What moved the money; the ledger's transaction kinds that a member sees. */
export const CASH_ENTRY_KINDS = [
  "deposit",
  "hold",
  "release",
  "buy",
  "sell",
  "shortOpen",
  "shortClose",
  "fee",
  "tax",
  "interest",
  "dividend",
  "margin",
  "settle",
  "repay",
] as const;
export const CashEntryKind = z.enum(CASH_ENTRY_KINDS);
export type CashEntryKind = z.infer<typeof CashEntryKind>;

/** One line of a ledger transaction as it touched the member's available and frozen money. */
export const CashEntry = z.object({
  flowNo: z.string(),
  at: EpochMs,
  kind: CashEntryKind,
  currency: z.string(),
  /** Change of what the member owns in money, signed; 0 when it only moved between available, frozen and not yet settled. */
  amountCents: Cents,
  /** Change of the available and the frozen part. */
  availableCents: Cents,
  frozenCents: Cents,
  /** Available after the movement. */
  balanceCents: Cents,
  orderNo: z.nullable(OrderNo),
});
export type CashEntry = z.infer<typeof CashEntry>;

export const cashLedgerEndpoints = {
  listFlows: endpoint({
    path: "/flows/list",
    access: "member",
    does: "List the movements of the member's money, newest first; null kinds for all; from a moment on and until before another (null: open).",
    body: z.object({
      kinds: z.nullable(z.array(CashEntryKind)),
      from: otherwise(z.nullable(EpochMs), null),
      until: otherwise(z.nullable(EpochMs), null),
      cursor: Cursor,
    }),
    data: pageOf(CashEntry),
    refusals: [],
  }),
};
