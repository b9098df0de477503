/** The member: identity and the overview of the account. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Account } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";

/** Real-name verification, in the words of the specification. */
export const IDENTITY_STATUSES = ["unverified", "underReview", "verified", "rejected"] as const;
export const IdentityStatus = z.enum(IDENTITY_STATUSES);
export type IdentityStatus = z.infer<typeof IdentityStatus>;

/**
 * The account at one moment, in one currency. Money in cents.
 * `totalCents = availableCents + frozenCents + unsettledCents + positionsCents - debtCents`; a position counts with what closing it now would bring.
 */
export const MemberOverview = z.object({
  account: Account,
  /** The member's name with its middle hidden. */
  name: z.string(),
  identity: IdentityStatus,
  currency: z.string(),
  totalCents: Cents,
  availableCents: Cents,
  /** Held for pending orders, collateral of short positions, and put up on a margin call. Purchase money not yet paid out is spent, and in none. */
  frozenCents: Cents,
  /** Proceeds of sales that are not settled yet. */
  unsettledCents: Cents,
  /** Owed to the broker for what losses cost beyond the member's money; nothing is opened until it is paid. */
  debtCents: Cents,
  /** Borrowed for open positions, which `positionsCents` is net of. */
  loanCents: Cents,
  /** Net value of open positions beyond their collateral. */
  positionsCents: Cents,
  /** Profit realised by closed orders, since the account was opened. */
  profitCents: Cents,
  /** Realised today plus the change of open positions. */
  todayProfitCents: Cents,
  /** Unrealised, net of the estimated cost of closing. */
  currentProfitCents: Cents,
  creditScore: z.int(),
  /** Unread messages of the inbox. */
  unread: z.int(),
});
export type MemberOverview = z.infer<typeof MemberOverview>;

export const memberEndpoints = {
  readMember: endpoint({
    path: "/member/overview",
    access: "member",
    does: "Read the member's identity and account overview.",
    body: z.object({}),
    data: MemberOverview,
    refusals: [],
  }),
};
