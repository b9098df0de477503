/** Tests the board of an index, the category that moves it, and category paths. */
import { describe, expect, it } from "vitest";
import type { Board, Category, Instrument } from "#contract/instrument.ts";
import { boardOf } from "#src/screens/market/board-index.ts";
import { categoryAt, categoryPath } from "#src/screens/market/category-link.ts";
import { sectorIndices } from "#src/screens/market/indices.tsx";
import { sectorOf } from "#src/screens/market/movers.tsx";
import { listReferenceData } from "#server/venue/reference-data/listings.ts";

const { listings, categories } = listReferenceData();
const list = listings.map(({ instrument }) => instrument);
const table = { list, categories, byCode: new Map(list.map((one) => [one.code as string, one])) };

describe("sandbox indices", () => {
  it("belong to the board their constituents are listed on", () => {
    const wrong = listings.filter(({ instrument, basket }) => basket && boardOf(instrument) !== basket.board);
    expect(wrong.map(({ instrument }) => instrument.code)).toEqual([]);
  });

  it("are all sector indices of their board, but for the two market indices", () => {
    const listed = sectorIndices(table, "listed");
    const otc = sectorIndices(table, "otc");
    expect(listed.length + otc.length).toBe(list.filter(({ kind }) => kind === "index").length - 2);
    expect([...listed, ...otc].some(({ code }) => code === "IX0001" || code === "IX0043")).toBe(false);
  });
});

describe("the category that moves an index", () => {
  const rowsOf = (board: Board, category: string): [number, number][] =>
    list.filter((one) => one.board === board && one.category === category).map(({ row }): [number, number] => [row, 1]);
  const index = (leaders: [number, number][], laggards: [number, number][]) => ({
    row: 0,
    up: 0,
    down: 0,
    flat: 0,
    limitUp: 0,
    limitDown: 0,
    leaders,
    laggards,
  });

  it("is the common category of all its movers", () => {
    const [first, second, ...others] = rowsOf("otc", "24");
    expect(sectorOf(index([first ?? [0, 0], second ?? [0, 0]], others), table)).toMatchObject({ board: "otc", code: "24" });
  });

  it("is null when they are of several, on one board or two, or when nothing moves", () => {
    expect(sectorOf(index(rowsOf("listed", "24"), rowsOf("listed", "25")), table)).toBeNull();
    expect(sectorOf(index(rowsOf("listed", "24"), rowsOf("otc", "24")), table)).toBeNull();
    expect(sectorOf(index([], []), table)).toBeNull();
  });
});

describe("a category path", () => {
  it("resolves to the same category, for every category", () => {
    const back = (category: Category): Category | undefined =>
      categoryAt(new URLSearchParams(categoryPath(category).split("?")[1]), categories);
    expect(categories.filter((category) => back(category) !== category)).toEqual([]);
    expect(categoryAt(new URLSearchParams("board=listed"), categories)).toBeUndefined();
  });
});

it("every instrument is in a category: breadth counts all of them", () => {
  const keys = new Set(categories.map(({ board, code }) => `${board} ${code}`));
  const lost = (one: Instrument): boolean => !keys.has(`${one.board} ${one.category}`);
  expect(list.filter(lost)).toEqual([]);
});
