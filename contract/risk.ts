/** Risk controls a member sets for themselves, enforced by the server whichever client sends the order. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Cents } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

const Amount = z.nullable(
  z.int("VAL_AMOUNT_EMPTY").check(z.minimum(1, "VAL_AMOUNT_EMPTY"), z.maximum(100_000_000_000_000, "VAL_AMOUNT_EMPTY")),
);

/** The controls; null where not set. They never prevent closing a position. */
export const Risk = z.object({
  /** Maximum value of one order. */
  maxOrderCents: z.nullable(Cents),
  /** The daily loss, realised and unrealised, after which no position can be opened that day. */
  dailyLossCents: z.nullable(Cents),
  /** No position can be opened before this moment; it can be extended, not shortened. */
  lockedUntil: z.nullable(EpochMs),
  /** Orders above this value need a slide to confirm; enforced by the client. */
  slideAboveCents: z.nullable(Cents),
  /** Relaxed limits take effect on the next trading day: the new limits, and when. */
  easing: z.nullable(z.object({ maxOrderCents: z.nullable(Cents), dailyLossCents: z.nullable(Cents), at: EpochMs })),
  /** Today's loss as counted towards the daily limit; 0 for a gain. */
  lossCents: Cents,
});
export type Risk = z.infer<typeof Risk>;

export const riskEndpoints = {
  readRisk: endpoint({
    path: "/risk/read",
    access: "member",
    does: "Read the member's risk controls and today's loss as counted by them.",
    body: z.object({}),
    data: Risk,
    refusals: [],
  }),
  setRisk: endpoint({
    path: "/risk/set",
    access: "member",
    does: "Set the risk controls: stricter limits apply at once, relaxed ones from the next trading day.",
    body: z.object({ maxOrderCents: Amount, dailyLossCents: Amount, slideAboveCents: Amount }),
    data: Risk,
    refusals: ["VAL_AMOUNT_EMPTY", "GEN_TOO_FREQUENT"],
  }),
  lockTrading: endpoint({
    path: "/risk/lock",
    access: "member",
    does: "Block opening positions for a number of hours; a longer existing lock stays.",
    body: z.object({ hours: z.int("VAL_HOURS_RANGE").check(z.minimum(1, "VAL_HOURS_RANGE"), z.maximum(720, "VAL_HOURS_RANGE")) }),
    data: Risk,
    refusals: ["VAL_HOURS_RANGE", "GEN_TOO_FREQUENT"],
  }),
};
