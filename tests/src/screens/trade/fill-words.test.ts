/** Tests the word for a fill: what the member did, not the side of the tape. */
import { expect, it } from "vitest";
import { actOf } from "#src/screens/trade/fill-words.ts";

it.each([
  ["rise", "open", "buy"],
  ["rise", "close", "sell"],
  ["fall", "open", "short"],
  ["fall", "close", "cover"],
] as const)("a fill of a %s position that is to %s is called %s", (direction, side, act) => {
  expect(actOf({ direction, side })).toBe(act);
});
