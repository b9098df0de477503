/** Tests the split dictionaries: the first screens' texts are bundled, and each screen waits for the other texts it uses. */
// @vitest-environment happy-dom
import i18next from "i18next";
import { beforeAll, describe, expect, test } from "vitest";
import en from "#locales/en.json";
import { loadAllTranslations, loadMainTranslations, startLanguage } from "#src/gateway/language.ts";
import { code } from "#tests/support/tree.ts";

const texts = new Map(code.map(({ path, text }) => [path, text]));

/** The static imports of a client file, followed recursively. */
function needs(from: string, reached = new Set<string>()): Set<string> {
  const text = texts.get(from);
  if (text === undefined || reached.has(from)) return reached;
  reached.add(from);
  const folder = from.slice(0, from.lastIndexOf("/"));
  for (const [, specifier = ""] of text.matchAll(/^(?:import|export)\b(?!\s+type\b)[^;"]*?"([#.][^"]+)";$/gm)) {
    needs(specifier.startsWith("#") ? specifier.slice(1) : `${folder}/${specifier.slice(2)}`, reached);
  }
  return reached;
}

/** The screens by the texts they wait for, as the route table loads them; by default the main ones. */
const screens = (words: "noFurtherTranslations" | "loadMainTranslations" | "loadAllTranslations"): string[] =>
  [...(texts.get("src/routes.tsx") ?? "").matchAll(/import\("#(src\/[\w/-]+\.tsx)"\), "\w+"(?:, (\w+))?\)/g)].flatMap(
    ([, path = "", waits = "loadMainTranslations"]) => (waits === words ? [path] : []),
  );

/** A key as far as it is a literal: `market.board` of t(`market.board.${board}`). */
const keys = (text: string): string[] => [...text.matchAll(/\bt\(\s*["`](\w+(?:\.\w+)*)/g)].map((match) => match[1] ?? "");
const textAt = (key: string): unknown =>
  i18next.getResource("en", "translation", key) ?? i18next.getResource("en", "translation", `${key}_other`);

describe("English", () => {
  beforeAll(() => startLanguage());

  /** The keys used by some files and their imports that are not loaded yet. */
  const missing = (from: readonly string[]): { path: string; key: string }[] => {
    // Streams and actors show texts only after events, and wait for the translations.
    const shown = [...new Set(from.flatMap((path) => [...needs(path)]))].filter((path) => !/^src\/(?:streams|actors)\//.test(path));
    const used = shown.flatMap((path) => keys(texts.get(path) ?? "").map((key) => ({ path, key })));
    expect(used.length).toBeGreaterThan(50);
    return used.filter(({ key }) => textAt(key) === undefined);
  };

  test("has the first screens' texts at once", () => {
    const firstScreens = screens("noFurtherTranslations");
    expect(firstScreens).toContain("src/screens/home/home.tsx");
    expect(missing(["src/main.tsx", "src/app.tsx", ...firstScreens])).toEqual([]);
    expect(textAt("refusal")).toBeUndefined();
  });

  test("loads the texts of nearly every screen next", async () => {
    await loadMainTranslations();
    expect(screens("loadMainTranslations").length).toBeGreaterThan(20);
    expect(missing(screens("loadMainTranslations"))).toEqual([]);
    expect(screens("loadAllTranslations").length).toBeGreaterThan(3);
    expect(textAt("rule")).toBeUndefined();
  });

  test("loads all texts on request", async () => {
    await loadAllTranslations();
    expect(i18next.getResourceBundle("en", "translation")).toEqual(en);
  });
});
