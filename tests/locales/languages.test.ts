/** Proof of the tongues: every language says exactly what English says, with the same numbers in it, and nothing is said unused. */
import { beforeAll, describe, expect, it } from "vitest";
import { ORDER_STATUSES } from "#contract/order.ts";
import { operations } from "#contract/kernel/operation.ts";
import { refusals } from "#contract/kernel/refusal.ts";
import { builtKeys } from "#tests/support/built-keys.ts";
import type { BuiltKey } from "#tests/support/built-keys.ts";
import { code, files } from "#tests/support/tree.ts";

/** A language as flat keys: `home.title` -> text. */
type Flat = ReadonlyMap<string, string>;
/** Languages that may lack keys: what is missing falls back to English. */
const PARTIAL = new Set(["ko"]);
/** Every language the specification asks for. */
const COMPLETE = ["af", "en", "xh", "zh-CN", "zh-TW", "zu"];

function flatten(value: unknown, prefix = ""): [string, string][] {
  if (typeof value === "string") return [[prefix, value]];
  if (typeof value !== "object" || value === null) throw new Error(`${prefix} is neither text nor a group of texts`);
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

/** The names a text wants filled in, and the tags it holds, sorted. */
const holes = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}|<\/?\w+\s*\/?>/g)].map((match) => match[1] ?? match[0]).toSorted();

describe("the languages", () => {
  it("are the six of the specification, and Korean at most", () => {
    expect([...languages.keys()].filter((name) => !PARTIAL.has(name)).toSorted()).toEqual(COMPLETE);
  });

  it.each(others)("%s says exactly what English says", (name, texts) => {
    const missing = [...en.keys()].filter((key) => !texts.has(key));
    const extra = [...texts.keys()].filter((key) => !en.has(key));
    expect({ missing: PARTIAL.has(name) ? [] : missing, extra }).toEqual({ missing: [], extra: [] });
  });

  it.each(others)("%s leaves the same places to fill in", (_name, texts) => {
    const differing = [...texts].filter(([key, text]) => en.has(key) && holes(text).join() !== holes(en.get(key) ?? "").join());
    expect(differing).toEqual([]);
  });

  it.each([...languages])("%s has no empty text, and none with loose ends", (_name, texts) => {
    expect([...texts].filter(([, text]) => text !== text.trim() || text === "" || /\{(?!\{)\w*\}(?!\})/.test(text))).toEqual([]);
  });
});

describe("a member's broker", () => {
  /** Words of a casino and of its bets, and who reads them there. */
  const betting: [string, RegExp][] = [
    ["en", /\bhouse\b/i],
    ["af", /\bhuis\b/i],
    ["zh-TW", /買漲|買跌|莊家|持倉|實名認證|銀行卡/],
  ];

  it.each(betting)("is named as a broker in %s, and trades as one", (name, wrong) => {
    const texts = languages.get(name) ?? new Map<string, string>();
    expect(texts.size).toBeGreaterThan(0);
    expect([...texts].filter(([, text]) => wrong.test(text))).toEqual([]);
  });

  it.each([...languages])("says in %s of a lock nothing that is true of only one direction", (_name, texts) => {
    const bought = /after buying|aankoop|ukuthenga|kokuthenga|買進|买入/;
    expect(["trade.lockedFor", "trade.lockedUntil"].filter((key) => bought.test(texts.get(key) ?? "buying"))).toEqual([]);
  });
});

describe("the catalogue", () => {
  it.each(["refusal", "operation"] as const)("has a text for every %s", (group) => {
    const codes = Object.keys(group === "refusal" ? refusals : operations).map((name) => `${group}.${name}`);
    expect([...en.keys()].filter((key) => key.startsWith(`${group}.`)).toSorted()).toEqual(codes.toSorted());
  });

  it("says in Simplified Chinese what the server says", () => {
    const texts = languages.get("zh-CN") ?? new Map();
    for (const [group, said] of Object.entries({ refusal: refusals, operation: operations })) {
      for (const [name, text] of Object.entries(said)) {
        expect(texts.get(`${group}.${name}`), name).toBe(text.replaceAll(/\{(\w+)\}/g, "{{$1}}"));
      }
    }
  });

  it("leaves the same numbers in English as in the server's Chinese", () => {
    for (const [name, text] of Object.entries(refusals)) {
      expect(holes(en.get(`refusal.${name}`) ?? ""), name).toEqual(
        [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").toSorted(),
      );
    }
  });
});

describe("the words", () => {
  it("of an order's lifecycle are the contract's", () => {
    expect([...en.keys()].filter((key) => key.startsWith("status.order.")).toSorted()).toEqual(
      ORDER_STATUSES.map((word) => `status.order.${word}`).toSorted(),
    );
  });
});

describe("the keys", () => {
  let built: BuiltKey[] = [];
  let said: ReadonlySet<string> = new Set();
  beforeAll(() => {
    built = builtKeys();
    const client = code.filter(({ path }) => /^(?:src|workers|machines|contract)\//.test(path)).map(({ text }) => text);
    const literals = client.flatMap((text) => [...text.matchAll(/["'`]([\w-]+(?:\.[\w-]+)+)["'`]/g)].map((match) => match[1] ?? ""));
    said = new Set([...literals, ...built.flatMap(({ keys }) => keys ?? [])]);
  }, 120_000);
  const isUsed = (key: string): boolean => {
    const [group] = key.split(".");
    // The catalogue's texts are looked up by the codes a server sends; that each code has one, and nothing else has, is proven above.
    return group === "refusal" || group === "operation" || said.has(key.replace(/_(?:zero|one|two|few|many|other)$/, ""));
  };

  it("built of values are of values the compiler knows", () => {
    const endless = built.filter(({ keys }) => keys === null);
    expect(endless.filter(({ head }) => head !== "refusal." && head !== "operation.")).toEqual([]);
    expect(built.length - endless.length).toBeGreaterThan(100);
  });

  it("are all in use", () => {
    expect([...en.keys()].filter((key) => !isUsed(key))).toEqual([]);
  });

  it("would be found out of use, beside others that are built of values too", () => {
    const used = ["market.board.otc", "trade.bulkDone.cancel_one", "ui.back"];
    expect([...en.keys()]).toEqual(expect.arrayContaining(used));
    expect([...used, "market.board.moon", "order.cause.nobody_one", "ui.forth"].filter((key) => !isUsed(key))).toEqual([
      "market.board.moon",
      "order.cause.nobody_one",
      "ui.forth",
    ]);
  });
});
