/** Regular savings plans: an amount a month for a stock or a fund, bought by the clock; their lifecycle, runs and commands. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, RequestId } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { Order } from "./order.ts";
import { SavingsRule } from "./savings-rule.ts";

/** The lifecycle of a plan; the same words in SQL, machine and locale (`savings.status.*`). */
export const SAVINGS_PLAN_STATUSES = ["active", "paused", "ended"] as const;
export const SavingsPlanStatus = z.enum(SAVINGS_PLAN_STATUSES);
export type SavingsPlanStatus = z.infer<typeof SavingsPlanStatus>;

/**
 * What happens to a plan. `ordered`: the month's purchase was sent to the market, as ordinary orders; `skipped`: the month passed without
 * one, and an inbox message says why.
 */
export const SAVINGS_PLAN_FACTS = [
  "savingsPlan.started",
  "savingsPlan.changed",
  "savingsPlan.paused",
  "savingsPlan.resumed",
  "savingsPlan.ended",
  "savingsPlan.ordered",
  "savingsPlan.skipped",
] as const;
export const SavingsPlanFactType = z.enum(SAVINGS_PLAN_FACTS);
export type SavingsPlanFactType = z.infer<typeof SavingsPlanFactType>;

/**
 * Why a month was skipped: less money available than the plan's amount; a debt; the member may not trade, or has limited themselves; the
 * instrument cannot be bought any more; the amount buys not even one share; or the server was off until the next month was due.
 */
export const SAVINGS_SKIPS = ["money", "debt", "restricted", "untradable", "tooSmall", "missed"] as const;
export const SavingsSkip = z.enum(SAVINGS_SKIPS);
export type SavingsSkip = z.infer<typeof SavingsSkip>;

export const SavingsPlanNo = z.string().check(z.regex(/^V\d{1,12}$/, "GEN_NOT_FOUND"));

/** Whole NT$; the rule has the least. */
const Amount = z.int("VAL_AMOUNT_EMPTY").check(z.minimum(1, "VAL_AMOUNT_EMPTY"), z.maximum(10_000_000, "VAL_AMOUNT_EMPTY"));
/** In a month that has no such day it is its last one. */
const DayOfMonth = z.int("VAL_DAY_OF_MONTH").check(z.minimum(1, "VAL_DAY_OF_MONTH"), z.maximum(31, "VAL_DAY_OF_MONTH"));

/** A member's plan. */
export const SavingsPlan = z.object({
  planNo: SavingsPlanNo,
  code: Code,
  status: SavingsPlanStatus,
  /** What each month's purchase costs at most, fee included. */
  amountCents: Cents,
  day: z.int(),
  /** When the next purchase is due; a day without trading moves it to the next trading day. Null unless the plan is active. */
  nextAt: z.nullable(EpochMs),
  startedAt: EpochMs,
  endedAt: z.nullable(EpochMs),
  /** Months with a purchase, and months skipped. */
  orderedRuns: z.int(),
  skippedRuns: z.int(),
  /** Increases with every change, to tell which of two copies is newer. */
  version: z.int(),
});
export type SavingsPlan = z.infer<typeof SavingsPlan>;

/** One month of a plan. */
export const SavingsRun = z.object({
  planNo: SavingsPlanNo,
  code: Code,
  /** The month of the venue's calendar: `2026-07`, or in compressed hours a number of its own. */
  month: z.string(),
  /** When it was due, and when it was done. */
  dueAt: EpochMs,
  at: EpochMs,
  /** The plan's amount then. */
  amountCents: Cents,
  /** Null for a purchase. */
  skipped: z.nullable(SavingsSkip),
  /** Its orders as they are now: whole lots on the board, and the rest in the odd-lot market; empty for a month that was skipped. */
  orders: z.array(Order),
});
export type SavingsRun = z.infer<typeof SavingsRun>;

const COMMAND_REFUSALS = ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;
const PlanBody = z.object({ requestId: RequestId, planNo: SavingsPlanNo });

export const savingsPlanEndpoints = {
  listSavingsPlans: endpoint({
    path: "/savings/list",
    access: "member",
    does: "List the member's savings plans, open ones first, newest first; `firstAt` has for each day of the month (1 first) when a plan started now would buy first.",
    body: z.object({}),
    data: z.object({ plans: z.array(SavingsPlan), rule: SavingsRule, firstAt: z.array(EpochMs) }),
    refusals: [],
  }),
  startSavingsPlan: endpoint({
    path: "/savings/start",
    access: "member",
    does: "Start a plan: the amount is spent on the instrument every month on or after the day, by ordinary orders, as long as there is enough money.",
    body: z.object({ requestId: RequestId, code: Code, amount: Amount, day: DayOfMonth }),
    data: SavingsPlan,
    refusals: [
      "VAL_STOCK_CODE_REQUIRED",
      "VAL_AMOUNT_EMPTY",
      "VAL_DAY_OF_MONTH",
      ...COMMAND_REFUSALS,
      ...eligibilityRefusals("trade"),
      "TRD_NOT_TRADABLE",
      "TRD_NOT_LISTED",
      "TRD_STOCK_PRICE_UNAVAILABLE",
      "TRD_PRODUCT_MIN",
      "GEN_LIST_FULL",
    ],
  }),
  changeSavingsPlan: endpoint({
    path: "/savings/change",
    access: "member",
    does: "Change the amount and the day of a plan that has not ended; a month that was bought or skipped is not bought again.",
    body: z.object({ requestId: RequestId, planNo: SavingsPlanNo, amount: Amount, day: DayOfMonth }),
    data: SavingsPlan,
    refusals: [
      "VAL_AMOUNT_EMPTY",
      "VAL_DAY_OF_MONTH",
      ...COMMAND_REFUSALS,
      "GEN_NOT_FOUND",
      "TRD_SAVINGS_ENDED",
      "TRD_STOCK_PRICE_UNAVAILABLE",
      "TRD_PRODUCT_MIN",
    ],
  }),
  pauseSavingsPlan: endpoint({
    path: "/savings/pause",
    access: "member",
    does: "Pause a plan: nothing is bought until it is resumed.",
    body: PlanBody,
    data: SavingsPlan,
    refusals: [...COMMAND_REFUSALS, "GEN_NOT_FOUND", "TRD_SAVINGS_ENDED", "TRD_SAVINGS_NOT_ACTIVE"],
  }),
  resumeSavingsPlan: endpoint({
    path: "/savings/resume",
    access: "member",
    does: "Resume a paused plan; months that passed meanwhile are not bought.",
    body: PlanBody,
    data: SavingsPlan,
    refusals: [...COMMAND_REFUSALS, ...eligibilityRefusals("trade"), "GEN_NOT_FOUND", "TRD_SAVINGS_ENDED", "TRD_SAVINGS_NOT_PAUSED"],
  }),
  endSavingsPlan: endpoint({
    path: "/savings/end",
    access: "member",
    does: "End a plan for good; what it bought stays.",
    body: PlanBody,
    data: SavingsPlan,
    refusals: [...COMMAND_REFUSALS, "GEN_NOT_FOUND", "TRD_SAVINGS_ENDED"],
  }),
  listSavingsRuns: endpoint({
    path: "/savings/runs",
    access: "member",
    does: "List the months of one plan or (null) of all, newest first, with their orders.",
    body: z.object({ planNo: z.nullable(SavingsPlanNo), cursor: Cursor }),
    data: pageOf(SavingsRun),
    refusals: ["GEN_NOT_FOUND"],
  }),
};
