/** Notices of the broker in the inbox that need no more than their kind and a few values: decisions, expiries, payments. */
import * as z from "zod/mini";

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
  "announcement",
  ...SECURITY_NOTICES,
] as const;
export const NoticeKind = z.enum(NOTICES);
export type NoticeKind = z.infer<typeof NoticeKind>;

/** `values` are ready to be shown: amounts are formatted. */
export const Notice = z.object({ about: NoticeKind, values: z.record(z.string(), z.string()) });
export type Notice = z.infer<typeof Notice>;

const isSecurity = (about: NoticeKind): about is SecurityNotice => SECURITY_NOTICES.some((one) => one === about);

type NoticeRoute = "/information/agent" | "/information/seat" | "/home/checkIn" | "/information/userInfo" | "/information/setting";

/** The screen that shows more. */
export function noticeRoute({ about }: Notice): NoticeRoute {
  if (isSecurity(about)) return "/information/setting";
  if (about === "announcement") return "/information/userInfo";
  if (about === "voucherExpired") return "/home/checkIn";
  return about.startsWith("seat") ? "/information/seat" : "/information/agent";
}

/** Every text of a notice. */
export type NoticeText =
  `message.notice.${NoticeKind | "application" | "voucherExpiredText" | "rebatePaidText" | "announcementText" | "securityText"}`;

/** Title and text of a notice in the reader's language. */
export function noticeWords({ about, values }: Notice, t: (key: NoticeText, values: Record<string, string>) => string) {
  if (isSecurity(about))
    return { title: t(`message.notice.${about}`, values), text: t("message.notice.securityText", values), tone: "info" as const };
  const isApplication = about !== "voucherExpired" && about !== "rebatePaid" && about !== "announcement";
  const isGood = about === "agentSuccess" || about === "seatSuccess" || about === "rebatePaid";
  return {
    title: t(`message.notice.${about}`, values),
    text: t(isApplication ? "message.notice.application" : `message.notice.${about}Text`, values),
    tone: isGood ? ("success" as const) : ("info" as const),
  };
}
