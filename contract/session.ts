/** Session endpoints: signing in, signing out and restoring a session. */
import * as z from "zod/mini";
import { IdNumber } from "./id-number.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Account } from "./kernel/id.ts";
import { EpochMs } from "./kernel/time.ts";

/** What a signed-in client stores: the opaque token and the account, both sent as headers with every call. */
export const Session = z.object({ token: z.string(), account: Account, expiresAt: EpochMs });
export type Session = z.infer<typeof Session>;

/** What the sign-in form sends. */
export const SignInBody = z.object({
  idNumber: z.pipe(z.string("VAL_ACCOUNT_EMPTY").check(z.refine((text) => text.trim() !== "", "VAL_ACCOUNT_EMPTY")), IdNumber),
  password: z.string("VAL_PASSWORD_EMPTY").check(z.minLength(1, "VAL_PASSWORD_EMPTY"), z.maxLength(128)),
  guaranteeCode: z.string("GEN_FORM_INCOMPLETE").check(z.minLength(1, "GEN_FORM_INCOMPLETE"), z.maxLength(32)),
});

export const sessionEndpoints = {
  signIn: endpoint({
    path: "/session/sign-in",
    access: "open",
    does: "Sign in with ID number, password and guarantee code; a refusal never tells which one was wrong. A member keeps the newest 20 sessions: one more ends the oldest.",
    body: SignInBody,
    data: Session,
    refusals: [
      "VAL_ACCOUNT_EMPTY",
      "VAL_ID_INVALID",
      "VAL_PASSWORD_EMPTY",
      "GEN_FORM_INCOMPLETE",
      "GEN_TOO_FREQUENT",
      "ACC_BAD_CREDENTIALS",
      "ACC_NOT_FOUND_OR_DISABLED",
      // Those of `eligibilityRefusals("browse")`, written out: the function would be part of the first load.
      "ACC_LOGIN_BANNED",
      "ACC_BANNED",
      "ACC_DISABLED",
    ],
  }),
  signOut: endpoint({
    path: "/session/sign-out",
    access: "member",
    does: "Revoke the calling session.",
    body: z.object({}),
    data: z.null(),
    refusals: [],
  }),
  restoreSession: endpoint({
    path: "/session/restore",
    access: "member",
    does: "Check whether the calling session is still valid, and until when.",
    body: z.object({}),
    data: z.object({ account: Account, expiresAt: EpochMs }),
    refusals: [],
  }),
};
