/** What home and the stock list work out for themselves. */
import { describe, expect, it } from "vitest";
import type { Category, Instrument } from "#contract/instrument.ts";
import { cents } from "#contract/kernel/money.ts";
import { todayBasisPoints } from "#src/screens/home/assets.tsx";
import { grouped } from "#src/screens/home/stock-list.tsx";

describe("today's profit", () => {
  it("is measured against what there was before it", () => {
    expect(todayBasisPoints({ totalCents: cents(110_00), todayProfitCents: cents(10_00) })).toBe(1000);
    expect(todayBasisPoints({ totalCents: cents(90_00), todayProfitCents: cents(-10_00) })).toBe(-1000);
    expect(todayBasisPoints({ totalCents: cents(0), todayProfitCents: cents(0) })).toBe(0);
  });
});

describe("the whole market", () => {
  const category = (board: Category["board"], code: string): Category => ({ board, code, zh: "", zhCn: "", en: code, count: 0 });
  const instrument = (code: string, board: Category["board"], of: string) => ({ code, board, category: of }) as Instrument;
  const categories = [category("otc", "24"), category("listed", "24"), category("listed", "02")];
  const instruments = [instrument("2330", "listed", "24"), instrument("3105", "otc", "24"), instrument("2303", "listed", "24")];

  it("stands under its categories, boards in their order, empty ones left out", () => {
    const groups = grouped(categories, instruments, null);
    expect(groups.map(({ category: { board, code } }) => `${board} ${code}`)).toEqual(["listed 24", "otc 24"]);
    expect(groups[0]?.items.map(({ code }) => code)).toEqual(["2330", "2303"]);
  });

  it("can be narrowed to one board", () => {
    expect(grouped(categories, instruments, "otc")).toHaveLength(1);
    expect(grouped(categories, instruments, "crypto")).toEqual([]);
  });
});
