/** Settlement: unsettled trades, which settle net by day, and dividends that are not paid yet, by due date. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { OrderNo } from "./kernel/id.ts";
import { Cents, cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";
import type { Direction } from "./order.ts";
import type { Funding } from "./rule.ts";

const SETTLEMENT_KINDS = ["trade", "dividend", "hold"] as const;

/**
 * One trade to be settled: a purchase's money is payable, a sale's is receivable; those of one morning settle net. Or the cash of an ex-event, paid on
 * its pay date. Or what an unfilled purchase holds of the proceeds that settle with it, which is negative.
 */
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

/** Proceeds of the member's sales that settle together with a purchase made now, by the purchase's settlement days. */
export const DayProceeds = z.object({ settlementDays: z.int(), cents: Cents });
export type DayProceeds = z.infer<typeof DayProceeds>;

/** What of them an order may use beside available money, in cents: only a cash purchase that settles with them may. */
export function usableProceeds(
  proceeds: readonly DayProceeds[],
  { direction, funding, settlementDays }: { direction: Direction; funding: Funding; settlementDays: number },
): Cents {
  const found = direction === "rise" && funding === "cash" && settlementDays > 0;
  return (found && proceeds.find((one) => one.settlementDays === settlementDays)?.cents) || cents(0);
}

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
