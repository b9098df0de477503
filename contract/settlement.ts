/** Settlement: unsettled trades by due date. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { OrderNo } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/** One trade to be settled: a purchase's money is payable, a sale's is receivable. */
export const Settlement = z.object({
  orderNo: OrderNo,
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
    does: "List unsettled trades, the earliest due first, and the next trading days.",
    body: z.object({}),
    data: z.object({ settlements: z.array(Settlement), tradingDays: z.array(EpochMs) }),
    refusals: [],
  }),
};
