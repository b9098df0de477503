/** Copy trading: mentors whose record anyone can recompute, and the lifecycle and the commands of a member's copies. */
import * as z from "zod/mini";
import { CopyRule } from "./copy-rule.ts";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { MentorFill, MentorRecord } from "./mentor-record.ts";

/**
 * The lifecycle of following one mentor; the same words in SQL, machine and locale (`copy.status.*`). While it is paused, and while it is
 * stopping, nothing more is bought; `stopping`: what was copied is being sold at the market.
 */
export const COPY_STATUSES = ["following", "paused", "stopping", "stopped"] as const;
export const CopyStatus = z.enum(COPY_STATUSES);
export type CopyStatus = z.infer<typeof CopyStatus>;

/** What happens to it. `copied`: an act of the mentor was decided, or copies were sold. */
export const COPY_FACTS = ["copy.started", "copy.copied", "copy.paused", "copy.resumed", "copy.stopping", "copy.stopped"] as const;
export const CopyFactType = z.enum(COPY_FACTS);
export type CopyFactType = z.infer<typeof CopyFactType>;

/** Why it stopped: the member's wish, the loss it was to stop at, its deadline, or the mentor was removed. */
export const COPY_ENDS = ["member", "loss", "deadline", "removed"] as const;
export const CopyEnd = z.enum(COPY_ENDS);
export type CopyEnd = z.infer<typeof CopyEnd>;

/**
 * Why a purchase of the mentor was not copied: the member's part is less than a lot; the amount is used up; too little money; a debt; the
 * member may not trade now, or has limited themselves; the price was too far from the mentor's; too few shares were to be had near it; the
 * server was off for too long, or the instrument did not trade for too long or is traded by calls alone; the mentor had sold it again; or the copy is at its stop-loss.
 */
export const COPY_OMISSIONS = [
  "tooSmall",
  "amount",
  "money",
  "debt",
  "restricted",
  "untradable",
  "thin",
  "late",
  "halted",
  "calls",
  "sold",
  "volume",
  "stop",
] as const;
export const CopyOmission = z.enum(COPY_OMISSIONS);
export type CopyOmission = z.infer<typeof CopyOmission>;

/** The strategies of the mentors that the broker runs in the sandbox; told in words by the locale. */
export const MENTOR_STRATEGIES = ["trend", "reversion"] as const;
export const MentorStrategy = z.enum(MENTOR_STRATEGIES);
export type MentorStrategy = z.infer<typeof MentorStrategy>;

/** The days that a mentor can be followed for. */
export const COPY_DAYS = [7, 30, 90, 180] as const;
/** With a shorter record it is said that it is short. */
export const SHORT_RECORD_DAYS = 30;

export const MentorNo = z.string().check(z.regex(/^T\d{1,9}$/, "GEN_NOT_FOUND"));
export const CopyNo = z.string().check(z.regex(/^Y\d{1,12}$/, "GEN_NOT_FOUND"));

export const Mentor = z.object({
  mentorNo: MentorNo,
  /** Of a mentor that the broker runs; null for a member. */
  strategy: z.nullable(MentorStrategy),
  /** The name that a member chose; null for the broker's own. */
  name: z.nullable(z.string()),
  /** What a follower's amount is set against, and what the record begins with. */
  capitalCents: Cents,
  since: EpochMs,
  /** From then on nobody can begin to follow; null for no such moment. */
  closesAt: z.nullable(EpochMs),
  removedAt: z.nullable(EpochMs),
  /** Members who follow now, the paused ones with them. */
  followers: z.int(),
  record: MentorRecord,
  /** The latest price of what is held now, within the best bid and ask, by code. */
  prices: z.record(z.string(), Price),
});
export type Mentor = z.infer<typeof Mentor>;

/** A member's following of one mentor. */
export const Copy = z.object({
  copyNo: CopyNo,
  mentorNo: MentorNo,
  strategy: z.nullable(MentorStrategy),
  name: z.nullable(z.string()),
  status: CopyStatus,
  /** The most that lies in copies at once. */
  amountCents: Cents,
  /** The loss at which it stops, in percent of the amount. */
  stopPercent: z.int(),
  startedAt: EpochMs,
  untilAt: EpochMs,
  endedAt: z.nullable(EpochMs),
  reason: z.nullable(CopyEnd),
  /** The member stopped it and kept what was copied. */
  kept: z.boolean(),
  /** Purchases copied and left out. */
  copied: z.int(),
  leftOut: z.int(),
  /** What worse prices than the mentor's cost (plus) or better ones brought (minus), purchases and sales together. */
  slippageCents: Cents,
  /** Increases with every change, to tell which of two copies is newer. */
  version: z.int(),
});
export type Copy = z.infer<typeof Copy>;

/** What lies in the copies of one following now: bought for so much and not sold, realised so far, and at the last price. */
export const CopyValuation = z.object({ copyNo: CopyNo, costCents: Cents, realisedCents: Cents, unrealisedCents: Cents });
export type CopyValuation = z.infer<typeof CopyValuation>;

