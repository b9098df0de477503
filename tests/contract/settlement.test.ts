/** Tests which orders may be paid from the day's sales. */
import { expect, it } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { usableProceeds } from "#contract/settlement.ts";

const PROCEEDS = [
  { settlementDays: 1, cents: cents(100) },
  { settlementDays: 2, cents: cents(250) },
];

it.each([
  ["rise", "cash", 2, 250],
  ["rise", "cash", 1, 100],
  ["rise", "cash", 3, 0],
  ["rise", "cash", 0, 0],
  ["fall", "cash", 2, 0],
  ["rise", "margin", 2, 0],
  ["rise", "leverage", 2, 0],
] as const)("an order to %s for %s that settles in %i days may use %i", (direction, funding, settlementDays, usable) => {
  expect(usableProceeds(PROCEEDS, { direction, funding, settlementDays })).toBe(usable);
});
