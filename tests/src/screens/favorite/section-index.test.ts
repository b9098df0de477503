/** The section rail: points, keys and groups. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sectionAt, sectionByKey, sectionGroups } from "#src/screens/favorite/section-index.ts";

const marks = ["a", "a", "a", "b", "b", "c"].map((group, at) => ({ group, label: `${group}${at}` }));

describe("the rail", () => {
  it("gives every section the same share, and clamps to the first and the last", () => {
    expect([0, 99, 100, 599].map((y) => sectionAt(y, 600, 6))).toEqual([0, 0, 1, 5]);
    expect([sectionAt(-50, 600, 6), sectionAt(900, 600, 6), sectionAt(10, 0, 6), sectionAt(10, 600, 0)]).toEqual([0, 5, 0, 0]);
  });

  it("merges consecutive sections of one group", () => {
    expect(sectionGroups(marks)).toEqual([
      { group: "a", from: 0, count: 3 },
      { group: "b", from: 3, count: 2 },
      { group: "c", from: 5, count: 1 },
    ]);
  });
});

describe("keys", () => {
  it("move to the next section, to the next group, to the group's start and then the previous group, and to the ends", () => {
    const from = (now: number) => (key: string) => sectionByKey(key, now, marks);
    expect(["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End", "x"].map(from(1))).toEqual([2, 0, 3, 0, 0, 5, null]);
    expect(["PageDown", "PageUp"].map(from(4))).toEqual([5, 3]);
    expect(["PageDown", "PageUp"].map(from(3))).toEqual([5, 0]);
    expect(["ArrowDown", "PageDown"].map(from(5))).toEqual([5, 5]);
  });

  it("stay within the list, and page keys reach every group", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1 }), (groups) => {
        const some = groups.map((group) => ({ group, label: "" }));
        const seen = [0];
        for (let now = 0; ;) {
          const next = sectionByKey("PageDown", now, some) ?? -1;
          expect(next).toBeGreaterThanOrEqual(now);
          if (next === now) break;
          seen.push(next);
          now = next;
        }
        for (const { from } of sectionGroups(some)) expect(seen).toContain(from);
      }),
    );
  });
});
