/** The sums behind the furniture: virtual rows, pad keys, toasts, kept views. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typeKey } from "#src/ui/pad-key.ts";
import type { PadKey } from "#src/ui/pad-key.ts";
import { afterShowing } from "#src/ui/keep-alive.tsx";
import { addLine } from "#src/ui/toast.tsx";
import { trendOf } from "#src/ui/direction.tsx";
import { placeSections, rowsAt, sameRuns } from "#src/ui/virtual-layout.ts";

describe("a virtual list", () => {
  const layout = placeSections(
    Array.from({ length: 53 }, () => ({ rows: 38, headed: true })),
    64,
    36,
  );

  it("stacks its sections", () => {
    expect(layout.height).toBe(53 * (36 + 38 * 64));
    expect(layout.rows).toBe(2014);
    expect(layout.sections[2]).toEqual({ top: 2 * (36 + 38 * 64), height: 36 + 38 * 64, heading: 36, rows: 38, before: 76 });
  });

  it("mounts every visible row, and never many more", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: layout.height }), fc.integer({ min: 320, max: 900 }), (y, viewport) => {
        const runs = rowsAt(layout, y, viewport);
        const mounted = new Set(
          runs.flatMap(({ section, from, to }) => Array.from({ length: to - from }, (_, at) => `${section}:${from + at}`)),
        );
        layout.sections.forEach((place, section) => {
          for (let row = 0; row < place.rows; row += 1) {
            const top = place.top + place.heading + row * 64;
            if (top < y + viewport && top + 64 > y) expect(mounted.has(`${section}:${row}`)).toBe(true);
          }
        });
        expect(mounted.size).toBeLessThanOrEqual(Math.ceil(viewport / 64) + 12);
      }),
    );
  });

  it("keeps about twenty rows on a phone", () => {
    const counts = Array.from({ length: 200 }, (_, at) => rowsAt(layout, at * 173, 530).reduce((sum, { from, to }) => sum + to - from, 0));
    expect(Math.max(...counts)).toBeLessThanOrEqual(25);
  });

  it("stays the same over small scrolls", () => {
    expect(sameRuns(rowsAt(layout, 1000, 530), rowsAt(layout, 1010, 530))).toBe(true);
    expect(sameRuns(rowsAt(layout, 1000, 530), rowsAt(layout, 1200, 530))).toBe(false);
  });

  it("shows a short list whole and an empty one not at all", () => {
    expect(rowsAt(placeSections([{ rows: 3, headed: false }], 64, 36), 0, 500)).toEqual([{ section: 0, from: 0, to: 3 }]);
    expect(rowsAt(placeSections([], 64, 36), 0, 500)).toEqual([]);
  });
});

describe("the number pad", () => {
  const limit = { decimals: 2, digits: 6 };
  const typed = (...keys: PadKey[]): string => keys.reduce((text, key) => typeKey(text, key, limit), "");

  it("types numbers and nothing else", () => {
    expect(typed("1", "0", "8", "5", ".", "5")).toBe("1085.5");
    expect(typed("0", "5")).toBe("5");
    expect(typed(".", "5", ".", "7", "9")).toBe("0.57");
    expect(typed("1", "2", "3", "4", "5", "6", "7")).toBe("123456");
    expect(typed("1", "2", "back", "back", "back")).toBe("");
    expect(typeKey("1", ".", { decimals: 0, digits: 3 })).toBe("1");
  });
});

describe("toasts", () => {
  const line = (id: number, text: string) => ({ id, text, tone: "info" as const });

  it("are three at most, and the same words are one", () => {
    const four = [line(1, "a"), line(2, "b"), line(3, "c"), line(4, "d")].reduce(addLine, []);
    expect(four.map(({ text }) => text)).toEqual(["b", "c", "d"]);
    expect(addLine(four, line(5, "b")).map(({ id }) => id)).toEqual([3, 4, 5]);
  });
});

describe("kept views", () => {
  const view = (key: string, keep = true) => ({ key, keep, element: key });
  const after = (...keys: string[]) =>
    keys
      .map((key) => view(key, !key.startsWith("-")))
      .reduce<Parameters<typeof afterShowing>[0]>((kept, one) => afterShowing(kept, one), {
        views: [],
        recent: [],
      });

  it("are five, the longest unseen leaves first", () => {
    expect(after("a", "b", "c", "d", "e", "a", "f").views.map(({ key }) => key)).toEqual(["a", "c", "d", "e", "f"]);
  });

  it("let a passing view go with the next", () => {
    expect(after("a", "-x").views.map(({ key }) => key)).toEqual(["a", "-x"]);
    expect(after("a", "-x", "b").views.map(({ key }) => key)).toEqual(["a", "b"]);
  });

  it("keep their place in the tree", () => {
    expect(after("a", "b", "a").views.map(({ key }) => key)).toEqual(["a", "b"]);
  });
});

it("a number points where its sign does", () => {
  expect([trendOf(1), trendOf(-1), trendOf(0)]).toEqual(["up", "down", "flat"]);
});
