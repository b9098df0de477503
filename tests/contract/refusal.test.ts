/** Proof of the catalogue: every text is said once, and no template can be mistaken for another. */
import { describe, expect, it } from "vitest";
import { operations } from "#contract/kernel/operation.ts";
import { isRefusalCode, refusals } from "#contract/kernel/refusal.ts";

const all = Object.entries({ ...refusals, ...operations });
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** A template as the pattern a client finds it by. */
const pattern = (text: string): RegExp => new RegExp(`^${escaped(text).replace(/\\\{n\d?\\\}/g, "(.+?)")}$`);

describe("the catalogue", () => {
  it("says every text once", () => {
    const seen = new Map<string, string>();
    for (const [code, text] of all) {
      expect(seen.get(text), `${code} says what another code says`).toBeUndefined();
      seen.set(text, code);
    }
  });

  it("keeps refusals and operations apart", () => {
    for (const code of Object.keys(operations)) expect(isRefusalCode(code)).toBe(false);
    expect(isRefusalCode("toString")).toBe(false);
  });

  it("names its numbers {n}, or {n1} and {n2}", () => {
    for (const [code, text] of all) {
      const names = [...text.matchAll(/\{(\w*)\}/g)].map((match) => match[1]);
      expect([[], ["n"], ["n1", "n2"]], code).toContainEqual(names);
    }
  });

  it("has no template that reads as another text, but for a bound of 0", () => {
    for (const [code, template] of all.filter(([, text]) => text.includes("{"))) {
      for (const [other, text] of all) {
        const zero = code === "VAL_LIMIT_PRICE_MIN" && other === "VAL_LIMIT_PRICE_POSITIVE";
        if (other !== code && !zero) expect(pattern(template).test(text), `${code} reads as ${other}`).toBe(false);
      }
    }
  });
});
