/** Alert texts: levels formatted by kind. */
import type { TFunction } from "i18next";
import { expect, test } from "vitest";
import { alertLevel } from "#contract/alert.ts";
import { alertCondition } from "#src/actors/alert-words.ts";

const t = ((key: string, values: Record<string, string> = {}) => `${key} ${JSON.stringify(values)}`) as unknown as TFunction;

test.each([
  ["above", 10_850_000, "1,085.00"],
  ["below", 500_500, "50.05"],
  ["rise", 325, "3.25%"],
  ["fall", 1_000, "10.00%"],
  ["volume", 1_234_567, "1,234,567"],
] as const)("%s %i reads %s", (kind, level, text) => {
  expect(alertLevel({ kind, level }, 2)).toBe(text);
  expect(alertCondition({ kind, level }, undefined, t)).toBe(
    `alert.says.${kind} ${JSON.stringify({ level: text, unit: "market.unit.lots {}" })}`,
  );
});