/** One purchase or sale of the mentor and the member's own beside it. */
export const CopyPart = z.object({
  id: z.int(),
  copyNo: CopyNo,
  at: EpochMs,
  side: z.enum(["buy", "sell"]),
  code: Code,
  /** Null for a sale that was no act of the mentor: the copies were stopped. */
  mentorPrice: z.nullable(Price),
  /** The member's part of the mentor's act, and what was traded of it at once; the rest of a sale stays in the market. */
  wantedShares: z.int(),
  shares: z.int(),
  price: z.nullable(Price),
  orderNo: z.nullable(OrderNo),
  leftOut: z.nullable(CopyOmission),
  slippageCents: Cents,
});
export type CopyPart = z.infer<typeof CopyPart>;

export const isOpenCopy = ({ status }: Pick<Copy, "status">): boolean => status !== "stopped";

/** Whole NT$; the rule has the least. */
const Amount = z.int("VAL_AMOUNT_EMPTY").check(z.minimum(1, "VAL_AMOUNT_EMPTY"), z.maximum(100_000_000, "VAL_AMOUNT_EMPTY"));
const StopPercent = z.int("VAL_PERCENT_RANGE").check(z.minimum(1, "VAL_PERCENT_RANGE"), z.maximum(90, "VAL_PERCENT_RANGE"));
const CopyBody = z.object({ requestId: RequestId, copyNo: CopyNo });
const COMMAND_REFUSALS = ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;
const ENDED_REFUSALS = ["GEN_NOT_FOUND", "TRD_COPY_DEADLINE", "TRD_COPY_REMOVED", "TRD_COPY_ENDED"] as const;

export const copyEndpoints = {
  listMentors: endpoint({
    path: "/copy/mentors",
    access: "member",
    does: "List the mentors in the order they began, with their records and the rule; a removed mentor is not listed.",
    body: z.object({}),
    data: z.object({ mentors: z.array(Mentor), rule: CopyRule }),
    refusals: [],
  }),
  listMentorFills: endpoint({
    path: "/copy/mentor-fills",
    access: "member",
    does: "List every fill of a mentor, the first one first, 500 a page: what the record is computed from.",
    body: z.object({ mentorNo: MentorNo, cursor: Cursor }),
    data: pageOf(MentorFill),
    refusals: ["GEN_NOT_FOUND"],
  }),
  followMentor: endpoint({
    path: "/copy/follow",
    access: "member",
    does: "Follow a mentor: purchases of whole lots for cash are copied in proportion to the amount, and their sales; until the loss, the deadline or the member's stop.",
    body: z.object({ requestId: RequestId, mentorNo: MentorNo, amount: Amount, stopPercent: StopPercent, days: z.literal(COPY_DAYS) }),
    data: Copy,
    refusals: [
      "VAL_AMOUNT_EMPTY",
      "VAL_PERCENT_RANGE",
      ...COMMAND_REFUSALS,
      ...eligibilityRefusals("follow"),
      "GEN_NOT_FOUND",
      "TRD_COPY_REMOVED",
      "TRD_COPY_DEADLINE",
      "TRD_COPY_FOLLOWING",
      "TRD_COPY_FULL",
      "TRD_PRODUCT_MIN",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
  pauseCopy: endpoint({
    path: "/copy/pause",
    access: "member",
    does: "Pause: nothing more is bought; what was copied is sold when the mentor sells it, and at the loss it stops at.",
    body: CopyBody,
    data: Copy,
    refusals: [...COMMAND_REFUSALS, ...ENDED_REFUSALS, "TRD_COPY_NOT_ACTIVE"],
  }),
  resumeCopy: endpoint({
    path: "/copy/resume",
    access: "member",
    does: "Resume: purchases are copied again from now on; those made meanwhile are not.",
    body: CopyBody,
    data: Copy,
    refusals: [...COMMAND_REFUSALS, ...eligibilityRefusals("follow"), ...ENDED_REFUSALS, "TRD_COPY_NOT_PAUSED"],
  }),
  stopCopy: endpoint({
    path: "/copy/stop",
    access: "member",
    does: "Stop: what was copied is sold at the market, or with `keep` stays as positions of the member's own.",
    body: z.object({ requestId: RequestId, copyNo: CopyNo, keep: z.boolean() }),
    data: Copy,
    refusals: [...COMMAND_REFUSALS, ...ENDED_REFUSALS],
  }),
  listCopies: endpoint({
    path: "/copy/list",
    access: "member",
    does: "List the mentors that the member follows or followed, newest first, and the value of the open ones at the last prices.",
    body: z.object({}),
    data: z.object({ copies: z.array(Copy), valuations: z.array(CopyValuation), at: EpochMs }),
    refusals: [],
  }),
  listCopyParts: endpoint({
    path: "/copy/parts",
    access: "member",
    does: "List what was copied of a mentor and what was left out, newest first, each with the mentor's price beside the member's.",
    body: z.object({ copyNo: CopyNo, cursor: Cursor }),
    data: pageOf(CopyPart),
    refusals: ["GEN_NOT_FOUND"],
  }),
};
