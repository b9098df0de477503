/** Tests amounts of ex-events: no significant digit is lost, no trailing zero is shown. */
import { expect, test } from "vitest";
import { cashText, perThousandText, splitText } from "#src/screens/quote/ex-amounts.ts";

test("cash has two decimals, or as many as it needs", () => {
  expect([45_000, 15_035, 123, 12_340, 10_000].map(cashText)).toEqual(["4.50", "1.5035", "0.0123", "1.234", "1.00"]);
});

test("new shares are per thousand held, splits give the number of shares", () => {
  expect([50_000, 1_500, 33_333].map(perThousandText)).toEqual(["50", "1.5", "33.333"]);
  expect([1_000_000, 9_000_000, 333_333].map(splitText)).toEqual(["2", "10", "1.33"]);
});
