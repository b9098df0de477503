/** Tests the split dictionaries: the first screens' texts are bundled, and each screen waits for the other texts it uses. */
// @vitest-environment happy-dom
import i18next from "i18next";
import { beforeAll, describe, expect, test } from "vitest";
import en from "#locales/en.json";
import { PARTS, partOf } from "#locales/parts.ts";
import type { Part } from "#locales/parts.ts";
import { loadTranslations, startLanguage, waitForTranslations } from "#src/gateway/language.ts";
import type { FurtherPart } from "#src/gateway/language.ts";
import { code } from "#tests/support/tree.ts";

const texts = new Map(code.map(({ path, text }) => [path, text]));

/** The static imports of a client file, followed recursively. */
function needs(from: string, reached = new Set<string>()): Set<string> {
  const text = texts.get(from);
  if (text === undefined || reached.has(from)) return reached;
  reached.add(from);
  for (const [, specifier = ""] of text.matchAll(/^(?:import|export)\b(?!\s+type\b)[^;"]*?"([#.][^"]+)";$/gm)) {
    needs(resolved(from, specifier), reached);
  }
  return reached;
}

/** What loads on demand with texts of its own: its file, and the parts it waits for beside the main one; null for the first screens. */
interface Loaded {
  path: string;
  parts: readonly FurtherPart[] | null;
}

const partsIn = (list: string): FurtherPart[] => [...list.matchAll(/"(\w+)"/g)].map((match) => match[1] as FurtherPart);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));
const resolved = (from: string, specifier: string): string =>
  specifier.startsWith("#") ? specifier.slice(1) : `${folderOf(from)}/${specifier.slice(2)}`;

/** The parts of a screen by how the route table names them. */
const partsOf = (named: string): FurtherPart[] | null => {
  if (named === '"first"') return null;
  return named === '"main"' ? [] : ["refusals", ...partsIn(named)];
};

/** The files of the route table. */
const TABLES = ["src/routes.tsx", "src/member-routes.ts", "src/sale-routes.ts"];

/** The file that a screen is in: of a chunk of several screens the one that this screen is exported from. */
function fileOf(chunk: string, name: string): string {
  const specifier = new RegExp(`^export \\{ ${name} \\} from "([#.][^"]+)";$`, "m").exec(texts.get(chunk) ?? "")?.[1];
  return specifier === undefined ? chunk : resolved(chunk, specifier);
}

/** The screens in a file of the route table, whether a route names the chunk itself or a constant that loads it. */
function screensIn(table: string): Loaded[] {
  const text = texts.get(table) ?? "";
  const chunks = new Map(
    [...text.matchAll(/^const (\w+) = \(\) => import\("#([^"]+)"\);$/gm)].map(([, name = "", path = ""]) => [name, path]),
  );
  const named = text.matchAll(/(?:\(\) => import\("#([^"]+)"\)|\b(\w+)),\s+"(\w+)"(?:,\s+("first"|"main"|\[[^\]]*\]))?/g);
  return [...named].flatMap(([, path, constant = "", name = "", parts = ""]) => {
    const chunk = path ?? chunks.get(constant);
    return chunk === undefined ? [] : [{ path: fileOf(chunk, name), parts: partsOf(parts) }];
  });
}

const screens = TABLES.flatMap(screensIn);

/** The components that a file loads on demand. */
const lazyIn = (path: string): Loaded[] =>
  [...(texts.get(path) ?? "").matchAll(/^const \w+ = lazy\(([\s\S]*?)\);\n(?=\n|const|\/)/gm)].flatMap(([, body = ""]) => {
    const specifier = /import\("([#.][^"]+)"\)/.exec(body)?.[1];
    const parts = /loadTranslations\(([^)]*)\)/.exec(body)?.[1];
    return specifier === undefined ? [] : [{ path: resolved(path, specifier), parts: parts === undefined ? null : partsIn(parts) }];
  });

/** Streams and actors show texts only after events, and wait for the translations themselves. */
const isEventual = (path: string): boolean => /^src\/(?:streams|actors)\//.test(path);

/** All texts under a key, with their full keys. */
function textsAt(key: string): string[] {
  const value: unknown = key.split(".").reduce((group: unknown, name) => (group as Record<string, unknown> | undefined)?.[name], en);
  if (value === undefined) return [`${key}_other`];
  return typeof value === "string" ? [key] : Object.keys(value as object).flatMap((name) => textsAt(`${key}.${name}`));
}

const ALL: ReadonlySet<string> = new Set(Object.keys(en).flatMap(textsAt));

/** The keys in a client file, as far as they are literal: `market.board` of `market.board.${board}`, and `refusal` of `refusal.${code}`. */
const keys = (text: string): string[] =>
  [...text.matchAll(/["`](\w+(?:\.\w+)+)(?=["`]|\.\$)|`(?<group>refusal)(?=\.\$)/g)]
    .map((match) => match[1] ?? match.groups?.["group"] ?? "")
    .filter((key) => textsAt(key).some((one) => ALL.has(one)));

/** What shows the refusal of a call: `call` waited for the texts. */
const AFTER_CALL: ReadonlySet<string> = new Set([
  "src/gateway/refusal.ts",
  "src/screens/login/sign-in.tsx",
  "src/screens/login/sign-in-again.tsx",
]);

/** The keys of these files that are in none of the given parts. */
const outside = (paths: Iterable<string>, parts: readonly Part[]): { path: string; key: string }[] =>
  [...paths].flatMap((path) =>
    keys(texts.get(path) ?? "")
      .filter((key) =>
        // The refusals that only some screens get are in the parts of those.
        key === "refusal"
          ? !parts.includes("refusals") && !AFTER_CALL.has(path)
          : textsAt(key).some((text) => !parts.includes(partOf(text))),
      )
      .map((key) => ({ path, key })),
  );

/** The keys that a screen and what it loads on demand show without waiting for them. */
function missing({ path, parts }: Loaded, waited: readonly Part[] = ["first"], seen = new Set<string>()): { path: string; key: string }[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const known: readonly Part[] = parts === null ? waited : [...waited, "main", ...parts];
  const shown = [...needs(path)].filter((file) => file.startsWith("src/") && !isEventual(file));
  const further = shown.flatMap(lazyIn).filter(({ path: file }) => texts.has(file));
  return [...outside(shown, known), ...further.flatMap((one) => missing(one, known, seen))];
}

describe("the parts of a language", () => {
  test("are known of every screen of the route table", () => {
    const calls = (text: string) => text.match(/(?:\bscreen|[:,] accountPage)\((?!load\b)/g)?.length ?? 0;
    const tables = [...texts.keys()].filter(
      (path) => path.startsWith("src/") && /\bscreen\b.* from "\.\/lazy-screen\.ts"/.test(texts.get(path) ?? ""),
    );
    expect(tables.toSorted()).toEqual(TABLES.toSorted());
    for (const table of TABLES) expect(screensIn(table).length, table).toBe(calls(texts.get(table) ?? ""));
    const paths = screens.map(({ path }) => path);
    expect(paths.filter((path) => !texts.has(path) || path.endsWith("-screens.ts"))).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining(["src/screens/home/block-buy.tsx", "src/screens/information/withdraw.tsx"]));
  });

  test("are waited for by every screen that shows their texts, and by what it loads on demand", () => {
    expect(screens.filter(({ parts }) => parts === null).map(({ path }) => path)).toContain("src/screens/home/home.tsx");
    expect(screens.filter(({ parts }) => parts?.length === 0).length).toBeGreaterThan(10);
    expect(screens.filter(({ parts }) => parts?.join() === "refusals").length).toBeGreaterThan(4);
    expect(screens.filter(({ parts }) => parts?.includes("account")).length).toBeGreaterThan(8);
    const onDemand = new Set([...texts.keys()].flatMap((path) => lazyIn(path).map((one) => one.path)));
    expect([...onDemand]).toEqual(expect.arrayContaining(["src/screens/home/digest.tsx", "src/screens/quote/profit-sheet.tsx"]));
    const first = ["src/main.tsx", "src/app.tsx"].map((path): Loaded => ({ path, parts: null }));
    expect([...first, ...screens].flatMap((screen) => missing(screen).map((one) => ({ ...one, screen: screen.path })))).toEqual([]);
  });

  test("are waited for by streams and actors", () => {
    const eventual = [...texts.keys()].filter(isEventual);
    const found = eventual.flatMap((path) => {
      const waits = [...(texts.get(path) ?? "").matchAll(/loadTranslations\(([^)]*)\)/g)].flatMap(([, parts = ""]) => partsIn(parts));
      return outside([path], ["first", "main", ...waits]);
    });
    expect(eventual.length).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });

  test("notice a key that nothing waits for", () => {
    expect(missing({ path: "src/screens/home/margin.tsx", parts: [] }).map(({ key }) => key)).toContain("margin.title");
    expect(missing({ path: "src/screens/market/stock-detail.tsx", parts: null }).length).toBeGreaterThan(50);
    expect(outside(["src/screens/quote/profit-sheet.tsx"], ["first", "main"]).length).toBeGreaterThan(5);
  });

  test("name only texts that exist", () => {
    for (const [part, names] of Object.entries(PARTS)) {
      for (const name of names) expect(textsAt(name).map(partOf), name).toContain(part);
    }
  });
});

describe("English", () => {
  beforeAll(() => startLanguage());
  const loaded = (): object => i18next.getResourceBundle("en", "translation") as object;

  test("has the first texts at once, the main ones next, and the others when asked for", async () => {
    expect(loaded()).toHaveProperty("login");
    expect(loaded()).not.toHaveProperty("order");
    await loadTranslations();
    expect(loaded()).toHaveProperty("order");
    expect(loaded()).not.toHaveProperty("refusal");
    await waitForTranslations();
    expect(loaded()).toHaveProperty("refusal");
    expect(loaded()).not.toHaveProperty("information");
    await loadTranslations("account", "sheets");
    expect(loaded()).toHaveProperty("information");
    expect(loaded()).not.toHaveProperty("rule");
    const further = Object.keys(PARTS).filter((part) => part !== "first");
    await loadTranslations(...(further as FurtherPart[]));
    expect(loaded()).toEqual(en);
  });
});
