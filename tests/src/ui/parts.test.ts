/** Calculations of the UI kit: list layout, pad keys, toasts, kept views. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typeKey } from "#src/ui/pad-key.ts";
import type { PadKey } from "#src/ui/pad-key.ts";
import { afterShowing } from "#src/ui/keep-alive.tsx";
import { addLine } from "#src/ui/toast.tsx";
import { trendOf } from "#src/ui/direction.tsx";
import { bySection, itemHeights, placeSections, sectionAt } from "#src/ui/virtual-layout.ts";

describe("the layout of a virtual list", () => {
  const section = fc.record({ rows: fc.integer({ min: 0, max: 9 }), headed: fc.boolean() });
  const sections = fc.array(section, { maxLength: 12 });

  it("stacks its sections, and numbers headings and rows as one sequence", () => {
    const layout = placeSections(
      Array.from({ length: 53 }, () => ({ rows: 38, headed: true })),
      64,
      36,
    );
    expect(layout).toMatchObject({ height: 53 * (36 + 38 * 64), rows: 2014, items: 53 * 39, rowPx: 64 });
    expect(layout.sections[2]).toEqual({ top: 2 * (36 + 38 * 64), height: 36 + 38 * 64, heading: 36, firstRow: 2 * 39 + 1 });
  });

  it("has items whose heights add up to the sections'", () => {
    fc.assert(
      fc.property(sections, (of) => {
        const layout = placeSections(of, 64, 36);
        const heightOf = itemHeights(layout);
        const heights = Array.from({ length: layout.items }, (_, item) => heightOf(item));
        expect(heights.reduce((sum, height) => sum + height, 0)).toBe(layout.height);
        expect(heights.filter((height) => height === 64).length).toBe(layout.rows);
      }),
    );
  });

  it("finds the section and position of every row, also past empty sections", () => {
    fc.assert(
      fc.property(sections, (of) => {
        const layout = placeSections(of, 64, 36);
        const all = Array.from({ length: layout.items }, (_, item) => item);
        const found = bySection(layout, all).flatMap(({ section: at, rows }) => rows.map(({ index, top }) => [at, index, top]));
        const rows = of.flatMap(({ rows: many, headed }, at) =>
          Array.from({ length: many }, (_, index) => [at, index, (headed ? 36 : 0) + index * 64]),
        );
        expect(found).toEqual(rows);
        expect(bySection(layout, all).map((one) => one.section)).toEqual(
          of.flatMap(({ rows: many, headed }, at) => (headed || many > 0 ? [at] : [])),
        );
      }),
    );
  });

  it("finds the section at a height", () => {
    const layout = placeSections(
      [2, 0, 3].map((rows) => ({ rows, headed: true })),
      64,
      36,
    );
    expect([0, 163, 164, 199, 200, 9_999].map((y) => sectionAt(layout, y))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(sectionAt(placeSections([], 64, 36), 0)).toBe(0);
  });
});

describe("the number pad", () => {
  const limit = { decimals: 2, digits: 6 };
  const typed = (...keys: PadKey[]): string => keys.reduce((text, key) => typeKey(text, key, limit), "");

  it("types only numbers", () => {
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

  it("are three at most, and equal texts are merged", () => {
    const four = [line(1, "a"), line(2, "b"), line(3, "c"), line(4, "d")].reduce(addLine, []);
    expect(four.map(({ text }) => text)).toEqual(["b", "c", "d"]);
    expect(addLine(four, line(5, "b")).map(({ id }) => id)).toEqual([3, 4, 5]);
  });

  it("with the same key replace each other, others stay", () => {
    const keyed = (id: number, text: string, key?: string) => ({ ...line(id, text), key });
    const lines = [keyed(1, "2 lots", "K1"), keyed(2, "2 lots of another", "K2"), keyed(3, "no key")].reduce(addLine, []);
    expect(addLine(lines, keyed(4, "4 lots", "K1")).map(({ text }) => text)).toEqual(["2 lots of another", "no key", "4 lots"]);
    expect(addLine(lines, keyed(5, "another without")).map(({ id }) => id)).toEqual([2, 3, 5]);
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

  it("are five at most, the least recently shown is dropped first", () => {
    expect(after("a", "b", "c", "d", "e", "a", "f").views.map(({ key }) => key)).toEqual(["a", "c", "d", "e", "f"]);
  });

  it("drop an unkept view with the next one", () => {
    expect(after("a", "-x").views.map(({ key }) => key)).toEqual(["a", "-x"]);
    expect(after("a", "-x", "b").views.map(({ key }) => key)).toEqual(["a", "b"]);
  });

  it("keep their place in the tree", () => {
    expect(after("a", "b", "a").views.map(({ key }) => key)).toEqual(["a", "b"]);
  });
});

it("a number's trend follows its sign", () => {
  expect([trendOf(1), trendOf(-1), trendOf(0)]).toEqual(["up", "down", "flat"]);
});
