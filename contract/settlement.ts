/** Settlement: unsettled trades and dividends that are not paid yet, by due date. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { OrderNo } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

const SETTLEMENT_KINDS = ["trade", "dividend"] as const;

/** One trade to be settled: a purchase's money is payable, a sale's is receivable. Or the cash of an ex-event, paid on its pay date. */
export const Settlement = z.object({
  kind: z.enum(SETTLEMENT_KINDS),
  orderNo: OrderNo,
  /** Of a dividend: its ex-date. */
  tradedAt: EpochMs,
  dueAt: EpochMs,
  /** Signed, as it changes the member's available cash. */
  amountCents: Cents,
});
export type Settlement = z.infer<typeof Settlement>;

export const settlementEndpoints = {
  listSettlements: endpoint({
    path: "/settlements/list",
    access: "member",
    does: "List unsettled trades and unpaid dividends, the earliest due first, and the next trading days.",
    body: z.object({}),
    data: z.object({ settlements: z.array(Settlement), tradingDays: z.array(EpochMs) }),
    refusals: [],
  }),
};
