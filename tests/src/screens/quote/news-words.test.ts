/** Tests news texts: every kind has text in every language, with its numbers filled in and nothing missing. */
import { readFileSync } from "node:fs";
import { createInstance } from "i18next";
import { beforeAll, describe, expect, test } from "vitest";
import type { Category, Instrument } from "#contract/instrument.ts";
import { NEWS_KINDS } from "#contract/news.ts";
import type { NewsItem } from "#contract/news.ts";
import { newsWords } from "#src/screens/quote/news-words.ts";
import type { Instruments } from "#src/streams/instruments.ts";

const LANGUAGES = ["en", "af", "zu", "xh", "zh-TW", "zh-CN"] as const;

const instrument = { code: "2330", zh: "台積電", zhCn: "台积电", en: "TSMC", decimals: 2 } as Instrument;
const category = { board: "listed", code: "24", zh: "半導體業", zhCn: "半导体业", en: "Semiconductor", count: 1 } as Category;
const table: Instruments = { list: [instrument], categories: [category], byCode: new Map([["2330", instrument]]) };

const full: NewsItem["facts"] = {
  price: 11_000_000,
  change: -188,
  high: 11_200_000,
  low: 10_900_000,
  volume: 12_345,
  turnover: 1_234_567_890,
  times: 35,
  up: 500,
  down: 300,
  limitUp: 7,
  limitDown: 2,
  cash: 45_000,
  freeMillionths: 50_000,
  rightsMillionths: 0,
  reference: 10_950_000,
};
const item = (kind: NewsItem["kind"], facts = full): NewsItem =>
  ({ id: "N1", at: 0, kind, codes: ["2330"], category: { board: "listed", code: "24" }, facts }) as NewsItem;

const words = createInstance();
beforeAll(async () => {
  const resources = Object.fromEntries(
    LANGUAGES.map((language) => [language, { translation: JSON.parse(readFileSync(`locales/${language}.json`, "utf8")) as object }]),
  );
  await words.init({ resources, lng: "en", fallbackLng: false, interpolation: { escapeValue: false } });
});

describe.each(LANGUAGES)("in %s", (language) => {
  test.each(NEWS_KINDS)("%s has a headline and paragraphs without gaps", (kind) => {
    const article = newsWords(item(kind), table, words.getFixedT(language), language, String);
    expect(article.paragraphs.length).toBeGreaterThan(0);
    for (const text of [article.title, ...article.paragraphs]) {
      expect(text).not.toMatch(/\{\{|undefined|^news\./);
    }
  });
});

test("the numbers are those of the article", () => {
  const article = newsWords(item("plunge"), table, words.getFixedT("en"), "en", String);
  expect(article.title).toContain("TSMC");
  expect(article.title).toContain("1.88%");
  expect(article.title).toContain("1,100.00");
  expect(article.paragraphs.join(" ")).toContain("12,345");
});

test("an ex-event mentions only what it pays", () => {
  const cashOnly = newsWords(item("exEvent", { cash: 45_000, reference: 10_950_000 }), table, words.getFixedT("en"), "en", String);
  expect(cashOnly.paragraphs).toHaveLength(2);
  expect(cashOnly.paragraphs[0]).toContain("4.50");
  const rights = { rightsMillionths: 120_000, price: 9_000_000, reference: 10_950_000 };
  const paid = newsWords(item("exEvent", rights), table, words.getFixedT("en"), "en", String);
  expect(paid.paragraphs[0]).toContain("120");
  expect(paid.paragraphs[0]).toContain("900.00");
});
