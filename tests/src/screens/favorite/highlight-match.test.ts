/** Which part of a name or code is highlighted in a search result. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactParts, foundIn, nearParts } from "#src/screens/favorite/highlight-match.ts";
import type { Part } from "#src/screens/favorite/highlight-match.ts";

/** Marked parts in brackets: `[TS]MC`. */
const bracketed = (parts: readonly Part[] | null): string | null =>
  parts && parts.map(({ text, found }) => (found ? `[${text}]` : text)).join("");

const tsmc = { code: "2330", zh: "台積電", zhCn: "台积电", en: "TSMC" };
const hotai = { code: "2207", zh: "和泰車", zhCn: "和泰车", en: "Hotai Motor" };

describe("the typed text", () => {
  it("is marked where it occurs, regardless of case and width", () => {
    expect(bracketed(exactParts("Evergreen Marine", "green"))).toBe("Ever[green] Marine");
    expect(bracketed(exactParts("TSMC", "ｔｓ"))).toBe("[TS]MC");
    expect(exactParts("TSMC", "ms")).toBeNull();
    expect(exactParts("TSMC", "  ")).toBeNull();
  });

  it("is marked word by word when the words are apart", () => {
    expect(bracketed(exactParts("Taiwan Business Bank", "bank taiwan"))).toBe("[Taiwan] Business [Bank]");
  });

  it("is marked letter by letter when the letters only occur in order", () => {
    expect(bracketed(nearParts("MediaTek", "mdtk"))).toBe("[M]e[d]ia[T]e[k]");
    expect(nearParts("MediaTek", "ktm")).toBeNull();
  });

  it("never changes the marked text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, typed) => {
        for (const parts of [exactParts(text, typed), nearParts(text, typed)]) {
          if (parts) expect(parts.map((part) => part.text).join("")).toBe(text);
        }
      }),
    );
  });
});

describe("a result", () => {
  const where = (typed: string, language: string, of = tsmc) => {
    const { name, code, other } = foundIn(of, typed, language);
    return [bracketed(name), bracketed(code), bracketed(other)];
  };

  it("marks the name or the code the reader sees", () => {
    expect(where("tsm", "en")).toEqual(["[TSM]C 台積電", "2330", null]);
    expect(where("積電", "en")).toEqual(["TSMC 台[積電]", "2330", null]);
    expect(where("33", "zh-TW")).toEqual(["台積電", "2[33]0", null]);
  });

  it("shows the matching name when it is not the displayed one", () => {
    expect(where("台积", "en")).toEqual(["TSMC 台積電", "2330", "[台积]电"]);
    expect(where("tsmc", "zh-TW")).toEqual(["台積電", "2330", "[TSMC]"]);
    expect(where("台積", "zh-CN")).toEqual(["台积电", "2330", "[台積]電"]);
  });

  it("prefers a whole match over scattered letters", () => {
    expect(where("motor", "zh-TW", hotai)).toEqual(["和泰車", "2207", "Hotai [Motor]"]);
    expect(where("htmt", "zh-TW", hotai)).toEqual(["和泰車", "2207", "[H]o[t]ai [M]o[t]or"]);
  });

  it("marks nothing without a match", () => {
    expect(where("xyz", "en")).toEqual(["TSMC 台積電", "2330", null]);
  });
});
