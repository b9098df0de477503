/** Calculations of reordering. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edgeScroll, inOrder, moved, placeByKey, placeDragged } from "#src/ui/reorder.ts";

describe("a moved item", () => {
  it("is at its new position, and the others keep their order", () => {
    expect(moved(["a", "b", "c", "d"], 0, 2)).toEqual(["b", "c", "a", "d"]);
    expect(moved(["a", "b", "c", "d"], 3, 0)).toEqual(["d", "a", "b", "c"]);
    expect(moved(["a", "b"], 0, 9)).toEqual(["b", "a"]);
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1 }), fc.nat(), fc.nat(), (list, from, to) => {
        const at = from % list.length;
        const goal = to % list.length;
        const after = moved(list, at, goal);
        expect(after[goal]).toBe(list[at]);
        expect(after.filter((one) => one !== list[at])).toEqual(list.filter((one) => one !== list[at]));
      }),
    );
  });
});

describe("an order of keys", () => {
  const keyOf = (item: string): string => item;

  it("skips missing keys, puts new items last, and uses none twice", () => {
    expect(inOrder(["a", "b", "c", "d"], keyOf, ["c", "x", "c", "a"])).toEqual(["c", "a", "b", "d"]);
  });

  it("neither loses nor adds items", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.array(fc.string()), (items, keys) => {
        expect(inOrder(items, keyOf, keys).toSorted()).toEqual(items.toSorted());
      }),
    );
  });
});

describe("a dragged row", () => {
  it("changes position where its middle passes its neighbour's, and stays in the list", () => {
    expect(placeDragged(2, 31, 64, 10)).toBe(2);
    expect(placeDragged(2, 33, 64, 10)).toBe(3);
    expect(placeDragged(2, -33, 64, 10)).toBe(1);
    expect(placeDragged(2, -9_000, 64, 10)).toBe(0);
    expect(placeDragged(2, 9_000, 64, 10)).toBe(9);
  });

  it("scrolls the list only near its edges, faster when nearer", () => {
    expect(edgeScroll(400, 100, 700)).toBe(0);
    expect(edgeScroll(160, 100, 700)).toBe(0);
    expect(edgeScroll(690, 100, 700)).toBeGreaterThan(edgeScroll(660, 100, 700));
    expect(edgeScroll(660, 100, 700)).toBeGreaterThan(0);
    expect(edgeScroll(110, 100, 700)).toBeLessThan(0);
    expect(edgeScroll(-500, 100, 700)).toBe(edgeScroll(100, 100, 700));
  });
});

describe("a key on a handle", () => {
  it("moves by one or to the ends, never beyond", () => {
    expect([placeByKey("ArrowUp", 3, 9), placeByKey("ArrowDown", 3, 9)]).toEqual([2, 4]);
    expect([placeByKey("ArrowUp", 0, 9), placeByKey("ArrowDown", 8, 9)]).toEqual([0, 8]);
    expect([placeByKey("Home", 5, 9), placeByKey("End", 5, 9), placeByKey("Enter", 5, 9)]).toEqual([0, 8, null]);
  });
});
