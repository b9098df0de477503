/** Tests the alert form's levels: the initial level is not reached yet, and typed levels parse as meant. */
import { describe, expect, it } from "vitest";
import { ALERT_KINDS, alertDue } from "#contract/alert.ts";
import { onTick } from "#contract/tick.ts";
import { alertKinds, parseLevel, steppedLevel, typedLevel, usualLevel } from "#src/screens/quote/alert-draft.ts";

const stock = { kind: "stock", decimals: 2 } as const;
const range = { last: 1_085_0000, reference: 1_065_0000, volume: 28_413 };

describe("the initial level", () => {
  it("is not reached yet, for every kind", () => {
    for (const kind of ALERT_KINDS) {
      const level = usualLevel(kind, stock, range);
      expect(level).toBeGreaterThan(0);
      expect(alertDue({ kind, level }, range)).toBe(false);
    }
  });

  it("is on a tick for prices, and round for volumes", () => {
    expect(onTick("stock", usualLevel("above", stock, range))).toBe(true);
    expect(usualLevel("above", stock, range)).toBe(1_120_0000);
    expect(usualLevel("below", stock, range)).toBe(1_050_0000);
    expect(usualLevel("volume", stock, range)).toBe(57_000);
    expect(usualLevel("volume", stock, { ...range, volume: 0 })).toBe(100);
  });

  it("uses the previous close before the first trade, and is 0 without one", () => {
    expect(usualLevel("above", stock, { last: 0, reference: 100_0000, volume: 0 })).toBe(103_0000);
    expect(usualLevel("above", stock, { last: 0, reference: 0, volume: 0 })).toBe(0);
  });
});

describe("a typed level", () => {
  it("parses back to what is shown", () => {
    for (const [kind, level] of [
      ["above", 1_120_0000],
      ["rise", 325],
      ["volume", 57_000],
    ] as const) {
      expect(parseLevel(kind, typedLevel(kind, level, 2))).toBe(level);
    }
    expect(parseLevel("fall", "3.5")).toBe(350);
    expect(parseLevel("volume", "57,000")).toBe(57_000);
  });

  it("is null when invalid", () => {
    for (const kind of ALERT_KINDS) for (const text of ["", "abc", "-1", "1.2.3"]) expect(parseLevel(kind, text)).toBeNull();
    expect(parseLevel("volume", "1.5")).toBeNull();
  });
});

describe("a step", () => {
  it("is a tick, a quarter percent, or a tenth of the volume, and never goes below one", () => {
    expect(steppedLevel("above", 995_0000, stock, 1, 6)).toBe(1_005_0000);
    expect(steppedLevel("rise", 300, stock, -1, 1)).toBe(275);
    expect(steppedLevel("fall", 25, stock, -1, 3)).toBe(25);
    expect(steppedLevel("volume", 57_000, stock, 1, 1)).toBe(58_000);
    expect(steppedLevel("volume", 10_000, stock, -1, 1)).toBe(9_900);
    expect(steppedLevel("volume", 1, stock, -1, 5)).toBe(1);
  });
});

describe("alert kinds", () => {
  it("exclude volume where there is none", () => {
    expect(alertKinds({ kind: "index" })).not.toContain("volume");
    expect(alertKinds({ kind: "stock" })).toEqual(ALERT_KINDS);
  });
});
