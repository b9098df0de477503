/** The equity curve: the account's value at the end of each day and during today. */
import * as z from "zod/mini";
import { endpoint } from "#contract/kernel/endpoint.ts";
import { Cents } from "#contract/kernel/money.ts";
import { EpochMs } from "#contract/kernel/time.ts";

export const EQUITY_CURVE_SPANS = ["day", "week", "month", "year"] as const;
export const EquityCurveSpan = z.enum(EQUITY_CURVE_SPANS);
export type EquityCurveSpan = z.infer<typeof EquityCurveSpan>;

/** One point. External deposits and withdrawals since the previous point are listed separately because they are not profit. */
export const EquityPoint = z.object({ at: EpochMs, totalCents: Cents, paidInCents: Cents });
export type EquityPoint = z.infer<typeof EquityPoint>;

export const equityCurveEndpoints = {
  readCurve: endpoint({
    path: "/member/curve",
    access: "member",
    does: "Read the account's value over a span, oldest first, ending now.",
    body: z.object({ span: EquityCurveSpan }),
    data: z.object({ points: z.array(EquityPoint) }),
    refusals: [],
  }),
};
