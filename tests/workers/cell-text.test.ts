/** Tests cell texts: number formats, marks besides colour, and `--` for missing values. */
import { describe, expect, it } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import type { Quote } from "#contract/quote.ts";
import { cellText, cellTone, profitText } from "#workers/table/cell-text.ts";
import { QUOTE_CELL_FIELDS } from "#workers/protocol.ts";
import type { QuoteCellField } from "#workers/protocol.ts";
import { QuoteTable } from "#workers/table/quote-table.ts";
import { shortNumber, unitsOf } from "#workers/short-number.ts";
import { flat, instrument, quote } from "./sample.ts";

function show(field: QuoteCellField, more: Partial<Quote> = {}, of: Partial<Instrument> = {}): [text: string, tone: number] {
  const table = new QuoteTable(1);
  table.apply(flat(quote(0, more)), 0);
  return [cellText(field, table, 0, instrument(0, of), unitsOf("en")), cellTone(field, table, 0)];
}

describe("a quote cell", () => {
  it("formats every field of a stock that rose", () => {
    expect(Object.fromEntries(QUOTE_CELL_FIELDS.map((field) => [field, show(field)]))).toEqual({
      last: ["1,085.00", 1],
      change: ["▲ 20.00", 1],
      percent: ["▲ 1.88%", 1],
      changeAndPercent: ["▲ 20.00 (1.88%)", 1],
      volume: ["28,413", 0],
      turnover: ["30.7bn", 0],
      open: ["1,070.00", 1],
      high: ["1,090.00", 1],
      low: ["1,065.00", 0],
      reference: ["1,065.00", 0],
      limitUp: ["1,170.00", 1],
      limitDown: ["959.00", 2],
      bid: ["1,080.00", 1],
      ask: ["1,085.00", 1],
      amplitude: ["2.35%", 0],
    });
  });

  it("marks a falling and an unchanged price", () => {
    expect(show("changeAndPercent", { last: 10_630_000 })).toEqual(["▼ 2.00 (0.19%)", 2]);
    expect(show("changeAndPercent", { last: 10_650_000 })).toEqual(["– 0.00 (0.00%)", 0]);
  });

  it("shows -- for missing values", () => {
    expect(show("last", { last: 0 })).toEqual(["--", 0]);
    expect(show("percent", { reference: 0 })).toEqual(["--", 0]);
    expect(show("limitUp", {}, { kind: "index", limitPercent: null })[0]).toBe("--");
    const table = new QuoteTable(1);
    for (const field of QUOTE_CELL_FIELDS) expect(cellText(field, table, 0, instrument(0), unitsOf("en"))).toBe("--");
  });

  it("uses the instrument's decimals", () => {
    expect(show("last", { last: 312_850, reference: 312_850 }, { decimals: 3 })[0]).toBe("31.285");
    expect(show("change", { last: 312_850, reference: 312_850 }, { decimals: 3 })[0]).toBe("– 0.000");
  });
});

describe("a profit cell", () => {
  const profit = { profitCents: -120_450, returnBasisPoints: -188, nowCents: 10_000_000, openCents: 10_120_450 };
  it("shows the sign of money and marks the rate", () => {
    expect(profitText("profit", profit)).toBe("−1,204.50");
    expect(profitText("profit", { ...profit, profitCents: 120_400 })).toBe("+1,204.00");
    expect(profitText("returnRate", profit)).toBe("−1.88%");
    expect(profitText("marketValue", profit)).toBe("100,000.00");
    expect(profitText("openCost", null)).toBe("--");
  });
});

describe("a short number", () => {
  const cases: [count: number, english: string, afrikaans: string, traditional: string, simplified: string][] = [
    [0, "0", "0", "0", "0"],
    [99_999, "99,999", "99,999", "99,999", "99,999"],
    [123_456, "123k", "123\u00A0k", "12.3萬", "12.3万"],
    [4_560_000, "4.56m", "4.56\u00A0m", "456萬", "456万"],
    [30_700_000_000, "30.7bn", "30.7\u00A0mjd", "307億", "307亿"],
    [1_234_567_890_123, "1.23tn", "1.23\u00A0bn", "1.23兆", "1.23万亿"],
    [9_999_999, "10.00m", "10.00\u00A0m", "1,000萬", "1,000万"],
  ];
  for (const [count, ...texts] of cases) {
    it(`of ${count} is ${texts.join(", ")}`, () => {
      expect(["en", "af", "zh-TW", "zh-CN"].map((language) => shortNumber(count, unitsOf(language)))).toEqual(texts);
    });
  }
  it("has the same units in isiZulu and isiXhosa as in English", () => {
    expect([unitsOf("zu"), unitsOf("xh")]).toEqual([unitsOf("en"), unitsOf("en")]);
  });
});
