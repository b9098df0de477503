/** Tests premiums as text: shown with the tenths their ticks have, and read as typed. */
import { expect, it } from "vitest";
import { formatPremium, typedPremium } from "#contract/premium.ts";

it.each([
  [0, "0.0"],
  [1, "0.1"],
  [125, "12.5"],
  [490, "49.0"],
  [500, "50"],
  [505, "50.5"],
  [12_300, "1,230"],
  [-1_255, "−125.5"],
  [1_283.4, "128.3"],
])("shows %d tenths as %s", (tenths, text) => {
  expect(formatPremium(tenths)).toBe(text);
});

it.each([
  ["", null],
  [" ", null],
  ["12.5", 125],
  ["1,230", 12_300],
  ["0.1", 1],
  // Between two ticks, and refused as that.
  ["12.55", 125.5],
  ["12.", 0],
  // More than any premium, and refused as that.
  ["9,999,999", 99_999_990],
  ["-3", 0],
  ["abc", 0],
])("reads %j as %s", (text, tenths) => {
  expect(typedPremium(text)).toBe(tenths);
});
