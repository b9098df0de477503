/** Capital flow: every movement of a member's money, as the ledger wrote it. */
import * as z from "zod/mini";
import { _default as otherwise } from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { OrderNo } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";

/** What moved the money; the ledger's transaction kinds that a member sees. */
export const FLOW_KINDS = [
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
export const FlowKind = z.enum(FLOW_KINDS);
export type FlowKind = z.infer<typeof FlowKind>;

/** One line of a ledger transaction as it touched the member's available and frozen money. */
export const Flow = z.object({
  flowNo: z.string(),
  at: EpochMs,
  kind: FlowKind,
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
export type Flow = z.infer<typeof Flow>;

export const flowEndpoints = {
  listFlows: endpoint({
    path: "/flows/list",
    access: "member",
    does: "List the movements of the member's money, newest first; null kinds for all; from a moment on and until before another (null: open).",
    body: z.object({
      kinds: z.nullable(z.array(FlowKind)),
      from: otherwise(z.nullable(EpochMs), null),
      until: otherwise(z.nullable(EpochMs), null),
      cursor: Cursor,
    }),
    data: pageOf(Flow),
    refusals: [],
  }),
};
