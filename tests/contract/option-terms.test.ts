/** Tests the money of options by hand: premiums, fee, taxes and the margin of sellers. */
import { expect, it } from "vitest";
import { directionOf, exerciseTaxOf, optionFeeOf, optionTaxOf, premiumWorth, sellerMargin } from "#contract/option-terms.ts";
import { OPTION_RULE } from "#tests/support/option-rule.ts";

it("counts a premium at NT$50 a point", () => {
  expect(premiumWorth(125)).toBe(62_500);
  expect(premiumWorth(125, -3)).toBe(-187_500);
});

it("takes a fee, 1 per 1,000 of a premium, and 2 per 100,000 of the index at an exercise", () => {
  expect(optionFeeOf(-3, OPTION_RULE)).toBe(7_500);
  // 250 points × 50 × 3 × 0.001 = 37.5.
  expect(optionTaxOf(2_500, -3, OPTION_RULE)).toBe(3_800);
  expect(optionTaxOf(1, 1, OPTION_RULE)).toBe(0);
  // 23,155 × 50 × 2 × 0.00002 = 46.31.
  expect(exerciseTaxOf(23_155, -2, OPTION_RULE)).toBe(4_600);
});

it("asks sellers for the premium and the larger of A less what is out of the money, and B", () => {
  // 200 points are NT$10,000.
  const at = (right: "call" | "put", strike: number) => sellerMargin(right, strike, 2_000, 23_000, 2, OPTION_RULE);
  expect(at("call", 22_000)).toEqual({ initialCents: 2 * 10_000_000, maintenanceCents: 2 * 7_900_000 });
  // 500 points out of the money are NT$25,000.
  expect(at("call", 23_500)).toEqual({ initialCents: 2 * 7_500_000, maintenanceCents: 2 * 5_400_000 });
  expect(at("put", 22_500)).toEqual(at("call", 23_500));
  expect(at("put", 20_000)).toEqual({ initialCents: 2 * 5_500_000, maintenanceCents: 2 * 4_450_000 });
});

it("knows which lots gain when the index rises", () => {
  expect([directionOf("call", 2), directionOf("put", -1), directionOf("call", -3), directionOf("put", 4)]).toEqual([1, 1, -1, -1]);
});
