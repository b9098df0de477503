/** Proof of search: code, Chinese and English, best first, and quick over a large table. */
import process from "node:process";
import { describe, expect, it } from "vitest";
import { SearchIndex } from "#workers/search.ts";
import { instrument } from "./sample.ts";

const listed = [
  { code: "2330", zh: "台積電", en: "TSMC" },
  { code: "2317", zh: "鴻海", en: "Hon Hai Precision" },
  { code: "0050", zh: "元大台灣50", en: "Yuanta Taiwan 50 ETF" },
  { code: "00679B", zh: "元大美債20年", en: "Yuanta US Treasury 20+ Year" },
  { code: "1101", zh: "台泥", en: "Taiwan Cement" },
  { code: "23301", zh: "台積甲特", en: "TSMC Preferred A" },
].map((each, row) => instrument(row, { ...each, code: each.code as never }));
const index = new SearchIndex(listed);

describe("search", () => {
  const cases: [text: string, codes: string[]][] = [
    ["2330", ["2330", "23301"]],
    ["23", ["2330", "2317", "23301"]],
    ["台", ["2330", "1101", "23301", "0050"]],
    ["tsmc", ["2330", "23301"]],
    ["TAIWAN", ["1101", "0050"]],
    ["679b", ["00679B"]],
    ["hai pre", ["2317"]],
    ["２３３０", ["2330", "23301"]],
    ["wan", ["0050", "1101"]],
    ["   ", []],
    ["zzz", []],
  ];
  for (const [text, codes] of cases) it(`"${text}" finds ${codes.join(", ")}`, () => expect(index.find(text, 10)).toEqual(codes));

  it("puts the heavier of equally good ones first, and stops at the limit", () => {
    expect(index.find("23", 2, (row) => row)).toEqual(["23301", "2317"]);
  });

  it("reads a table of 20,000 in less than a frame", () => {
    const large = new SearchIndex(
      Array.from({ length: 20_000 }, (_, row) =>
        instrument(row, { code: `A${row}` as never, zh: `第${row}號公司`, en: `Company number ${row}` }),
      ),
    );
    const times = ["a", "公司", "number 19", "none such"].map((text) => {
      // The process's own time: what others take of the machine does not count.
      const best = Array.from({ length: 7 }, () => {
        const from = process.cpuUsage();
        large.find(text, 30);
        return process.cpuUsage(from).user / 1000;
      });
      return Math.min(...best);
    });
    expect(Math.max(...times)).toBeLessThan(16);
  });
});
