/** Tests pro rata allotment on random requests: it sums exactly, gives nobody more than asked, and is as proportional as whole units can be. */
import { describe, expect, it } from "vitest";
import { proRata, proRataSlices } from "#contract/pro-rata.ts";

/** A repeatable sequence of whole numbers below a bound. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe("pro rata", () => {
  it.each<[total: number, asked: number[], given: number[]]>([
    [10, [3, 4], [3, 4]],
    [10, [5, 5], [5, 5]],
    [10, [20], [10]],
    [10, [10, 10, 10], [4, 3, 3]],
    [1, [1, 1], [1, 0]],
    // 10 × 7 / 12 = 5.83, 10 × 3 / 12 = 2.5, 10 × 2 / 12 = 1.67: the largest remainders are the first and the last.
    [10, [7, 3, 2], [6, 2, 2]],
    [0, [4, 5], [0, 0]],
    [5, [], []],
  ])("gives %i units to %j as %j", (total, asked, given) => expect(proRata(total, asked)).toEqual(given));

  it("sums exactly, and is within one unit of the exact part", () => {
    for (let seed = 1; seed <= 500; seed += 1) {
      const next = sequence(seed);
      const large = seed % 3 === 0 ? 1_000_000_000 : 50;
      const asked = Array.from({ length: 1 + next(30) }, () => 1 + next(large));
      const total = next(Math.min(Number.MAX_SAFE_INTEGER, sum(asked) + 10));
      const given = proRata(total, asked);
      expect(sum(given), `seed ${seed}`).toBe(Math.min(total, sum(asked)));
      for (const [nth, one] of given.entries()) {
        const exact = Math.min(asked[nth] ?? 0, (total * (asked[nth] ?? 0)) / sum(asked));
        expect(Math.abs(one - exact), `seed ${seed}, ${nth}`).toBeLessThanOrEqual(1);
        expect(one).toBeLessThanOrEqual(asked[nth] ?? 0);
      }
    }
  });

  it("never gives less to who asked for more, nor to an equal one earlier", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const next = sequence(seed);
      const asked = Array.from({ length: 2 + next(12) }, () => 1 + next(9)).toSorted((a, b) => b - a);
      const given = proRata(next(sum(asked) + 1), asked);
      expect(given, `seed ${seed}: ${asked.join()}`).toEqual(given.toSorted((a, b) => b - a));
    }
  });

  it("reckons many in slices of a bounded size, also where products are larger than exact numbers", () => {
    const asked = Array.from({ length: 100_000 }, (_, nth) => 900_000_000 + (nth % 97));
    const slices = proRataSlices(50_000_000_000_000, asked);
    let count = 1;
    let step = slices.next();
    for (; !step.done; step = slices.next()) count += 1;
    expect(count).toBeGreaterThanOrEqual(asked.length / 5_000);
    expect(sum(step.value)).toBe(50_000_000_000_000);
  });
});
