/** Tests that common passwords are recognised, and uncommon ones are not. */
import { describe, expect, it } from "vitest";
import { isCommonPassword } from "#contract/common-password.ts";
import { NewPassword } from "#contract/secret.ts";

describe("a common password", () => {
  it.each([
    "password",
    "Password1",
    "password123!",
    "P@ssw0rd",
    "12345678",
    "123456789",
    "1234567890",
    "87654321",
    "qwertyuiop",
    "qwerty123",
    "1qaz2wsx",
    "abcdefgh",
    "abcd1234",
    "11111111",
    "aaaaaaaa",
    "abcabcabc",
    "iloveyou1",
    "welcome2024",
    "Taiwan2026!",
    "kuroshio1",
    "19900101",
    "01011990",
    "asdfghjkl",
    "letmein99",
    "superman1",
    "123password",
    "dragon88888",
    "qwertyui",
    "woaini1314",
    "admin@1234",
    "zxcvbnm1",
  ])("is %s", (password) => expect(isCommonPassword(password)).toBe(true));

  it.each([
    "kuroshio-demo",
    "violet-harbour",
    "correct horse battery",
    "9f2!kQpz",
    "爬山涉水過日子",
    "tr0mbone-and-tea",
    "48151623",
    "mango7river",
  ])("is not %s", (password) => expect(isCommonPassword(password)).toBe(false));
});

describe("a new password", () => {
  const problemOf = (password: string): string | undefined => NewPassword.safeParse(password).error?.issues[0]?.message;

  it.each([
    ["", "VAL_PASSWORD_EMPTY"],
    ["short7!", "VAL_PASSWORD_LENGTH"],
    ["é".repeat(37), "VAL_PASSWORD_LENGTH"],
    ["password1", "VAL_PASSWORD_COMMON"],
    // Eight bytes, but three letters.
    ["爬山涉", undefined],
    ["violet-harbour", undefined],
    ["violet harbour ".repeat(4).slice(0, 72) + "xxxxxxxxxxxxxxx", "VAL_PASSWORD_LENGTH"],
  ])("%j is %s", (password, code) => expect(problemOf(password)).toBe(code));
});
