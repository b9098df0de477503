/** Fund raisings: a new fund before its listing, a member's stakes in it, their lifecycles and the member's commands. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { RaiseRule } from "./raise-rule.ts";
import { FundPassword } from "./secret.ts";

/** The lifecycle of a raising; the same words in SQL, machine and locale (`raise.status.*`). */
export const RAISE_STATUSES = ["upcoming", "raising", "raised", "failed", "listed", "terminated"] as const;
export const RaiseStatus = z.enum(RAISE_STATUSES);
export type RaiseStatus = z.infer<typeof RaiseStatus>;

/** What happens to a raising, in the past tense: the events its machine accepts. `terminated`: a fund with a term has ended. */
export const RAISE_EVENTS = ["raise.opened", "raise.raised", "raise.failed", "raise.listed", "raise.terminated"] as const;
export const RaiseEventType = z.enum(RAISE_EVENTS);
export type RaiseEventType = z.infer<typeof RaiseEventType>;

/**
 * The lifecycle of a stake; the same words in SQL, machine and locale (`raise.stake.*`). `inProgress`: it is a position, locked until the
 * listing; `terminated`: that position is sold, or the fund has ended; `withdrawn`: taken back before the close; `returned`: the raising
 * failed, or nothing was allotted.
 */
export const STAKE_STATUSES = ["subscribed", "inProgress", "terminated", "withdrawn", "returned"] as const;
export const StakeStatus = z.enum(STAKE_STATUSES);
export type StakeStatus = z.infer<typeof StakeStatus>;

/** What happens to a stake. `allotted`: after the close it is known how much it gets, and the money for the rest is back. */
export const STAKE_FACTS = [
  "stake.subscribed",
  "stake.withdrawn",
  "stake.allotted",
  "stake.returned",
  "stake.delivered",
  "stake.terminated",
] as const;
export const StakeFactType = z.enum(STAKE_FACTS);
export type StakeFactType = z.infer<typeof StakeFactType>;

/**
 * Why a stake ended: the member withdrew it; a debt took it back while the window was open; the raising failed; nothing was left for it;
 * its position was sold; the fund ended; or the member was banned while the window was open.
 */
export const STAKE_REASONS = ["member", "debt", "failed", "notAllotted", "sold", "matured", "banned"] as const;
export const StakeReason = z.enum(STAKE_REASONS);
export type StakeReason = z.infer<typeof StakeReason>;

/** Subscriptions of one member to one fund, those withdrawn included. */
export const MOST_STAKES = 50;

export const StakeNo = z.string().check(z.regex(/^E[0-9a-f]{1,12}$/, "GEN_NOT_FOUND"));

/** The past of the index that a fund follows. Nothing is promised by it. */
export const IndexPast = z.object({
  indexCode: Code,
  /** The beginnings of the first and the last week. */
  from: EpochMs,
  until: EpochMs,
  /** Change of the index from the close of the first week to that of the last, in millionths. */
  changePerMillion: z.int(),
});
export type IndexPast = z.infer<typeof IndexPast>;

/** A fund in its raising. Its name and issuing market are those of its instrument. */
export const Raise = z.object({
  code: Code,
  status: RaiseStatus,
  /** Issue price of one unit. */
  price: Price,
  /** Units of one lot; everything is asked for and given in whole lots. */
  lotUnits: z.int(),
  /** Lots offered, and the size they make. */
  lots: z.int(),
  sizeCents: Cents,
  /** All units issued. */
  issuedUnits: z.int(),
  /** The least size at which it comes about. */
  minimumSizeCents: Cents,
  /** The least and the most lots a member may ask for; the most holds for all their stakes together. */
  leastLots: z.int(),
  mostLots: z.int(),
  /** Distributions a year, and what they are together as a part of the price in millionths, if they stay as those of like funds; 0 for none. */
  distributions: z.int(),
  yieldPerMillion: z.int(),
  past: z.nullable(IndexPast),
  announcedAt: EpochMs,
  /** The window for subscriptions, which is also that for withdrawing them. */
  opensAt: EpochMs,
  closesAt: EpochMs,
  /** When stakes become positions, and when those can be sold. */
  allottedAt: EpochMs,
  tradesFrom: EpochMs,
  /** The end of a fund with a term; null for one without. */
  maturesAt: z.nullable(EpochMs),
  /** The close of the last session of a fund with a term. */
  lastTradedAt: z.nullable(EpochMs),
  /** The reference price of its first session; null before. */
  listingPrice: z.nullable(Price),
  /** Lots asked for by everybody, and lots allotted; null until the close. */
  askedLots: z.nullable(z.int()),
  allottedLots: z.nullable(z.int()),
});
export type Raise = z.infer<typeof Raise>;

