/** Tests list helpers: names by language, grouping by category, sorting by column. */
import { describe, expect, it } from "vitest";
import { HEAT_FIELDS } from "#contract/sector-heat.ts";
import type { Category, Instrument } from "#contract/instrument.ts";
import { categoryKey, grouped } from "#src/screens/quote/categories.ts";
import { changeIn } from "#src/screens/quote/category-change.tsx";
import { fullName, shortName } from "#src/screens/quote/names.ts";
import { metricOf, nextSort, ordered } from "#src/screens/quote/sorting.ts";

describe("grouping by category", () => {
  const category = (board: Category["board"], code: string): Category => ({ board, code, zh: "", zhCn: "", en: code, count: 0 });
  const instrument = (code: string, board: Category["board"], of: string) => ({ code, board, category: of }) as Instrument;
  const categories = [category("otc", "24"), category("listed", "24"), category("listed", "02")];
  const instruments = [instrument("2330", "listed", "24"), instrument("3105", "otc", "24"), instrument("2303", "listed", "24")];

  it("groups by category in the order of boards, without empty ones", () => {
    const groups = grouped(categories, instruments, null);
    expect(groups.map((group) => categoryKey(group.category))).toEqual(["listed-24", "otc-24"]);
    expect(groups[0]?.items.map(({ code }) => code)).toEqual(["2330", "2303"]);
  });

  it("keeps each category's index in the table, which identifies its heat", () => {
    expect(grouped(categories, instruments, null).map(({ place }) => place)).toEqual([1, 0]);
  });

  it("can be narrowed to one board", () => {
    expect(grouped(categories, instruments, "otc")).toHaveLength(1);
    expect(grouped(categories, instruments, "crypto")).toEqual([]);
  });
});

describe("a category's change", () => {
  const row = (category: number, change: number): number[] => HEAT_FIELDS.map((field) => ({ category, change })[field as "change"] ?? 0);

  it("is found by the category's index, at any position in the heat", () => {
    const heat = {
      flat: [...row(7, 120), ...row(3, -45)],
      texts: [["+1.20%", "1B"] as const, ["−0.45%", "2B"] as const].map(([a, b]) => [a, b] as [string, string]),
    };
    expect(changeIn(heat, 3)).toEqual({ change: -45, text: "−0.45%" });
    expect(changeIn(heat, 120)).toBeNull();
    expect(changeIn(null, 3)).toBeNull();
  });
});

describe("names", () => {
  const tsmc = { zh: "台積電", zhCn: "台积电", en: "TSMC" };

  it("are in the app's language; non-Chinese languages show English first", () => {
    expect(fullName(tsmc, "zh-TW")).toBe("台積電");
    expect(fullName(tsmc, "zh-CN")).toBe("台积电");
    expect(fullName(tsmc, "zu")).toBe("TSMC 台積電");
    expect(shortName(tsmc, "af")).toBe("TSMC");
  });

  it("are shown once where they are equal", () => {
    expect(fullName({ zh: "USD/TWD", zhCn: "USD/TWD", en: "USD/TWD" }, "en")).toBe("USD/TWD");
  });
});

describe("a column header", () => {
  it("sorts descending, then ascending, then restores the list's own order", () => {
    const first = nextSort(null, "volume");
    const second = nextSort(first, "volume");
    expect(first).toEqual({ by: "volume", descending: true });
    expect(second).toEqual({ by: "volume", descending: false });
    expect(nextSort(second, "volume")).toBeNull();
    expect(nextSort(second, "last")).toEqual({ by: "last", descending: true });
  });

  it("replaces the volume in the rows where price and change do not show the column", () => {
    expect([
      metricOf(null),
      metricOf("last"),
      metricOf("percent"),
      metricOf("change"),
      metricOf("turnover"),
      metricOf("amplitude"),
    ]).toEqual(["volume", "volume", "volume", "volume", "turnover", "amplitude"]);
  });
});

describe("an order older than its list", () => {
  it("skips removed codes and puts new ones last", () => {
    expect(ordered(["a", "b", "c", "d"], ["c", "x", "a"])).toEqual(["c", "a", "b", "d"]);
    expect(ordered(["a", "b"], [])).toEqual(["a", "b"]);
  });
});
