/** The secrets a member chooses: password, guarantee code and fund password, each validated as form input. */
import * as z from "zod/mini";
import { isCommonPassword } from "./common-password.ts";

/** Argon2 takes longer ones, but bcrypt's limit is what people's password managers know. */
const PASSWORD_BYTES = { least: 8, most: 72 };

/** Length in UTF-8. */
function lengthOf(text: string): number {
  let bytes = 0;
  for (const letter of text) {
    const point = letter.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** A new password: 8 to 72 bytes in UTF-8, and not one that everybody tries first. */
export const NewPassword = z.string("VAL_PASSWORD_EMPTY").check(
  z.minLength(1, "VAL_PASSWORD_EMPTY"),
  z.refine(
    (text) => text === "" || (lengthOf(text) >= PASSWORD_BYTES.least && lengthOf(text) <= PASSWORD_BYTES.most),
    "VAL_PASSWORD_LENGTH",
  ),
  z.refine((text) => !isCommonPassword(text), "VAL_PASSWORD_COMMON"),
);

/** A password entered to be checked, whatever rules it was chosen by. */
export const TypedPassword = z.string("VAL_PASSWORD_EMPTY").check(z.minLength(1, "VAL_PASSWORD_EMPTY"), z.maxLength(128));

/** The same password once more; whether it is the same is checked with the other. */
export const Confirmation = z.string("VAL_CONFIRM_EMPTY").check(z.minLength(1, "VAL_CONFIRM_EMPTY"), z.maxLength(128));

const sixDigits = (code: "VAL_GUARANTEE_DIGITS" | "VAL_FUND_DIGITS" | "VAL_CODE_DIGITS") => z.string(code).check(z.regex(/^\d{6}$/, code));

/** The guarantee code: six digits, the second secret at sign-in. */
export const GuaranteeCode = sixDigits("VAL_GUARANTEE_DIGITS");
/** The fund password: six digits, asked before money leaves. */
export const FundPassword = sixDigits("VAL_FUND_DIGITS");
/** The channel password: 6 to 20 letters and digits, asked by the deposit channels that need it. */
export const ChannelPassword = z.string("VAL_CHANNEL_PASSWORD").check(z.regex(/^[A-Za-z0-9]{6,20}$/, "VAL_CHANNEL_PASSWORD"));
/** A one-time code as typed. */
export const OneTimeCode = sixDigits("VAL_CODE_DIGITS");

/** Refuses a confirmation that differs from `field`, at its own field. */
export const sameAs = <Field extends string>(field: Field) =>
  z.refine<Readonly<Record<Field | "confirmation", string>>>((body) => body[field] === body.confirmation, {
    error: "PWD_CONFIRM_MISMATCH",
    path: ["confirmation"],
  });
