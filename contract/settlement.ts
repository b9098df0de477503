/** Settlement: the trades of a market that pays later, by the day they fall due. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { OrderNo } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/** One trade to be settled: a purchase's money waits to be paid out, a sale's to come in. */
export const Settlement = z.object({
  orderNo: OrderNo,
  tradedAt: EpochMs,
  dueAt: EpochMs,
  /** Signed, as it changes what the member can use. */
  amountCents: Cents,
});
export type Settlement = z.infer<typeof Settlement>;

export const settlementEndpoints = {
  listSettlements: endpoint({
    path: "/settlements/list",
    access: "member",
    does: "List what is still to be settled, the earliest first, and the next trading days.",
    body: z.object({}),
    data: z.object({ settlements: z.array(Settlement), tradingDays: z.array(EpochMs) }),
    refusals: [],
  }),
};
