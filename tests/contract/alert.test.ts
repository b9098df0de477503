/** When an alert's moment has come: against the same sums in exact fractions, for whatever prices and levels there are. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALERT_KINDS, SetAlertBody, alertDue } from "#contract/alert.ts";
import type { AlertKind, PriceRange } from "#contract/alert.ts";

const kind = fc.constantFrom(...ALERT_KINDS);
/** Up to a million currency units. */
const aPrice = fc.integer({ min: 0, max: 10_000_000_000 });
const sight = fc.record({ last: aPrice, reference: aPrice, volume: fc.integer({ min: 0, max: 1_000_000_000 }) });
/** Levels near what is seen, where it matters, and any others. */
const near = (at: number): fc.Arbitrary<number> => fc.integer({ min: -3, max: 3 }).map((by) => Math.max(1, Math.round(at) + by));
const changeOf = ({ last, reference }: PriceRange): number => (reference === 0 ? 0 : (Math.abs(last - reference) * 10_000) / reference);
const levelFor = (one: AlertKind, seen: PriceRange): fc.Arbitrary<number> =>
  fc.oneof(
    fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    near(one === "volume" ? seen.volume : one === "above" || one === "below" ? seen.last : changeOf(seen)),
  );
const asked = fc
  .tuple(kind, sight)
  .chain(([one, seen]) => fc.record({ kind: fc.constant(one), sight: fc.constant(seen), level: levelFor(one, seen) }));

/** The definition, in integers without end. */
function obvious(one: AlertKind, level: number, { last, reference, volume }: PriceRange): boolean {
  const moved = (BigInt(last) - BigInt(reference)) * 10_000n;
  const needed = BigInt(level) * BigInt(reference);
  switch (one) {
    case "volume":
      return volume >= level;
    case "above":
      return last > 0 && last >= level;
    case "below":
      return last > 0 && last <= level;
    case "rise":
      return last > 0 && reference > 0 && moved >= needed;
    case "fall":
      return last > 0 && reference > 0 && -moved >= needed;
  }
}

describe("an alert's moment", () => {
  test("is what its definition says", () => {
    fc.assert(
      fc.property(asked, ({ kind: one, level, sight: seen }) => {
        expect(alertDue({ kind: one, level }, seen)).toBe(obvious(one, level, seen));
      }),
      { numRuns: 2_000 },
    );
  });

  test("of a further level never comes before that of a nearer one", () => {
    fc.assert(
      fc.property(asked, fc.integer({ min: 1, max: 1_000_000 }), ({ kind: one, level, sight: seen }, by) => {
        const nearer = one === "below" ? level + by : Math.max(1, level - by);
        if (alertDue({ kind: one, level }, seen)) expect(alertDue({ kind: one, level: nearer }, seen)).toBe(true);
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
  ] as const)("%s %d of %o: %s", (one, level, seen, due) => expect(alertDue({ kind: one, level }, seen)).toBe(due));

  test("does not come without a price, nor a change without a reference", () => {
    for (const one of ["above", "below", "rise", "fall"] as const) {
      expect(alertDue({ kind: one, level: 1 }, { last: 0, reference: 1_000_000, volume: 9 })).toBe(false);
    }
    expect(alertDue({ kind: "rise", level: 1 }, { last: 1_000_000, reference: 0, volume: 0 })).toBe(false);
  });
});

describe("the form of an alert", () => {
  const body = { id: "3f0e9c52-8a5f-4f7e-9d6c-0a6a6a6a6a6a", code: "2330", kind: "above", level: 1 };

  test.each([0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, "1", null])("refuses the level %o with its own code", (level) => {
    const read = SetAlertBody.safeParse({ ...body, level });
    expect(read.error?.issues[0]).toMatchObject({ path: ["level"], message: "VAL_ALERT_LEVEL" });
  });

  test("takes one", () => expect(SetAlertBody.safeParse(body).success).toBe(true));
});
