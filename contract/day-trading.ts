/** Day trading: who may, the agreement, and what comes of positions that are still open near the end of the day. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { EpochMs } from "./kernel/time.ts";

/** What a member lacks for day trading; a margin account makes up for both. */
export const DAY_TRADE_LACKS = ["accountAge", "executedOrders"] as const;

export const DayTrading = z.object({
  /** When the agreement was signed; null before. */
  signedAt: z.nullable(EpochMs),
  lacks: z.array(z.enum(DAY_TRADE_LACKS)),
  executedOrders: z.int(),
  accountDays: z.int(),
  /** When today's open day trades are squared off; null while the market has no end in sight. */
  squareOffAt: z.nullable(EpochMs),
  /** The loss, per cent of what was put in, at which the member is warned; chosen, or the house's. */
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
    refusals: ["VAL_PRIVACY_REQUIRED", "GEN_TOO_FREQUENT", "ACC_REALNAME_REQUIRED", "ACC_TRADE_BARRED", "TRD_DAY_TRADING_LACKS"],
  }),
  setDayTradingWarning: endpoint({
    path: "/day-trading/warn",
    access: "member",
    does: "Choose the loss at which open day trades warn.",
    body: z.object({ percent: z.int("VAL_PERCENT_RANGE").check(z.minimum(1, "VAL_PERCENT_RANGE"), z.maximum(90, "VAL_PERCENT_RANGE")) }),
    data: DayTrading,
    refusals: ["VAL_PERCENT_RANGE", "GEN_TOO_FREQUENT"],
  }),
};
