/** Calculations of the load lab. */
import { expect, test } from "vitest";
import { quantile } from "#src/screens/lab/measure.ts";

test.each([
  [[5, 1, 3], 0.5, 3],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95, 10],
  [[7], 0.95, 7],
  [[], 0.5, 0],
])("of %j, %d lie below %d", (values, part, value) => {
  expect(quantile(values, part)).toBe(value);
});
