/** Risk controls a member sets on themselves; the server keeps them, whatever client sends the order. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

const Amount = z.nullable(
  z.int("VAL_AMOUNT_EMPTY").check(z.minimum(1, "VAL_AMOUNT_EMPTY"), z.maximum(100_000_000_000_000, "VAL_AMOUNT_EMPTY")),
);

/** The controls; null where the member set none. Closing a position is never kept back by them. */
export const Risk = z.object({
  /** The most one order may be worth. */
  maxOrderCents: z.nullable(Cents),
  /** A day's loss, realised and not, after which nothing is opened that day. */
  dailyLossCents: z.nullable(Cents),
  /** Nothing is opened before this moment; it can be put off, not brought forward. */
  lockedUntil: z.nullable(EpochMs),
  /** An order worth more than this is confirmed by sliding; the client's to keep. */
  slideAboveCents: z.nullable(Cents),
  /** Easier limits wait until the next trading day: what they will be, and when. */
  easing: z.nullable(z.object({ maxOrderCents: z.nullable(Cents), dailyLossCents: z.nullable(Cents), at: EpochMs })),
  /** Today's loss so far as the daily loss counts it; 0 for a gain. */
  lossCents: Cents,
});
export type Risk = z.infer<typeof Risk>;

export const riskEndpoints = {
  readRisk: endpoint({
    path: "/risk/read",
    access: "member",
    does: "Read the member's risk controls, and today's loss as they count it.",
    body: z.object({}),
    data: Risk,
    refusals: [],
  }),
  setRisk: endpoint({
    path: "/risk/set",
    access: "member",
    does: "Set the risk controls: stricter ones at once, easier ones from the next trading day.",
    body: z.object({ maxOrderCents: Amount, dailyLossCents: Amount, slideAboveCents: Amount }),
    data: Risk,
    refusals: ["VAL_AMOUNT_EMPTY", "GEN_TOO_FREQUENT"],
  }),
  lockTrading: endpoint({
    path: "/risk/lock",
    access: "member",
    does: "Open nothing for so many hours; a lock that reaches further stays.",
    body: z.object({ hours: z.int("VAL_HOURS_RANGE").check(z.minimum(1, "VAL_HOURS_RANGE"), z.maximum(720, "VAL_HOURS_RANGE")) }),
    data: Risk,
    refusals: ["VAL_HOURS_RANGE", "GEN_TOO_FREQUENT"],
  }),
};
