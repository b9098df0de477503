/** Sectors have names in every language: the server's Chinese and English ones, and those of `locales/sectors` in the others. */
// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000/" }
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { INDUSTRY_TABLE, OTHER_CATEGORIES } from "#server/venue/reference-data/categories.ts";
import { loadTranslations, startLanguage } from "#src/gateway/language.ts";
import { categoryName } from "#src/screens/quote/names.ts";

const SEMICONDUCTOR = { code: "24", zh: "半導體業", zhCn: "半导体业", en: "Semiconductor" };
const industries = [...INDUSTRY_TABLE.matchAll(/^(\d\d)\|/gm)].map(([, code = ""]) => code);
const codes = new Set([...industries, ...OTHER_CATEGORIES.map(({ code }) => code)]);

describe("the sector names", () => {
  it.each(["af", "zu", "xh"])("in %s cover every category", (language) => {
    const names = JSON.parse(readFileSync(`locales/sectors/${language}.json`, "utf8")) as Record<string, string>;
    expect(Object.keys(names).toSorted()).toEqual([...codes].toSorted());
    expect(Object.values(names).every((name) => name.trim() !== "")).toBe(true);
    expect(Object.values(names)).not.toContain(SEMICONDUCTOR.en);
  });
});

describe("a sector", () => {
  beforeAll(async () => {
    localStorage.setItem("language", "zu");
    await startLanguage();
    await loadTranslations();
  });

  it("is named in the member's language once the texts are loaded", () => {
    expect(categoryName(SEMICONDUCTOR)).toBe("Ama-semiconductor");
    expect(categoryName(SEMICONDUCTOR, "zh-TW")).toBe("半導體業");
    expect(categoryName(SEMICONDUCTOR, "en")).toBe("Semiconductor");
    expect(categoryName({ ...SEMICONDUCTOR, code: "99" })).toBe("Semiconductor");
  });
});
