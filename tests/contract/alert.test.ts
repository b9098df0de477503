/** Tests `alertDue` against an exact integer reference implementation, for arbitrary prices and levels. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALERT_KINDS, SetAlertBody, alertDue } from "#contract/alert.ts";
import type { AlertKind, PriceRange } from "#contract/alert.ts";

const kind = fc.constantFrom(...ALERT_KINDS);
/** Up to a million currency units. */
const aPrice = fc.integer({ min: 0, max: 10_000_000_000 });
const range = fc.record({ last: aPrice, reference: aPrice, volume: fc.integer({ min: 0, max: 1_000_000_000 }) });
/** Levels near the current value, where the boundary cases are, and arbitrary ones. */
const near = (at: number): fc.Arbitrary<number> => fc.integer({ min: -3, max: 3 }).map((by) => Math.max(1, Math.round(at) + by));
const changeOf = ({ last, reference }: PriceRange): number => (reference === 0 ? 0 : (Math.abs(last - reference) * 10_000) / reference);
const levelFor = (one: AlertKind, current: PriceRange): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    near(one === "volume" ? current.volume : one === "above" || one === "below" ? current.last : changeOf(current)),
  );
const alertCase = fc
  .tuple(kind, range)
  .chain(([one, current]) => fc.record({ kind: fc.constant(one), range: fc.constant(current), level: levelFor(one, current) }));

/** The reference implementation, in big integers. */
function expectedDue(one: AlertKind, level: number, { last, reference, volume }: PriceRange): boolean {
  const change = (BigInt(last) - BigInt(reference)) * 10_000n;
  const needed = BigInt(level) * BigInt(reference);
  switch (one) {
    case "volume":
      return volume >= level;
    case "above":
      return last > 0 && last >= level;
    case "below":
      return last > 0 && last <= level;
    case "rise":
      return last > 0 && reference > 0 && change >= needed;
    case "fall":
      return last > 0 && reference > 0 && -change >= needed;
  }
}

describe("alertDue", () => {
  test("matches the reference implementation", () => {
    fc.assert(
      fc.property(alertCase, ({ kind: one, level, range: current }) => {
        expect(alertDue({ kind: one, level }, current)).toBe(expectedDue(one, level, current));
      }),
      { numRuns: 2_000 },
    );
  });

  test("a level that is due implies every nearer level is due", () => {
    fc.assert(
      fc.property(alertCase, fc.integer({ min: 1, max: 1_000_000 }), ({ kind: one, level, range: current }, by) => {
        const nearer = one === "below" ? level + by : Math.max(1, level - by);
        if (alertDue({ kind: one, level }, current)) expect(alertDue({ kind: one, level: nearer }, current)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ["above", 1_000_000, { last: 1_000_000, reference: 0, volume: 0 }, true],
    ["above", 1_000_001, { last: 1_000_000, reference: 0, volume: 0 }, false],
    ["below", 1_000_000, { last: 1_000_000, reference: 0, volume: 0 }, true],
    ["rise", 500, { last: 1_050_000, reference: 1_000_000, volume: 0 }, true],
    ["rise", 500, { last: 1_049_999, reference: 1_000_000, volume: 0 }, false],
    ["fall", 500, { last: 950_000, reference: 1_000_000, volume: 0 }, true],
    ["fall", 500, { last: 1_050_000, reference: 1_000_000, volume: 0 }, false],
    ["volume", 10, { last: 0, reference: 0, volume: 10 }, true],
  ] as const)("%s %d of %o: %s", (one, level, current, due) => expect(alertDue({ kind: one, level }, current)).toBe(due));

  test("is never due without a price, nor for a change without a reference", () => {
    for (const one of ["above", "below", "rise", "fall"] as const) {
      expect(alertDue({ kind: one, level: 1 }, { last: 0, reference: 1_000_000, volume: 9 })).toBe(false);
    }
    expect(alertDue({ kind: "rise", level: 1 }, { last: 1_000_000, reference: 0, volume: 0 })).toBe(false);
  });
});

describe("SetAlertBody", () => {
  const body = { id: "3f0e9c52-8a5f-4f7e-9d6c-0a6a6a6a6a6a", code: "2330", kind: "above", level: 1 };

  test.each([0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, "1", null])("refuses the level %o with its own code", (level) => {
    const read = SetAlertBody.safeParse({ ...body, level });
    expect(read.error?.issues[0]).toMatchObject({ path: ["level"], message: "VAL_ALERT_LEVEL" });
  });

  test("accepts a valid alert", () => expect(SetAlertBody.safeParse(body).success).toBe(true));
});
