/** Tests search by code, Chinese in both scripts, English, abbreviations and typos: best matches first, and fast on a large table. */
import { describe, expect, it } from "vitest";
import { SearchIndex } from "#workers/table/search.ts";
import { instrument } from "./sample.ts";

const listed = [
  { code: "2330", zh: "台積電", zhCn: "台积电", en: "TSMC" },
  { code: "2317", zh: "鴻海", zhCn: "鸿海", en: "Hon Hai Precision" },
  { code: "0050", zh: "元大台灣50", zhCn: "元大台湾50", en: "Yuanta Taiwan 50 ETF" },
  { code: "00679B", zh: "元大美債20年", zhCn: "元大美债20年", en: "Yuanta US Treasury 20+ Year" },
  { code: "1101", zh: "台泥", zhCn: "台泥", en: "Taiwan Cement" },
  { code: "23301", zh: "台積甲特", zhCn: "台积甲特", en: "TSMC Preferred A" },
  { code: "2834", zh: "臺灣企銀", zhCn: "台湾企银", en: "Taiwan Business Bank" },
  { code: "2002", zh: "中國鋼鐵", zhCn: "中国钢铁", en: "China Steel" },
  { code: "5483", zh: "中美晶", zhCn: "中美晶", en: "Sino-American Silicon" },
  { code: "2454", zh: "聯發科", zhCn: "联发科", en: "MediaTek" },
].map((each, row) => instrument(row, { ...each, code: each.code as never }));
const index = new SearchIndex(listed);

describe("search", () => {
  const cases: [text: string, codes: string[]][] = [
    ["2330", ["2330", "23301"]],
    ["23", ["2330", "2317", "23301"]],
    ["台", ["2330", "1101", "23301", "2834", "0050"]],
    ["tsmc", ["2330", "23301"]],
    ["TAIWAN", ["1101", "2834", "0050"]],
    ["台积", ["2330", "23301"]],
    ["台積电", ["2330"]],
    ["臺積電", ["2330"]],
    ["台灣", ["2834", "0050"]],
    ["台湾", ["2834", "0050"]],
    ["中鋼", ["2002"]],
    ["中钢", ["2002"]],
    ["元大50", ["0050"]],
    ["鋼", ["2002"]],
    ["taiwan 50", ["0050"]],
    ["50 taiwan", ["0050"]],
    ["yuanta 债", ["00679B"]],
    ["tbb", ["2834"]],
    ["medaitek", ["2454"]],
    ["mediatk", ["2454"]],
    ["mediatec", ["2454"]],
    ["meediatek", ["2454"]],
    ["mediatex phones", []],
    ["precisoin", ["2317"]],
    ["stel", ["2002"]],
    ["stl", []],
    ["american", ["5483"]],
    ["679b", ["00679B"]],
    ["hai pre", ["2317"]],
    ["２３３０", ["2330", "23301"]],
    ["wan", ["0050", "1101", "2834"]],
    ["   ", []],
    ["zzz", []],
  ];
  for (const [text, codes] of cases) it(`"${text}" finds ${codes.join(", ")}`, () => expect(index.find(text, 10)).toEqual(codes));

  it("orders equal ranks by weight and stops at the limit", () => {
    expect(index.find("23", 2, (row) => row)).toEqual(["23301", "2317"]);
    expect(index.find("23", 0)).toEqual([]);
  });

  it("ranks exact codes before prefixes, names before words, words before substrings, typos last", () => {
    const grades = ["a1", "a12", "11"].map((code, row) => instrument(row, { code: code.toUpperCase() as never, en: "Other" }));
    const named = ["A1 Foods", "Best A1 Oil", "Extra1", "Z"].map((en, nth) => instrument(3 + nth, { code: `9${nth}` as never, en }));
    expect(new SearchIndex([...named.toReversed(), ...grades]).find("a1", 10)).toEqual(["A1", "A12", "90", "91", "92"]);
  });

  it("orders by shares issued where nothing was traded yet", () => {
    const twins = [1, 9, 5].map((issuedThousands, row) => instrument(row, { issuedThousands }));
    expect(new SearchIndex(twins).find("number", 10)).toEqual(["1001", "1002", "1000"]);
  });

  it("orders by row where nothing else decides", () => {
    const equals = new SearchIndex([0, 1, 2, 3].map((row) => instrument(row, { issuedThousands: 5 })));
    expect(equals.find("number", 10)).toEqual(["1000", "1001", "1002", "1003"]);
    expect(equals.find("number", 10, (row) => (row === 2 ? 1 : 0))).toEqual(["1002", "1000", "1001", "1003"]);
  });

  it("finds one match among 20,000", () => {
    const large = new SearchIndex(
      Array.from({ length: 20_000 }, (_, row) =>
        instrument(row, { code: `A${row}` as never, zh: `第${row}號公司`, en: `Company number ${row}` }),
      ),
    );
    expect(large.find("a19876", 30)).toEqual(["A19876"]);
    expect(large.find("第777號", 1)).toEqual(["A777"]);
    expect(large.find("none such", 30)).toEqual([]);
  });
});
