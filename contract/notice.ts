/** Notices of the broker in the inbox that need no more than their kind and a few values: decisions, expiries, payments. */
import * as z from "zod/mini";
import type { StakeReason } from "./raise.ts";
import type { SavingsSkip } from "./savings-plan.ts";

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
  "savingsSkipped",
  "stakeAllotted",
  "stakeReturned",
  "announcement",
] as const;
export const NoticeKind = z.enum(NOTICES);
export type NoticeKind = z.infer<typeof NoticeKind>;

/** `values` are ready to be shown: amounts are formatted. */
export const Notice = z.object({ about: NoticeKind, values: z.record(z.string(), z.string()) });
export type Notice = z.infer<typeof Notice>;

/** The screen that shows more. */
export function noticeRoute({ about }: Notice): "/information/agent" | "/information/seat" | "/home/checkIn" | "/information/userInfo" {
  if (about === "announcement" || about === "savingsSkipped" || about.startsWith("stake")) return "/information/userInfo";
  if (about === "voucherExpired") return "/home/checkIn";
  return about.startsWith("seat") ? "/information/seat" : "/information/agent";
}

/** Every text of a notice. */
export type NoticeText =
  | `message.notice.${NoticeKind | "application" | "voucherExpiredText" | "rebatePaidText" | "announcementText" | "stakeAllottedText"}`
  | `message.notice.reason.${NoticeReason}`;

/** Why a month of a savings plan was skipped, or the money of a stake came back. */
export type NoticeReason = SavingsSkip | Extract<StakeReason, "debt" | "failed" | "notAllotted">;

const APPLICATIONS: readonly NoticeKind[] = NOTICES.filter((about) => about.startsWith("agent") || about.startsWith("seat"));

function textOf({ about, values }: Notice): NoticeText {
  if (APPLICATIONS.includes(about)) return "message.notice.application";
  // The broker writes the reason: one of `NoticeReason`.
  if (about === "savingsSkipped" || about === "stakeReturned") return `message.notice.reason.${values["reason"] as NoticeReason}`;
  return `message.notice.${about as "voucherExpired" | "rebatePaid" | "announcement" | "stakeAllotted"}Text`;
}

/** Title and text of a notice in the reader's language. */
export function noticeWords(notice: Notice, t: (key: NoticeText, values: Record<string, string>) => string) {
  const { about, values } = notice;
  const isGood = about === "agentSuccess" || about === "seatSuccess" || about === "rebatePaid" || about === "stakeAllotted";
  return {
    title: t(`message.notice.${about}`, values),
    text: t(textOf(notice), values),
    tone: isGood ? ("success" as const) : ("info" as const),
  };
}
