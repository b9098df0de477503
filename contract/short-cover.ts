/** The cover of short positions before a company closes its register (最後回補日): the rule, and the days it leads to. */
import * as z from "zod/mini";
import { ACTION_KINDS } from "./corporate-action.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code } from "./kernel/id.ts";
import { EpochMs } from "./kernel/time.ts";

const days = () => z.int().check(z.minimum(1), z.maximum(20));

/** Days are trading days of the exchange. */
export const ShortCoverRule = z
  .object({
    /** The last day to cover, counted back from the day the register closes, and the days from it on without new shorts. */
    coverDays: days(),
    stopDays: days(),
    /** From how many days before the last day members are told. */
    noticeDays: days(),
    /** How long before the end of continuous trading of the last day the broker covers what is left. */
    coverSeconds: z.int().check(z.minimum(1)),
  })
  .check(z.refine(({ coverDays, stopDays }) => stopDays <= coverDays, { path: ["stopDays"] }));
export type ShortCoverRule = z.infer<typeof ShortCoverRule>;

/** Why a register closes: for an ex-event, or for the yearly meeting of shareholders. */
export const CLOSURE_REASONS = [...ACTION_KINDS, "meeting"] as const;
export const ClosureReason = z.enum(CLOSURE_REASONS);
export type ClosureReason = z.infer<typeof ClosureReason>;

/** The days of one closed register; each as its Taipei midnight. */
export const CoverDay = z.object({
  code: Code,
  reason: ClosureReason,
  /** The last day to cover, and the first without new shorts. */
  lastAt: EpochMs,
  /** From this day on it may be sold short again. */
  againAt: EpochMs,
});
export type CoverDay = z.infer<typeof CoverDay>;

export const shortCoverEndpoints = {
  listCoverDays: endpoint({
    path: "/shorts/cover-days",
    access: "member",
    does: "List the coming days by which shorts must be covered, the earliest first: of one instrument, or (null) of all that the member is short of.",
    body: z.object({ code: z.nullable(Code) }),
    data: z.object({ days: z.array(CoverDay) }),
    refusals: ["VAL_STOCK_CODE_REQUIRED", "GEN_NOT_FOUND"],
  }),
};
