/** Notices of the broker in the inbox that need no more than their kind and a few values: decisions, expiries, payments. */
import * as z from "zod/mini";
import type { CopyEnd, MentorStrategy } from "./copy.ts";
import type { StakeReason } from "./raise.ts";
import type { SavingsSkip } from "./savings-plan.ts";
import type { Strategy } from "./strategy.ts";

/** Changes that a thief would make, told about at once. */
export const SECURITY_NOTICES = [
  "passwordChanged",
  "passwordReset",
  "fundPasswordSet",
  "fundPasswordChanged",
  "channelPasswordChanged",
  "passkeyAdded",
  "passkeyRemoved",
  "cardAdded",
  "addressAdded",
] as const;
export type SecurityNotice = (typeof SECURITY_NOTICES)[number];

export const NOTICES = [
  "agentSuccess",
  "agentRejected",
  "agentWaiting",
  "agentFailure",
  "seatSuccess",
  "seatRejected",
  "seatWaiting",
  "seatFailure",
  "voucherExpired",
  "rebatePaid",
  "dividendDue",
  "dividendPaid",
  "coverDue",
  "sharesDue",
  "sharesChanged",
  "alertsAdjusted",
  "savingsSkipped",
  "lendingStarted",
  "lendingReturned",
  "futuresBought",
  "futuresSold",
  "futuresCalled",
  "futuresLiquidated",
  "futuresSettled",
  "optionBought",
  "optionSold",
  "optionSettled",
  "optionExpired",
  "copyStopped",
  "strategyStopped",
  "stakeAllotted",
  "stakeReturned",
  "fundEnding",
  "savingsEnded",
  "alertsEnded",
  "announcement",
  "offeringOpened",
  "rightGranted",
  "rightLapsed",
  "subscriptionWon",
  "subscriptionDue",
  "subscriptionNotWon",
  "subscriptionPaid",
  "subscriptionPaymentFailed",
  "subscriptionVoided",
  "subscriptionRecalled",
  ...SECURITY_NOTICES,
] as const;
export const NoticeKind = z.enum(NOTICES);
export type NoticeKind = z.infer<typeof NoticeKind>;

/** `values` are ready to be shown: amounts are formatted. */
export const Notice = z.object({ about: NoticeKind, values: z.record(z.string(), z.string()) });
export type Notice = z.infer<typeof Notice>;

/** Decisions on applications, which share one text. */
const APPLICATIONS = [
  "agentSuccess",
  "agentRejected",
  "agentWaiting",
  "agentFailure",
  "seatSuccess",
  "seatRejected",
  "seatWaiting",
  "seatFailure",
] as const satisfies readonly NoticeKind[];
type Application = (typeof APPLICATIONS)[number];
/** Those whose text is a reason. */
type Reasoned = "savingsSkipped" | "stakeReturned" | "copyStopped";
const isApplication = (about: NoticeKind): about is Application => (APPLICATIONS as readonly string[]).includes(about);

const GOOD: readonly NoticeKind[] = [
  "agentSuccess",
  "seatSuccess",
  "rebatePaid",
  "dividendPaid",
  "lendingStarted",
  "lendingReturned",
  "stakeAllotted",
  "subscriptionWon",
  "subscriptionPaid",
];
const BAD: readonly NoticeKind[] = ["coverDue", "futuresCalled", "futuresLiquidated", "subscriptionPaymentFailed", "subscriptionRecalled"];

const isSecurity = (about: NoticeKind): about is SecurityNotice => SECURITY_NOTICES.some((one) => one === about);

/** The screen that shows more. */
export function noticeRoute({ about }: Notice) {
  if (isSecurity(about)) return "/information/setting" as const;
  if (isApplication(about)) return about.startsWith("seat") ? ("/information/seat" as const) : ("/information/agent" as const);
  if (about === "alertsEnded" || about === "alertsAdjusted") return "/information/alerts" as const;
  if (about.startsWith("stake") || about.startsWith("savings") || about === "fundEnding") return "/home/etf" as const;
  if (about === "dividendDue") return "/information/settlements" as const;
  if (about === "coverDue" || about === "sharesDue" || about === "sharesChanged") return "/trade/index" as const;
  if (about === "dividendPaid") return "/information/fundRecord" as const;
  if (about.startsWith("lending")) return "/home/coupons" as const;
  if (about.startsWith("futures")) return "/home/futures" as const;
  if (about.startsWith("option")) return "/home/options" as const;
  if (about === "copyStopped") return "/home/fllow" as const;
  if (about === "strategyStopped") return "/home/qcList" as const;
  if (about === "voucherExpired") return "/home/checkIn" as const;
  if (about === "offeringOpened" || about === "rightGranted" || about === "rightLapsed") return "/home/newStock" as const;
  if (about.startsWith("subscription")) return "/home/newShareOrder" as const;
  return about === "rebatePaid" ? ("/information/agent" as const) : ("/information/userInfo" as const);
}

/** Every text of a notice. */
export type NoticeText =
  | `message.notice.${NoticeKind | "application" | "securityText" | `${Exclude<NoticeKind, Application | Reasoned | SecurityNotice>}Text`}`
  | `message.notice.reason.${NoticeReason}`
  | StoppedName;

/** How a strategy, or a mentor of the broker's own, is called. */
type StoppedName = `strategy.name.${Strategy}` | `copy.strategy.${MentorStrategy}`;

/** Why a month of a savings plan was skipped, the money of a stake came back, or following a mentor stopped. */
export type NoticeReason =
  | SavingsSkip
  | Extract<StakeReason, "debt" | "failed" | "notAllotted">
  | `copy${Capitalize<Exclude<CopyEnd, "member">>}`;

function textOf({ about, values }: Notice): NoticeText {
  if (isApplication(about)) return "message.notice.application";
  if (isSecurity(about)) return "message.notice.securityText";
  // The broker writes the reason: one of `NoticeReason`.
  if (about === "savingsSkipped" || about === "stakeReturned" || about === "copyStopped")
    return `message.notice.reason.${values["reason"] as NoticeReason}`;
  return `message.notice.${about}Text`;
}

type Translate = (key: NoticeText, values: Record<string, string>) => string;

/** What is stopping: a strategy with what it trades, or the following of a mentor. Of a member who is a mentor the name is known, of the broker's own the strategy. */
function stoppedName({ about, values: { strategy, code, mentor } }: Notice, t: Translate): string {
  const own = (key: "strategy.name" | "copy.strategy"): string => (strategy ? t(`${key}.${strategy}` as StoppedName, {}) : "");
  const names = about === "copyStopped" ? [mentor || own("copy.strategy")] : [own("strategy.name"), code];
  return names.filter(Boolean).join(" · ");
}

/** Title and text of a notice in the reader's language. */
export function noticeWords(notice: Notice, t: Translate) {
  const { about } = notice;
  const stopped = about === "copyStopped" || about === "strategyStopped";
  const values = stopped ? { ...notice.values, name: stoppedName(notice, t) } : notice.values;
  const tone = GOOD.includes(about) ? ("success" as const) : BAD.includes(about) ? ("danger" as const) : ("info" as const);
  return {
    title: t(`message.notice.${about}`, values),
    text: t(textOf(notice), values),
    tone,
  };
}
