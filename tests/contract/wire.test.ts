/** Tests the flat lists of numbers on the wire: every field is read from the place where it was written. */
import { expect, it } from "vitest";
import { QUOTE_FIELDS, QUOTE_STRIDE, pushQuote, quoteAt } from "#contract/quote.ts";
import { HEAT_FIELDS, sectorHeatAt } from "#contract/sector-heat.ts";
import { TAPE_FIELDS, tradeAt } from "#contract/tape.ts";

const numbered = <Field extends string>(fields: readonly Field[], first: number): Record<Field, number> =>
  Object.fromEntries(fields.map((field, at) => [field, first + at])) as Record<Field, number>;

it("a quote is written and read in the order of its fields", () => {
  const flat: number[] = [];
  for (const first of [100, 200]) pushQuote(flat, numbered(QUOTE_FIELDS, first));
  expect(flat).toEqual([100, 200].flatMap((first) => Object.values(numbered(QUOTE_FIELDS, first))));
  expect(quoteAt(flat, QUOTE_STRIDE)).toEqual(numbered(QUOTE_FIELDS, 200));
});

it.each([
  ["trade", TAPE_FIELDS, tradeAt],
  ["sector's heat", HEAT_FIELDS, sectorHeatAt],
] as const)("a %s is read in the order of its fields", (_, fields, read) => {
  const expected = numbered<string>(fields, 50);
  expect(read([1, 2, 3, ...Object.values(expected)], 3)).toEqual(expected);
});
