/** A change of a member's restrictions, as the member is told: which one, why, and the operator's own words. */
import * as z from "zod/mini";
import { Restriction } from "./eligibility.ts";
import type { RefusalCode } from "./kernel/refusal.ts";

/** Why a restriction was imposed or lifted; each has its text in the locales. */
export const RESTRICTION_REASONS = ["request", "security", "review", "breach", "authority", "resolved", "other"] as const;
export const RestrictionReason = z.enum(RESTRICTION_REASONS);
export type RestrictionReason = z.infer<typeof RestrictionReason>;

/** Most characters of the operator's words. */
export const RESTRICTION_WORDS = 200;

export const RestrictionNotice = z.object({
  restriction: Restriction,
  /** False: it was lifted. */
  imposed: z.boolean(),
  reason: RestrictionReason,
  /** Empty for none. */
  words: z.string(),
});
export type RestrictionNotice = z.infer<typeof RestrictionNotice>;

/** Restrictions that end every session, with the refusal of every call and sign-in. */
export const SIGN_IN_RESTRICTIONS = {
  loginBanned: "ACC_LOGIN_BANNED",
  banned: "ACC_BANNED",
  disabled: "ACC_DISABLED",
} as const satisfies Partial<Record<Restriction, RefusalCode>>;

/** Why a session is over: it expired or was ended, or its member may not sign in. */
export type SessionEnd = "ACC_SESSION_EXPIRED" | (typeof SIGN_IN_RESTRICTIONS)[keyof typeof SIGN_IN_RESTRICTIONS];

/** What a member can do again. */
const AGAIN = {
  loginBanned: "signIn",
  banned: "signIn",
  disabled: "signIn",
  frozen: "act",
  tradeBarred: "trade",
  withdrawBarred: "withdraw",
} as const satisfies Record<Restriction, string>;

export type RestrictionKey =
  | `message.restriction.${"imposed" | "lifted"}`
  | `message.restriction.now.${Restriction}`
  | `message.restriction.again.${(typeof AGAIN)[Restriction]}`
  | `message.restriction.reason.${RestrictionReason}`;

/** Title and text of a notice in the reader's language: what it means, why, and the operator's words as they are. */
export function restrictionWords({ restriction, imposed, reason, words }: RestrictionNotice, t: (key: RestrictionKey) => string) {
  const what = imposed ? t(`message.restriction.now.${restriction}`) : t(`message.restriction.again.${AGAIN[restriction]}`);
  const text = [what, t(`message.restriction.reason.${reason}`), words].join(" ").trim();
  return { title: t(`message.restriction.${imposed ? "imposed" : "lifted"}`), text, tone: imposed ? "danger" : "success" } as const;
}
