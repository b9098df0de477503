/** The two lines of a back-test as they are drawn, and the points chosen for them. */
import { describe, expect, it } from "vitest";
import { drawLines, thinPoints } from "#src/screens/home/strategy-lines.ts";

const point = (at: number, own: number, held: number) => ({ at, own, held });
/** The heights of a path's points. */
const heightsOf = (path: string): number[] => [...path.matchAll(/[ML]\S+ (\S+?)(?=L|$)/g)].map(([, y]) => Number(y));

describe("the points of a flat curve", () => {
  const curve = Array.from({ length: 500 }, (_, nth) => [nth, 1_000 + nth, 2_000 + nth]).flat();

  it("are all of them where they are few", () => {
    expect(thinPoints([1, 10, 20, 2, 11, 19], 24)).toEqual([point(1, 10, 20), point(2, 11, 19)]);
  });

  it("are evenly spaced otherwise, from the first to the last", () => {
    const points = thinPoints(curve, 24);
    expect(points).toHaveLength(24);
    expect(points[0]).toEqual(point(0, 1_000, 2_000));
    expect(points.at(-1)).toEqual(point(499, 1_499, 2_499));
    const gaps = points.slice(1).map(({ at }, nth) => at - (points[nth]?.at ?? 0));
    expect(new Set(gaps)).toEqual(new Set([21, 22]));
  });

  it("are none of an empty one, and the only one of a day", () => {
    expect(thinPoints([], 24)).toEqual([]);
    expect(thinPoints([7, 10, 20], 24)).toEqual([point(7, 10, 20)]);
  });
});

describe("the lines", () => {
  it("share one scale: the highest value of both near the top, the lowest near the bottom", () => {
    const [own, held] = drawLines([point(1, 100, 100), point(2, 200, 50), point(3, 150, 0)]);
    expect(own).toBe("M0.00 50.00L50.00 6.00L100.00 28.00");
    expect(held).toBe("M0.00 50.00L50.00 72.00L100.00 94.00");
  });

  it("stay in the box where nothing ever changed", () => {
    const [own, held] = drawLines([point(1, 100, 100), point(2, 100, 100)]);
    expect(own).toBe(held);
    for (const y of heightsOf(own)) expect(y).toBeGreaterThanOrEqual(0);
    for (const y of heightsOf(own)) expect(y).toBeLessThanOrEqual(100);
    expect(heightsOf(own)).toHaveLength(2);
  });

  it("begin at the left edge with a single day", () => {
    expect(drawLines([point(1, 100, 100)])[0]).toMatch(/^M0\.00 \S+$/);
  });
});
