/** Tests that options are priced by the index's own day: the night has the part of its variance that the simulated market gives it. */
import { expect, it } from "vitest";
import { NIGHT_PART } from "#server/trading/futures/option-series.ts";
import { GAP_PART } from "#server/venue/simulator/component.ts";

it("the night weighs in the price of an option what it weighs in the market", () => {
  expect(NIGHT_PART).toBe(GAP_PART);
});
