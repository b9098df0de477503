/** Tests breadth: a board's counts are the sums over its own categories, and sorting loses none. */
import { describe, expect, it } from "vitest";
import type { Board, Category } from "#contract/instrument.ts";
import { breadthOf, categoryHeats, partsOf, sortedHeats } from "#src/screens/quote/breadth.ts";

const category = (board: Board, code: string): Category => ({ board, code, zh: code, zhCn: code, en: code, count: 9 });
const categories = [category("listed", "01"), category("listed", "24"), category("otc", "24")];
// category, change, up, down, flat, limitUp, limitDown, turnover
const flat = [0, 120, 5, 3, 1, 1, 0, 1_000, 1, -80, 20, 60, 13, 2, 4, 90_000, 2, 0, 7, 7, 7, 0, 0, 30];
const texts = [
  ["▲ 1.20%", "1,000"],
  ["▼ 0.80%", "90,000"],
  ["– 0.00%", "30"],
] as const;
const heats = categoryHeats(flat, texts, categories);
const codes = (list: typeof heats): string[] => list.map((one) => `${one.category.board} ${one.category.code}`);

describe("categoryHeats", () => {
  it("joins each heat to its category and its texts", () => {
    expect(codes(heats)).toEqual(["listed 01", "listed 24", "otc 24"]);
    expect(heats[1]).toMatchObject({ heat: { change: -80, up: 20, turnover: 90_000 }, change: "▼ 0.80%", turnover: "90,000" });
  });

  it("leaves out categories the table does not know yet", () => {
    expect(codes(categoryHeats(flat, texts, categories.slice(0, 2)))).toEqual(["listed 01", "listed 24"]);
  });
});

describe("breadthOf", () => {
  it("sums the board's own categories only", () => {
    expect(breadthOf(heats, "listed")).toEqual({ up: 25, down: 63, flat: 14, limitUp: 3, limitDown: 4, turnover: 91_000 });
    expect(breadthOf(heats, "otc")).toEqual({ up: 7, down: 7, flat: 7, limitUp: 0, limitDown: 0, turnover: 30 });
    expect(breadthOf(heats, "crypto").up).toBe(0);
  });
});

describe("partsOf", () => {
  it("gives fractions of one, or zeros for no instruments", () => {
    expect(partsOf({ up: 1, flat: 1, down: 2 })).toEqual({ up: 0.25, flat: 0.25, down: 0.5 });
    expect(partsOf({ up: 0, flat: 0, down: 0 })).toEqual({ up: 0, flat: 0, down: 0 });
  });
});

describe("sortedHeats", () => {
  it("sorts by change, turnover or breadth, either way", () => {
    expect(codes(sortedHeats(heats, "change", true))).toEqual(["listed 01", "otc 24", "listed 24"]);
    expect(codes(sortedHeats(heats, "turnover", true))).toEqual(["listed 24", "listed 01", "otc 24"]);
    expect(codes(sortedHeats(heats, "breadth", false))).toEqual(["listed 24", "otc 24", "listed 01"]);
  });
});
