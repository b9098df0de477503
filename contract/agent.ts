/** Agents: the invitation code, the members invited with it, and the rebate on the commissions they pay. */
import * as z from "zod/mini";
import { Month } from "./check-in.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Cents, cents } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { Application } from "./review.ts";
import { RewardRule } from "./reward.ts";
import { MILLION } from "./rule.ts";

/** The part of the list commission that a member does not pay, per million, rounded up. */
export function discountPerMillion(listPerMillion: number, feePerMillion: number): number {
  if (listPerMillion <= 0) return 0;
  return Math.max(0, Math.ceil(((listPerMillion - feePerMillion) * MILLION) / listPerMillion));
}

/**
 * The agent's rebate on a commission that was really paid, net of vouchers; rounded down. Rebate and discount together stay below the whole
 * commission, so that the broker always keeps something.
 */
export function rebateOf(netCents: number, rebatePerMillion: number, discount: number): Cents {
  const part = Math.max(0, Math.min(rebatePerMillion, MILLION - 1 - discount));
  return cents(netCents <= 0 ? 0 : Number((BigInt(netCents) * BigInt(part)) / BigInt(MILLION)));
}

/** One invited member, masked. */
export const Invited = z.object({
  memberNo: z.string(),
  name: z.string(),
  joinedAt: EpochMs,
  /** Whether they have proved who they are: before, they cannot trade. */
  verified: z.boolean(),
  /** What they paid since the agent was approved, net of vouchers, and the agent's rebate on it. */
  commissionCents: Cents,
  rebateCents: Cents,
});
export type Invited = z.infer<typeof Invited>;

export const RebateMonth = z.object({
  month: Month,
  commissionCents: Cents,
  rebateCents: Cents,
  /** Null while it is not paid. */
  paidAt: z.nullable(EpochMs),
});
export type RebateMonth = z.infer<typeof RebateMonth>;

/** What one invited member brought in one month. */
export const RebateLine = z.object({ memberNo: z.string(), name: z.string(), commissionCents: Cents, rebateCents: Cents });
export type RebateLine = z.infer<typeof RebateLine>;

export const agentEndpoints = {
  readAgent: endpoint({
    path: "/agent/read",
    access: "member",
    does: "Read the member's invitation code (null before the identity is proved), their application to become an agent, and what it has brought.",
    body: z.object({}),
    data: z.object({
      code: z.nullable(z.string()),
      application: z.nullable(Application),
      isAgent: z.boolean(),
      invited: z.int(),
      /** Not yet paid, and paid so far. */
      accruedCents: Cents,
      paidCents: Cents,
      rule: RewardRule,
    }),
    refusals: [],
  }),
  listInvited: endpoint({
    path: "/agent/invited",
    access: "member",
    does: "List the members who registered with the caller's invitation code, masked, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(Invited),
    refusals: ["GEN_PARAM_ERROR"],
  }),
  listRebates: endpoint({
    path: "/agent/rebates",
    access: "member",
    does: "List the agent's rebates by month, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(RebateMonth),
    refusals: ["GEN_PARAM_ERROR"],
  }),
  listRebateLines: endpoint({
    path: "/agent/rebate-lines",
    access: "member",
    does: "List what each invited member brought in one month, masked.",
    body: z.object({ month: Month, cursor: Cursor }),
    data: pageOf(RebateLine),
    refusals: ["GEN_PARAM_ERROR"],
  }),
};
