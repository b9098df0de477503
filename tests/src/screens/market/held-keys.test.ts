/** Tests what the buy and sell keys of a held instrument say and start with. */
import { expect, test } from "vitest";
import { heldActs, heldKind } from "#src/screens/market/held-keys.ts";

const long = { direction: "rise", dayTrade: false } as const;
const short = { direction: "fall", dayTrade: false } as const;
const dayShort = { direction: "fall", dayTrade: true } as const;

test("more of a long, cover a short, and plain words for nothing or for both", () => {
  expect(heldActs([])).toEqual({});
  expect(heldActs([long])).toEqual({ buy: "buyMore" });
  expect(heldActs([short, dayShort])).toEqual({ buy: "cover", sell: "shortMore" });
  expect(heldActs([long, short])).toEqual({});
});

test("only the key that says so starts as a short, of the kind that is held", () => {
  expect([heldKind([], "sell"), heldKind([long], "sell"), heldKind([long, short], "sell"), heldKind([short], "buy")]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(heldKind([short, dayShort], "sell")).toBe("short");
  expect(heldKind([dayShort], "sell")).toBe("dayTrade");
});
