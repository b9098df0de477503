/** Project rules that no linter checks: opening sentences, names, import specifiers, lengths, leftovers, and links to third parties. */
import { describe, expect, it } from "vitest";
import { BANNED_TERMS } from "#tests/support/banned-terms.ts";
import { specifiers } from "#tests/support/import-graph.ts";
import { code, files, paths } from "#tests/support/tree.ts";
import type { TreeFile } from "#tests/support/tree.ts";

const MAX_LINES = 350;
/** They contain the banned words as data. */
const WORD_LISTS = ["tests/support/banned-terms.ts", "tests/locales/languages.test.ts"];
/** Released migrations are never edited. */
const RELEASED = /^server\/db\/migrations\//;
const scripts = code.filter(({ path }) => !path.endsWith(".css"));

/** Lines that match a pattern, as `path:line: text`. */
function hits(among: readonly TreeFile[], pattern: RegExp): string[] {
  return among.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
}

/** A text with every part of a compound name as a word. */
const wordsOf = (text: string): string => text.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/[_/.-]/g, " ");

describe("every file", () => {
  it("opens with a sentence that describes it", () => {
    const silent = code.filter(({ path, text }) =>
      path.endsWith(".css")
        ? !/^\/\*\s[^]{8,600}?[.!?]\s+\*\//.test(text)
        : !/^(?:#!.*\n|\/\/ @vitest-environment [a-z-]+\n)?\/\*\*\s[^]{8,600}?[.!?]\s+\*\//.test(text),
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it("is short enough", () => {
    const long = code
      .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long, `more than ${MAX_LINES} lines: split by responsibility`).toEqual([]);
  });

  it("has a kebab-case name", () => {
    const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*$/;
    const known = /^(?:\..*|[A-Z]+(?:\.md)?|zh-(?:TW|CN)\.json)$/;
    expect(paths.filter((path) => path.split("/").some((name) => !kebab.test(name) && !known.test(name)))).toEqual([]);
  });

  it("has a specific name", () => {
    const vague = /(?:^|\/)(?:utils?|helpers?|common|misc|types|constants|shared|lib|stuff)(?:\.[^/]*)?(?:\/|$)/;
    expect(paths.filter((path) => vague.test(path))).toEqual([]);
  });

  it("uses the terms of the trade", () => {
    const checked = files.filter(
      ({ path }) => /\.(?:ts|tsx|js|mjs|css|md|sql)$/.test(path) && !WORD_LISTS.includes(path) && !RELEASED.test(path),
    );
    const spaced = checked.map(({ path, text }) => ({ path, text: `${wordsOf(text)}\n${wordsOf(path)}` }));
    const found = BANNED_TERMS.flatMap(({ words, say }) =>
      hits(spaced, new RegExp(`\\b(?:${words})\\b`, "i")).map((hit) => `${hit} (say: ${say})`),
    );
    expect(found).toEqual([]);
  });

  it("contains no notes for later and silences no tool", () => {
    expect(hits([...code, ...files.filter(({ path }) => path.endsWith(".md"))], /\b(?:TO[D]O|FI[X]ME|X[X]X|HA[C]K)\b/)).toEqual([]);
    expect(hits(code, /@ts-(?:ig[n]ore|noche[c]k)|(?:es|ox)lint-dis[a]ble|prettier-ig[n]ore|oxfmt-ig[n]ore|istanbul ig[n]ore/)).toEqual([]);
  });

  it("sets no timer of days: a delay of more than 24.8 days fires at once", () => {
    const timers =
      /\b(?:setTimeout|setInterval|(?<!\.)every|delay|timer|interval)\((?:[^()]|\([^()]*\))*\b(?:DAY_MS|SESSION_MS|expiresAt)\b/;
    expect(code.filter(({ text }) => timers.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it("skips no test and focuses none", () => {
    const tests = code.filter(({ path }) => /\.test\.tsx?$/.test(path));
    expect(hits(tests, /\b(?:it|test|describe)\.(?:onl[y]|ski[p]|tod[o]|fail[s])\b/)).toEqual([]);
  });
});

describe("every import", () => {
  const imports = scripts.flatMap(({ path, text }) => specifiers(text).map((specifier) => ({ path, specifier })));

  it("has no upward path", () => expect(imports.filter(({ specifier }) => /(?:^|\/)\.\.(?:\/|$)/.test(specifier))).toEqual([]));

  it("has a file extension", () => {
    const bare = imports.filter(
      ({ specifier }) => /^[#.]/.test(specifier) && !/\.(?:ts|tsx|mjs|css|json|svg|png|sql)(?:\?[\w&]+)?$/.test(specifier),
    );
    expect(bare).toEqual([]);
  });
});

describe("the project", () => {
  it("accesses the browser's storage in one file", () => {
    const client = code.filter(({ path }) => /^(?:src|workers|machines|contract)\//.test(path) && path !== "src/gateway/storage.ts");
    expect(hits(client, /\b(?:localStorage|sessionStorage)\s*[.[]/)).toEqual([]);
  });

  it("contains no machine paths", () => {
    expect(hits(files, /(?:^|[\s"'`(=:])(?:\/(?:work|root|Users|tmp)\/|[A-Z]:\\\\)|file:\/\//)).toEqual([]);
  });

  it("contains no links to third parties", () => {
    // The chart library's licence asks for a link to its maker. The addresses of the feeds' services are in one file and used only by a
    // server configured for them.
    const named = ["LICENSE", "package-lock.json", "server/venue/feed/address.ts"];
    const own = files.filter(({ path }) => !named.includes(path));
    const foreign = own.flatMap(({ path, text }) =>
      [...text.matchAll(/\b(?:https?|wss?):\/\/([^\s/"'`)<>:$\\]+)/g)]
        .filter(
          (match) =>
            !/^(?:(?:localhost|host)(?::|$)|127\.0\.0\.1|\[|www\.w3\.org$|www\.tradingview\.com$|json-schema\.org$|.*\.(?:example|invalid|test)$)/.test(
              match[1] ?? "",
            ),
        )
        .map((match) => `${path}: ${match[0]}`),
    );
    expect(foreign).toEqual([]);
  });

  it("contains no registry addresses, so that every installation uses its own", () => {
    const lock = files.filter(({ path }) => path === "package-lock.json" || path === ".npmrc");
    expect(lock.map(({ path }) => path)).toEqual([".npmrc", "package-lock.json"]);
    expect(hits(lock, /"resolved"|^registry\b|_auth/)).toEqual([]);
  });

  it("pins every dependency to one version", () => {
    const manifest = JSON.parse(files.find(({ path }) => path === "package.json")?.text ?? "{}") as Record<string, Record<string, string>>;
    const loose = Object.entries({ ...manifest["dependencies"], ...manifest["devDependencies"] }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([]);
  });
});
