/** Which part of a name or a code a search result marks. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactParts, foundIn, nearParts } from "#src/screens/favorite/highlight-match.ts";
import type { Part } from "#src/screens/favorite/highlight-match.ts";

/** `[TS]MC`: what is marked in brackets. */
const said = (parts: readonly Part[] | null): string | null =>
  parts && parts.map(({ text, found }) => (found ? `[${text}]` : text)).join("");

const tsmc = { code: "2330", zh: "台積電", zhCn: "台积电", en: "TSMC" };
const hotai = { code: "2207", zh: "和泰車", zhCn: "和泰车", en: "Hotai Motor" };

describe("what was typed", () => {
  it("is marked where it stands, whatever its case and width", () => {
    expect(said(exactParts("Evergreen Marine", "green"))).toBe("Ever[green] Marine");
    expect(said(exactParts("TSMC", "ｔｓ"))).toBe("[TS]MC");
    expect(exactParts("TSMC", "ms")).toBeNull();
    expect(exactParts("TSMC", "  ")).toBeNull();
  });

  it("is marked word by word when the words stand apart", () => {
    expect(said(exactParts("Taiwan Business Bank", "bank taiwan"))).toBe("[Taiwan] Business [Bank]");
  });

  it("is marked letter by letter when they only stand in its order", () => {
    expect(said(nearParts("MediaTek", "mdtk"))).toBe("[M]e[d]ia[T]e[k]");
    expect(nearParts("MediaTek", "ktm")).toBeNull();
  });

  it("never changes the text itself", () => {
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
    return [said(name), said(code), said(other)];
  };

  it("marks the name or the code the reader sees", () => {
    expect(where("tsm", "en")).toEqual(["[TSM]C 台積電", "2330", null]);
    expect(where("積電", "en")).toEqual(["TSMC 台[積電]", "2330", null]);
    expect(where("33", "zh-TW")).toEqual(["台積電", "2[33]0", null]);
  });

  it("shows the name it was found by when that is another one", () => {
    expect(where("台积", "en")).toEqual(["TSMC 台積電", "2330", "[台积]电"]);
    expect(where("tsmc", "zh-TW")).toEqual(["台積電", "2330", "[TSMC]"]);
    expect(where("台積", "zh-CN")).toEqual(["台积电", "2330", "[台積]電"]);
  });

  it("prefers where it stands whole over where its letters are scattered", () => {
    expect(where("motor", "zh-TW", hotai)).toEqual(["和泰車", "2207", "Hotai [Motor]"]);
    expect(where("htmt", "zh-TW", hotai)).toEqual(["和泰車", "2207", "[H]o[t]ai [M]o[t]or"]);
  });

  it("marks nothing where nothing is to be seen", () => {
    expect(where("xyz", "en")).toEqual(["TSMC 台積電", "2330", null]);
  });
});