/** A member's stake in a raising. */
export const Stake = z.object({
  stakeNo: StakeNo,
  code: Code,
  status: StakeStatus,
  price: Price,
  lotUnits: z.int(),
  /** Lots asked for, and lots allotted; null until the close. */
  lots: z.int(),
  allottedLots: z.nullable(z.int()),
  /** Reserved now, fee included; all of it until the close. */
  reservedCents: Cents,
  /** Value and fee of the lots asked for; from the close on, of those allotted. */
  valueCents: Cents,
  feeCents: Cents,
  reason: z.nullable(StakeReason),
  subscribedAt: EpochMs,
  /** It can be withdrawn until then. */
  closesAt: EpochMs,
  allottedAt: EpochMs,
  tradesFrom: EpochMs,
  endedAt: z.nullable(EpochMs),
  /** The position it became. */
  orderNo: z.nullable(OrderNo),
  /** Increases with every change, to tell which of two copies is newer. */
  version: z.int(),
});
export type Stake = z.infer<typeof Stake>;

const COMMAND_REFUSALS = ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;
const StakeLots = z.int("VAL_LOTS_INTEGER").check(z.minimum(1, "VAL_LOTS_INTEGER"), z.maximum(1_000_000, "TRD_RAISE_QUOTA_INSUFFICIENT"));

export const raiseEndpoints = {
  listRaises: endpoint({
    path: "/raise/list",
    access: "member",
    does: "List the funds that are announced, being raised, or were raised lately, the latest first.",
    body: z.object({}),
    data: z.object({ raises: z.array(Raise), rule: RaiseRule }),
    refusals: [],
  }),
  subscribeRaise: endpoint({
    path: "/raise/subscribe",
    access: "member",
    does: "Subscribe to lots of a fund in its raising; the value and the fee are reserved in full, and can be withdrawn until the close.",
    body: z.object({ requestId: RequestId, code: Code, lots: StakeLots, fundPassword: FundPassword }),
    data: Stake,
    refusals: [
      "VAL_STOCK_CODE_REQUIRED",
      "VAL_LOTS_INTEGER",
      "VAL_FUND_DIGITS",
      "PWD_FUND_LOCKED",
      "PWD_FUND_WRONG",
      ...COMMAND_REFUSALS,
      ...eligibilityRefusals("subscribe"),
      "GEN_NOT_FOUND",
      "TRD_NOT_SUBSCRIBE_TIME",
      "TRD_RAISE_ENDED",
      "TRD_PRODUCT_MIN",
      "GEN_LIST_FULL",
      "TRD_RAISE_QUOTA_INSUFFICIENT",
      "RSK_TRADING_LOCKED",
      "RSK_DAILY_LOSS",
      "RSK_ORDER_MAX",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
  withdrawStake: endpoint({
    path: "/raise/withdraw",
    access: "member",
    does: "Withdraw a stake before the close; all of its money is available again.",
    body: z.object({ requestId: RequestId, stakeNo: StakeNo }),
    data: Stake,
    refusals: [...COMMAND_REFUSALS, "GEN_NOT_FOUND", "TRD_ORDER_NOT_PENDING", "TRD_RAISE_ENDED"],
  }),
  listStakes: endpoint({
    path: "/raise/stakes",
    access: "member",
    does: "List the member's stakes, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(Stake),
    refusals: [],
  }),
};
