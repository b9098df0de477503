/** The member: identity status and account overview. */
import * as z from "zod/mini";
import { MemberFacts } from "./eligibility.ts";
import { IdentityStatus } from "./identity.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Currency } from "./kernel/currency.ts";
import { Account } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { DayProceeds } from "./settlement.ts";

/**
 * The account at one moment, in TWD cents where nothing else is said. A position counts at its net closing value.
 * `totalCents = availableCents + frozenCents + unsettledCents + positionsCents + rightsCents + futuresCents + optionsCents - debtCents + walletsCents + foreignCents - borrowedCents`
 */
export const MemberOverview = z.object({
  account: Account,
  /** The member's name with the middle masked. */
  name: z.string(),
  identity: IdentityStatus,
  /** What decides which acts are open to the member, for `missingFor`. */
  facts: MemberFacts,
  currency: Currency,
  totalCents: Cents,
  availableCents: Cents,
  /** Held for pending orders, short collateral, margin-call payments and withdrawals. Unsettled purchase money counts as spent and appears nowhere. */
  frozenCents: Cents,
  /** In TWD outside the securities wallet: the profit, futures and credit wallets. */
  walletsCents: Cents,
  /** Of it the profit wallet: rewards and rebates. */
  profitFundsCents: Cents,
  /** Of `walletsCents` the wallet for futures and options, with their margin. */
  futuresWalletCents: Cents,
  /** All other currencies together, at the venue's mid rates. */
  foreignCents: Cents,
  /** The whole balance in US dollars, in US cents; part of `foreignCents`. */
  usdCents: Cents,
  /** Borrowed on credit, and what may still be borrowed. */
  borrowedCents: Cents,
  creditLimitCents: Cents,
  /** Owed to the member and paid later: proceeds of sales until they settle, dividends until their pay date. */
  unsettledCents: Cents,
  /** Of it the net proceeds that cash purchases made now may be paid from. */
  dayProceeds: z.array(DayProceeds),
  /** Owed to the broker for losses beyond the member's cash; no position can be opened until it is paid. */
  debtCents: Cents,
  /** Borrowed for open positions; already deducted from `positionsCents`. */
  loanCents: Cents,
  /** Net value of open positions, excluding their collateral. */
  positionsCents: Cents,
  /** Rights to the new shares of capital increases, and shares bought with them above their price until they are delivered. */
  rightsCents: Cents,
  /** What futures have gained or lost since they were last settled: the next settlement pays it. */
  futuresCents: Cents,
  /** Of today's profit what futures made: trades since midnight after their charges, and `futuresCents`. */
  futuresTodayCents: Cents,
  /** What options are worth: of those that were bought, less what those that were sold would cost. */
  optionsCents: Cents,
  /** How many positions of futures and of options are open. */
  openFutures: z.int(),
  openOptions: z.int(),
  /** Of today's profit what options made: trades of the day after their charges, and what open ones have gained since they were marked. */
  optionsTodayCents: Cents,
  /** Profit realised by closed orders, since the account was opened. */
  realisedCents: Cents,
  /** Realised today, by every lot closed since midnight. */
  todayRealisedCents: Cents,
  /** Realised today plus today's change of open positions, futures and options included. */
  todayProfitCents: Cents,
  /** Unrealised, net of the estimated cost of closing. */
  currentProfitCents: Cents,
  creditScore: z.int(),
  /** The demo member on a server that others can reach: every visitor sees and changes the same account, lists and settings. */
  shared: z.boolean(),
  /** Number of unread inbox messages. */
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
