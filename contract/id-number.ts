/** Taiwan's national ID and residence numbers: format and checksum. */
import * as z from "zod/mini";

/** The numeric value of each letter, A to Z. */
const LETTER = [10, 11, 12, 13, 14, 15, 16, 17, 34, 18, 19, 20, 21, 22, 35, 23, 24, 25, 26, 27, 28, 29, 32, 30, 31, 33];
const WEIGHTS = [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1];

function letterValue(letter: string): number {
  return LETTER[letter.charCodeAt(0) - 65] ?? 0;
}

/**
 * Tells whether an ID number is valid: national (`A1…`, `A2…`), resident issued since 2021 (`A8…`, `A9…`) or resident issued
 * before (`AA…` to `AD…`), with a correct check digit.
 */
export function isIdNumber(text: string): boolean {
  if (!/^[A-Z](?:[1289]|[A-D])\d{8}$/.test(text)) return false;
  const first = letterValue(text.charAt(0));
  const second = text.charAt(1);
  const digits = [
    Math.floor(first / 10),
    first % 10,
    second >= "A" ? letterValue(second) % 10 : Number(second),
    ...text.slice(2).split("").map(Number),
  ];
  return digits.reduce((sum, digit, at) => sum + digit * (WEIGHTS[at] ?? 0), 0) % 10 === 0;
}

/** An ID number as form input: trimmed, upper-cased and validated. */
export const IdNumber = z.pipe(
  z.pipe(
    z.string("VAL_ID_INVALID"),
    z.transform((text: string) => text.trim().toUpperCase()),
  ),
  z.string().check(z.refine(isIdNumber, "VAL_ID_INVALID")),
);
