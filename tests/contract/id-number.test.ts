/** Tests ID numbers: published vectors pass, numbers with a changed digit do not. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IdNumber, isIdNumber } from "#contract/id-number.ts";

const VALID = [
  "A123456789",
  "A100537307",
  "Z123456780",
  "F131104093",
  "A100000001",
  "B200000004",
  "F123456784",
  "A800000014",
  "A900000016",
  "H870000003",
  "I980000003",
  "AA00000009",
  "AB23456789",
  "AC00000003",
  "BD12345672",
];
const INVALID = ["A123456780", "F224523789", "A800000010", "A323456789", "", "A12345678", "A1234567890", "a123456789", "1A23456789"];

describe("ID numbers", () => {
  it.each(VALID)("%s is valid", (number) => expect(isIdNumber(number)).toBe(true));
  it.each(INVALID)("%s is invalid", (number) => expect(isIdNumber(number)).toBe(false));

  it("detects any single changed digit after the first two positions", () => {
    fc.assert(
      fc.property(fc.constantFrom(...VALID), fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 9 }), (number, at, by) => {
        const digit = (Number(number[at]) + by) % 10;
        const changed = number.slice(0, at) + digit + number.slice(at + 1);
        // Weights 8 … 1 and 1: an even weight hides a change by five, and weight five a change by two; a gap in the official checksum.
        const weight = [8, 7, 6, 5, 4, 3, 2, 1, 1][at - 1] ?? 1;
        const difference = (digit - Number(number[at])) * weight;
        expect(isIdNumber(changed)).toBe(difference % 10 === 0);
      }),
    );
  });

  it("count each letter as the ministry's table orders them, from 10 on", () => {
    const order = "ABCDEFGHJKLMNPQRSTUVXYWZIO";
    for (const [at, letter] of order.split("").entries()) {
      const [tens, ones] = String(10 + at)
        .split("")
        .map(Number);
      // One, and zeros up to the check digit.
      const sum = (tens ?? 0) + 9 * (ones ?? 0) + 8;
      const valid = `${letter}10000000${(10 - (sum % 10)) % 10}`;
      expect(isIdNumber(valid), valid).toBe(true);
    }
  });

  it("are trimmed and upper-cased by the schema, and refused with VAL_ID_INVALID", () => {
    expect(IdNumber.parse(" a123456789 ")).toBe("A123456789");
    expect(IdNumber.safeParse("A123456780").error?.issues[0]?.message).toBe("VAL_ID_INVALID");
    expect(IdNumber.safeParse(7).error?.issues[0]?.message).toBe("VAL_ID_INVALID");
  });
});
