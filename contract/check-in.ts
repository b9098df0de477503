/** Daily check-in: once a Taipei day; some of them redeem a fee voucher. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { RewardRule } from "./reward.ts";
import { DAY_MS } from "./kernel/time.ts";
import { Voucher } from "./voucher.ts";

/** A calendar month as `2026-07`. */
export const Month = z.string("GEN_PARAM_ERROR").check(z.regex(/^20\d{2}-(0[1-9]|1[0-2])$/, "GEN_PARAM_ERROR"));
export type Month = z.infer<typeof Month>;

/** First and last `taipeiDay` of a month. */
export function daysOfMonth(month: Month): { first: number; last: number } {
  const [year = 0, nth = 1] = month.split("-").map(Number);
  return { first: Date.UTC(year, nth - 1, 1) / DAY_MS, last: Date.UTC(year, nth, 1) / DAY_MS - 1 };
}

/** The month so many months after another one. */
export function monthAfter(month: Month, months: number): Month {
  const [year = 0, nth = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, nth - 1 + months, 1)).toISOString().slice(0, 7);
}

/** The month of a `taipeiDay`. */
export const monthOfDay = (day: number): Month => new Date(day * DAY_MS).toISOString().slice(0, 7);

export const CheckIns = z.object({
  /** As a `taipeiDay` number. */
  today: z.int(),
  checkedIn: z.boolean(),
  /** Days in a row up to today or yesterday. */
  streak: z.int(),
  /** All check-ins, and those not yet redeemed. */
  total: z.int(),
  count: z.int(),
});
export type CheckIns = z.infer<typeof CheckIns>;

export const checkInEndpoints = {
  readCheckIns: endpoint({
    path: "/check-in/read",
    access: "member",
    does: "Read the member's check-ins: the days of a month (null for this month), the streak, and how many can be redeemed.",
    body: z.object({ month: z.nullable(Month) }),
    data: z.object({ month: Month, days: z.array(z.int()), checkIns: CheckIns, rule: RewardRule }),
    refusals: ["GEN_PARAM_ERROR"],
  }),
  checkIn: endpoint({
    path: "/check-in/do",
    access: "member",
    does: "Check in for today, once a Taipei day.",
    body: z.object({ requestId: RequestId }),
    data: CheckIns,
    refusals: ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT", ...eligibilityRefusals("checkIn"), "CHK_ALREADY"],
  }),
  redeemVoucher: endpoint({
    path: "/check-in/redeem",
    access: "member",
    does: "Redeem check-ins for a fee voucher.",
    body: z.object({ requestId: RequestId }),
    data: z.object({ voucher: Voucher, checkIns: CheckIns }),
    refusals: ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT", ...eligibilityRefusals("checkIn"), "CHK_COUNT_INSUFFICIENT"],
  }),
};
