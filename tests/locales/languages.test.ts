/** Tests the locales: every language has the same keys and placeholders as English, and no key is unused. */
import { beforeAll, describe, expect, it } from "vitest";
import { ORDER_STATUSES } from "#contract/order.ts";
import { operations } from "#contract/kernel/operation.ts";
import { refusals } from "#contract/kernel/refusal.ts";
import { builtKeys } from "#tests/support/built-keys.ts";
import type { BuiltKey } from "#tests/support/built-keys.ts";
import { code, files } from "#tests/support/tree.ts";
import { GLOSSARY } from "./glossary.ts";

/** A language as flat keys: `home.title` -> text. */
type Flat = ReadonlyMap<string, string>;
/** Every language the specification requires. */
const COMPLETE = ["af", "en", "xh", "zh-CN", "zh-TW", "zu"];

function flatten(value: unknown, prefix = ""): [string, string][] {
  if (typeof value === "string") return [[prefix, value]];
  if (typeof value !== "object" || value === null) throw new Error(`${prefix} is neither a text nor a group of texts`);
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, prefix === "" ? key : `${prefix}.${key}`));
}

const languages = new Map<string, Flat>(
  files.flatMap(({ path, text }) => {
    const name = /^locales\/([a-zA-Z-]+)\.json$/.exec(path)?.[1];
    return name === undefined || name === "tsconfig" ? [] : [[name, new Map(flatten(JSON.parse(text)))] as const];
  }),
);
const en: Flat = languages.get("en") ?? new Map();
const others = [...languages].filter(([name]) => name !== "en");

/** The placeholders and tags of a text, sorted. */
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}|<\/?\w+\s*\/?>/g)].map((match) => match[1] ?? match[0]).toSorted();

describe("the languages", () => {
  it("are the six of the specification", () => {
    expect([...languages.keys()].toSorted()).toEqual(COMPLETE);
  });

  it.each(others)("%s has the same keys as English", (_name, texts) => {
    const missing = [...en.keys()].filter((key) => !texts.has(key));
    const extra = [...texts.keys()].filter((key) => !en.has(key));
    expect({ missing, extra }).toEqual({ missing: [], extra: [] });
  });

  it.each(others)("%s has the same placeholders as English", (_name, texts) => {
    const differing = [...texts].filter(
      ([key, text]) => en.has(key) && placeholders(text).join() !== placeholders(en.get(key) ?? "").join(),
    );
    expect(differing).toEqual([]);
  });

  it.each([...languages])("%s has no empty or untrimmed text and no malformed placeholder", (_name, texts) => {
    expect([...texts].filter(([, text]) => text !== text.trim() || text === "" || /\{(?!\{)\w*\}(?!\})/.test(text))).toEqual([]);
  });
});

describe("the wording", () => {
  const terms = Object.entries(GLOSSARY).flatMap(([name, list]) =>
    list.map((term) => ({ name, ...term, texts: languages.get(name) ?? new Map<string, string>() })),
  );

  it.each(terms)("says $word for $what in $name", ({ word, key, texts }) => {
    expect(texts.get(key)?.toLowerCase()).toContain(word.toLowerCase());
  });

  it.each(terms)("has no second word for $what in $name", ({ texts, not, except }) => {
    const second = [...texts].filter(([key, text]) => not?.test(text.replaceAll(/\{\{\w+\}\}/g, "")) && !except?.test(key));
    expect(second).toEqual([]);
  });

  it("sets no space around a number and its unit, nor within a range, in zh-TW", () => {
    const unit = "(?:[筆天元日次人檔秒個年月週位支種點項期名字成倍歲枚圖頁張]|小時|分鐘|像素|分(?![配析之批])|股(?![東價利票]))";
    const spaced = new RegExp(String.raw`(?:\d|\}\}) ${unit}|[\u4e00-\u9fff] (?:\d[\d,.]*|\{\{\w+\}\})${unit}|\d [到至]|[到至] \d`);
    expect([...(languages.get("zh-TW") ?? [])].filter(([, text]) => spaced.test(text))).toEqual([]);
    expect(languages.get("zh-TW")?.get("order.lots_other")).toBe("{{n}}張");
  });

  it.each([...languages])("describes a trading lock in %s without assuming its direction", (_name, texts) => {
    const bought = /after buying|aankoop|ukuthenga|kokuthenga|買進|买入/;
    const keys = ["trade.lockedFor", "trade.lockedUntil"].flatMap((key) => [`${key}.rise`, `${key}.fall`]);
    expect(keys.filter((key) => bought.test(texts.get(key) ?? "after buying"))).toEqual([]);
  });
});

