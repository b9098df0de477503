/** A signed-in member's secrets: changing the sign-in password; setting, changing and resetting the fund password. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { SentCode } from "./registration.ts";
import { Confirmation, FundPassword, NewPassword, OneTimeCode, sameAs, TypedPassword } from "./secret.ts";

export const passwordEndpoints = {
  changePassword: endpoint({
    path: "/account/password",
    access: "member",
    does: "Change the sign-in password; all other sessions of the member end.",
    body: z.object({ current: TypedPassword, password: NewPassword, confirmation: Confirmation }).check(sameAs("password")),
    data: z.object({ sessionsEnded: z.int() }),
    refusals: [
      "VAL_PASSWORD_EMPTY",
      "VAL_PASSWORD_LENGTH",
      "VAL_PASSWORD_COMMON",
      "VAL_CONFIRM_EMPTY",
      "PWD_CONFIRM_MISMATCH",
      "ACC_SHARED",
      "GEN_TOO_FREQUENT",
      "PWD_ORIGINAL_WRONG",
    ],
  }),
  setFundPassword: endpoint({
    path: "/account/fund-password/set",
    access: "member",
    does: "Set the first fund password with the sign-in password.",
    body: z.object({ current: TypedPassword, fundPassword: FundPassword, confirmation: Confirmation }).check(sameAs("fundPassword")),
    data: z.null(),
    refusals: [
      "VAL_PASSWORD_EMPTY",
      "VAL_FUND_DIGITS",
      "VAL_CONFIRM_EMPTY",
      "PWD_CONFIRM_MISMATCH",
      "ACC_SHARED",
      "GEN_TOO_FREQUENT",
      "PWD_ORIGINAL_WRONG",
      "PWD_FUND_EXISTS",
    ],
  }),
  changeFundPassword: endpoint({
    path: "/account/fund-password/change",
    access: "member",
    does: "Change the fund password with the old one.",
    body: z.object({ current: FundPassword, fundPassword: FundPassword, confirmation: Confirmation }).check(sameAs("fundPassword")),
    data: z.null(),
    refusals: [
      "VAL_FUND_DIGITS",
      "VAL_CONFIRM_EMPTY",
      "PWD_CONFIRM_MISMATCH",
      "ACC_SHARED",
      "PWD_FUND_NOT_SET",
      "PWD_FUND_LOCKED",
      "PWD_FUND_WRONG",
    ],
  }),
  requestFundCode: endpoint({
    path: "/account/fund-password/code",
    access: "member",
    does: "Send a one-time code for a new fund password to the member's mobile number.",
    body: z.object({}),
    data: SentCode,
    refusals: ["PWD_FUND_NOT_SET", "GEN_TOO_FREQUENT", "ACC_CODE_UNSENDABLE"],
  }),
  resetFundPassword: endpoint({
    path: "/account/fund-password/reset",
    access: "member",
    does: "Replace a forgotten fund password with a one-time code.",
    body: z.object({ oneTimeCode: OneTimeCode, fundPassword: FundPassword, confirmation: Confirmation }).check(sameAs("fundPassword")),
    data: z.null(),
    refusals: [
      "VAL_CODE_DIGITS",
      "VAL_FUND_DIGITS",
      "VAL_CONFIRM_EMPTY",
      "PWD_CONFIRM_MISMATCH",
      "ACC_SHARED",
      "PWD_FUND_NOT_SET",
      "GEN_TOO_FREQUENT",
      "PWD_SECRET_MISMATCH",
      "ACC_CODE_WRONG",
    ],
  }),
};
