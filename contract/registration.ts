/** Registration: what a newcomer is asked, and how a forgotten password is replaced. */
import * as z from "zod/mini";
import { BirthDate } from "./birth-date.ts";
import { IdNumber } from "./id-number.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { EpochMs } from "./kernel/time.ts";
import { isSignature, Strokes } from "./signature.ts";
import { Confirmation, GuaranteeCode, NewPassword, OneTimeCode, sameAs } from "./secret.ts";
import { Session } from "./session.ts";

/** A Taiwanese mobile number; `+886 912-345-678` becomes `0912345678`. */
export const Mobile = z.pipe(
  z.pipe(
    z.string("VAL_MOBILE_INVALID"),
    z.transform((text: string) =>
      text
        .replaceAll(/[\s()-]/g, "")
        .replace(/^(?:\+|00)886/, "0")
        .replace(/^00/, "0"),
    ),
  ),
  z.string().check(z.regex(/^09\d{8}$/, "VAL_MOBILE_INVALID")),
);

/** The legal representative of a minor. */
export const Representative = z.object({
  name: z.string("VAL_REPRESENTATIVE").check(z.trim(), z.minLength(1, "VAL_REPRESENTATIVE"), z.maxLength(40)),
  idNumber: IdNumber,
  /** The representative signs by hand. */
  strokes: Strokes.check(z.refine(isSignature, "VAL_REPRESENTATIVE")),
  /** The representative agrees; for the youngest also to the use of their personal data. */
  consents: z.literal(true, "VAL_REPRESENTATIVE"),
});

export const RegisterBody = z
  .object({
    mobile: Mobile,
    idNumber: IdNumber,
    birthDate: BirthDate,
    password: NewPassword,
    confirmation: Confirmation,
    guaranteeCode: GuaranteeCode,
    invitationCode: z
      .string("VAL_INVITE_EMPTY")
      .check(z.trim(), z.minLength(1, "VAL_INVITE_EMPTY"), z.maxLength(16, "ACC_INVITER_NOT_FOUND"), z.toUpperCase()),
    /** Whether the privacy policy was read and agreed to. */
    privacy: z.literal(true, "VAL_PRIVACY_REQUIRED"),
    /** Needed below the age of majority; null otherwise. */
    representative: z.nullable(Representative),
  })
  .check(sameAs("password"));

/** Where a one-time code went: `sandboxCode` is the code itself, only while the server shows it instead of sending it. */
export const SentCode = z.object({ expiresAt: EpochMs, sandboxCode: z.nullable(z.string()) });
export type SentCode = z.infer<typeof SentCode>;

export const registrationEndpoints = {
  register: endpoint({
    path: "/session/register",
    access: "open",
    does: "Open an account with an invitation, and sign in to it.",
    body: RegisterBody,
    data: Session,
    refusals: [
      "VAL_MOBILE_INVALID",
      "VAL_ID_INVALID",
      "VAL_BIRTH_DATE",
      "VAL_PASSWORD_EMPTY",
      "VAL_PASSWORD_LENGTH",
      "VAL_PASSWORD_COMMON",
      "VAL_CONFIRM_EMPTY",
      "VAL_GUARANTEE_DIGITS",
      "VAL_INVITE_EMPTY",
      "VAL_PRIVACY_REQUIRED",
      "VAL_REPRESENTATIVE",
      "PWD_CONFIRM_MISMATCH",
      "GEN_TOO_FREQUENT",
      "ACC_INVITER_NOT_FOUND",
      "ACC_NUMBER_REGISTERED",
      "ACC_EXISTS",
    ],
  }),
  requestPasswordCode: endpoint({
    path: "/session/password-code",
    access: "open",
    does: "Send a one-time code to a member's mobile number; the reply never tells whether there is such a member.",
    body: z.object({ idNumber: IdNumber, mobile: Mobile }),
    data: SentCode,
    refusals: ["VAL_ID_INVALID", "VAL_MOBILE_INVALID", "GEN_TOO_FREQUENT", "ACC_CODE_UNSENDABLE"],
  }),
  resetPassword: endpoint({
    path: "/session/reset-password",
    access: "open",
    does: "Replace a forgotten password and guarantee code with a one-time code; all sessions end.",
    body: z
      .object({
        idNumber: IdNumber,
        mobile: Mobile,
        oneTimeCode: OneTimeCode,
        password: NewPassword,
        confirmation: Confirmation,
        guaranteeCode: GuaranteeCode,
      })
      .check(sameAs("password")),
    data: z.null(),
    refusals: [
      "VAL_ID_INVALID",
      "VAL_MOBILE_INVALID",
      "VAL_CODE_DIGITS",
      "VAL_PASSWORD_EMPTY",
      "VAL_PASSWORD_LENGTH",
      "VAL_PASSWORD_COMMON",
      "VAL_CONFIRM_EMPTY",
      "VAL_GUARANTEE_DIGITS",
      "PWD_CONFIRM_MISMATCH",
      "GEN_TOO_FREQUENT",
      "ACC_CODE_WRONG",
    ],
  }),
};
