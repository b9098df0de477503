/** Tests the refusal catalogue: every text is unique, and no template can be mistaken for another text. */
import { describe, expect, it } from "vitest";
import { operations } from "#contract/kernel/operation.ts";
import { isRefusalCode, refusals } from "#contract/kernel/refusal.ts";

const all = Object.entries({ ...refusals, ...operations });
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** A template as the pattern a client could match it by. */
const pattern = (text: string): RegExp => new RegExp(`^${escaped(text).replace(/\\\{n\d?\\\}/g, "(.+?)")}$`);

describe("the catalogue", () => {
  it("has unique texts", () => {
    const seen = new Map<string, string>();
    for (const [code, text] of all) {
      expect(seen.get(text), `${code} duplicates another code's text`).toBeUndefined();
      seen.set(text, code);
    }
  });

  it("keeps refusals and operations apart", () => {
    for (const code of Object.keys(operations)) expect(isRefusalCode(code)).toBe(false);
    expect(isRefusalCode("toString")).toBe(false);
  });

  it("names its placeholders {n}, or {n1} and {n2}", () => {
    for (const [code, text] of all) {
      const names = [...text.matchAll(/\{(\w*)\}/g)].map((match) => match[1]);
      expect([[], ["n"], ["n1", "n2"]], code).toContainEqual(names);
    }
  });

  it("has no template that matches another text, except for a bound of 0", () => {
    for (const [code, template] of all.filter(([, text]) => text.includes("{"))) {
      for (const [other, text] of all) {
        const zero = code === "VAL_LIMIT_PRICE_MIN" && other === "VAL_LIMIT_PRICE_POSITIVE";
        if (other !== code && !zero) expect(pattern(template).test(text), `${code} matches ${other}`).toBe(false);
      }
    }
  });
});