describe("the catalogue", () => {
  it.each(["refusal", "operation"] as const)("has a text for every %s", (group) => {
    const codes = Object.keys(group === "refusal" ? refusals : operations).map((name) => `${group}.${name}`);
    expect([...en.keys()].filter((key) => key.startsWith(`${group}.`)).toSorted()).toEqual(codes.toSorted());
  });

  it("has the server's texts in Simplified Chinese", () => {
    const texts = languages.get("zh-CN") ?? new Map();
    for (const [group, serverTexts] of Object.entries({ refusal: refusals, operation: operations })) {
      for (const [name, text] of Object.entries(serverTexts)) {
        expect(texts.get(`${group}.${name}`), name).toBe(text.replaceAll(/\{(\w+)\}/g, "{{$1}}"));
      }
    }
  });

  it("has the same placeholders in English as in the server's Chinese", () => {
    for (const [name, text] of Object.entries(refusals)) {
      expect(placeholders(en.get(`refusal.${name}`) ?? ""), name).toEqual(
        [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").toSorted(),
      );
    }
  });
});

describe("the status texts", () => {
  it("of orders match the contract's statuses", () => {
    expect([...en.keys()].filter((key) => key.startsWith("status.order.")).toSorted()).toEqual(
      ORDER_STATUSES.map((word) => `status.order.${word}`).toSorted(),
    );
  });
});

describe("the keys", () => {
  let built: BuiltKey[] = [];
  let used: ReadonlySet<string> = new Set();
  beforeAll(() => {
    built = builtKeys();
    const client = code.filter(({ path }) => /^(?:src|workers|machines|contract)\//.test(path)).map(({ text }) => text);
    const literals = client.flatMap((text) => [...text.matchAll(/["'`]([\w-]+(?:\.[\w-]+)+)["'`]/g)].map((match) => match[1] ?? ""));
    used = new Set([...literals, ...built.flatMap(({ keys }) => keys ?? [])]);
  }, 120_000);
  const isUsed = (key: string): boolean => {
    const [group] = key.split(".");
    // Catalogue texts are looked up by the codes the server sends; that they match the codes exactly is tested above.
    return group === "refusal" || group === "operation" || used.has(key.replace(/_(?:zero|one|two|few|many|other)$/, ""));
  };

  it("built dynamically use only values known to the compiler", () => {
    const unbounded = built.filter(({ keys }) => keys === null);
    expect(unbounded.filter(({ head }) => head !== "refusal." && head !== "operation.")).toEqual([]);
    expect(built.length - unbounded.length).toBeGreaterThan(100);
  });

  it("are all in use", () => {
    expect([...en.keys()].filter((key) => !isUsed(key))).toEqual([]);
  });

  it("are detected when unused, even beside dynamically built ones", () => {
    const known = ["market.board.otc", "trade.bulkDone.cancel_one", "ui.back"];
    expect([...en.keys()]).toEqual(expect.arrayContaining(known));
    expect([...known, "market.board.moon", "order.cause.nobody_one", "ui.forth"].filter((key) => !isUsed(key))).toEqual([
      "market.board.moon",
      "order.cause.nobody_one",
      "ui.forth",
    ]);
  });
});
