/** Proof of the divided English: what one sees first is said without waiting, and the rest is there once it is asked for. */
// @vitest-environment happy-dom
import i18next from "i18next";
import { beforeAll, describe, expect, test } from "vitest";
import en from "#locales/en.json";
import { allWords, startLanguage } from "#src/gateway/language.ts";
import { code } from "#tests/support/tree.ts";

/** The shell, the furniture, the entrance and the home screen with what it is made of. */
const FIRST = /^src\/(?:[\w-]+\.tsx|ui\/.*|screens\/(?:login|quote)\/.*|screens\/home\/(?!stock-list).*)$/;

/** The group a key stands in: `login` of `t("login.title")`. */
const groups = (text: string): string[] => [...text.matchAll(/\bt\(\s*["`](\w+)\./g)].map((match) => match[1] ?? "");
const said = (group: string): unknown => i18next.getResource("en", "translation", group);

describe("English", () => {
  beforeAll(() => startLanguage());

  test("says at once what one sees first", () => {
    const used = code.filter(({ path }) => FIRST.test(path)).flatMap(({ path, text }) => groups(text).map((group) => ({ path, group })));
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter(({ group }) => said(group) === undefined)).toEqual([]);
    expect(said("refusal")).toBeUndefined();
  });

  test("says everything once it is asked for", async () => {
    await allWords();
    expect(i18next.getResourceBundle("en", "translation")).toEqual(en);
  });
});
