/** Proof of the divided languages: what one sees first is said without waiting, and the rest is there once it is asked for. */
// @vitest-environment happy-dom
import i18next from "i18next";
import { beforeAll, describe, expect, test } from "vitest";
import en from "#locales/en.json";
import { allWords, mainWords, startLanguage } from "#src/gateway/language.ts";
import { code } from "#tests/support/tree.ts";

const texts = new Map(code.map(({ path, text }) => [path, text]));

/** The files of the client that a script needs before it runs: its static imports, followed to their ends. */
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

/** The screens by the words they wait for, as the table of routes loads them; most wait for the main ones. */
const screens = (words: "firstWords" | "mainWords" | "allWords"): string[] =>
  [...(texts.get("src/routes.tsx") ?? "").matchAll(/import\("#(src\/[\w/-]+\.tsx)"\), "\w+"(?:, (\w+))?\)/g)].flatMap(
    ([, path = "", waits = "mainWords"]) => (waits === words ? [path] : []),
  );

/** A key as far as it is written out: `market.board` of t(`market.board.${board}`). */
const keys = (text: string): string[] => [...text.matchAll(/\bt\(\s*["`](\w+(?:\.\w+)*)/g)].map((match) => match[1] ?? "");
const said = (key: string): unknown =>
  i18next.getResource("en", "translation", key) ?? i18next.getResource("en", "translation", `${key}_other`);

describe("English", () => {
  beforeAll(() => startLanguage());

  /** The keys said on the way to some files that are not there yet. */
  const unsaid = (from: readonly string[]): { path: string; key: string }[] => {
    // Streams and actors speak when something happened, and wait for their words.
    const shown = [...new Set(from.flatMap((path) => [...needs(path)]))].filter((path) => !/^src\/(?:streams|actors)\//.test(path));
    const used = shown.flatMap((path) => keys(texts.get(path) ?? "").map((key) => ({ path, key })));
    expect(used.length).toBeGreaterThan(50);
    return used.filter(({ key }) => said(key) === undefined);
  };

  test("says at once what one sees first", () => {
    const firstScreens = screens("firstWords");
    expect(firstScreens).toContain("src/screens/home/home.tsx");
    expect(unsaid(["src/main.tsx", "src/app.tsx", ...firstScreens])).toEqual([]);
    expect(said("refusal")).toBeUndefined();
  });

  test("says next what nearly every screen says", async () => {
    await mainWords();
    expect(screens("mainWords").length).toBeGreaterThan(20);
    expect(unsaid(screens("mainWords"))).toEqual([]);
    expect(screens("allWords").length).toBeGreaterThan(3);
    expect(said("rule")).toBeUndefined();
  });

  test("says everything once it is asked for", async () => {
    await allWords();
    expect(i18next.getResourceBundle("en", "translation")).toEqual(en);
  });
});
