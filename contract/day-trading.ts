/** Day trading: eligibility, the agreement, and the square-off of positions still open near the end of the day. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { EpochMs } from "./kernel/time.ts";

/** Unmet day-trading requirements; a margin account waives both. */
export const DAY_TRADE_LACKS = ["accountAge", "executedOrders"] as const;

export const DayTrading = z.object({
  /** When the agreement was signed; null until then. */
  signedAt: z.nullable(EpochMs),
  lacks: z.array(z.enum(DAY_TRADE_LACKS)),
  executedOrders: z.int(),
  accountDays: z.int(),
  /** When today's open day trades are squared off; null when the session has no scheduled end. */
  squareOffAt: z.nullable(EpochMs),
  /** The loss, in percent of the invested amount, at which the member is warned; the member's choice or the broker's default. */
  warningPercent: z.int(),
});
export type DayTrading = z.infer<typeof DayTrading>;

export const dayTradingEndpoints = {
  readDayTrading: endpoint({
    path: "/day-trading/read",
    access: "member",
    does: "Read whether the member may day trade, and when open day trades are squared off.",
    body: z.object({}),
    data: DayTrading,
    refusals: [],
  }),
  signDayTrading: endpoint({
    path: "/day-trading/sign",
    access: "member",
    does: "Sign the day-trading agreement, having read the risk notice.",
    body: z.object({ requestId: RequestId, agreed: z.literal(true, "VAL_PRIVACY_REQUIRED") }),
    data: DayTrading,
    refusals: ["VAL_PRIVACY_REQUIRED", "GEN_TOO_FREQUENT", ...eligibilityRefusals("openDayTrading"), "TRD_DAY_TRADING_LACKS"],
  }),
  setDayTradingWarning: endpoint({
    path: "/day-trading/warn",
    access: "member",
    does: "Set the loss at which the member is warned about open day trades.",
    body: z.object({ percent: z.int("VAL_PERCENT_RANGE").check(z.minimum(1, "VAL_PERCENT_RANGE"), z.maximum(90, "VAL_PERCENT_RANGE")) }),
    data: DayTrading,
    refusals: ["VAL_PERCENT_RANGE", "GEN_TOO_FREQUENT"],
  }),
};
