/** The account over time: what it was worth at the end of each day, and through today. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

export const CURVE_SPANS = ["day", "week", "month", "year"] as const;
export const CurveSpan = z.enum(CURVE_SPANS);
export type CurveSpan = z.infer<typeof CurveSpan>;

/** One point; money that came in or went out from outside since the point before is no profit, and told apart. */
export const CurvePoint = z.object({ at: EpochMs, totalCents: Cents, paidInCents: Cents });
export type CurvePoint = z.infer<typeof CurvePoint>;

export const curveEndpoints = {
  readCurve: endpoint({
    path: "/member/curve",
    access: "member",
    does: "Read what the account was worth over a span, oldest first, ending now.",
    body: z.object({ span: CurveSpan }),
    data: z.object({ points: z.array(CurvePoint) }),
    refusals: [],
  }),
};
