/** Alert texts: levels formatted by kind, and the text of a fired alert. */
import type { TFunction } from "i18next";
import { expect, test } from "vitest";
import type { Alert } from "#contract/alert.ts";
import type { Instrument } from "#contract/instrument.ts";
import { alertFiredWords, alertLevel } from "#src/actors/alert-words.ts";

const t = ((key: string, values: Record<string, string>) => `${key} ${JSON.stringify(values)}`) as unknown as TFunction;

test.each([
  ["above", 10_850_000, "1,085.00"],
  ["below", 500_500, "50.05"],
  ["rise", 325, "3.25%"],
  ["fall", 1_000, "10.00%"],
  ["volume", 1_234_567, "1,234,567"],
] as const)("%s %i reads %s", (kind, level, text) => {
  expect(alertLevel({ kind, level }, 2)).toBe(text);
});

test("a fired alert's text names the instrument in the reader's language and the price it fired at", () => {
  const alert = { code: "2330", kind: "above", level: 10_850_000, firedPrice: 10_900_000 } as Alert;
  const instrument = { code: "2330", zh: "台積電", zhCn: "台积电", en: "TSMC", decimals: 2 } as Instrument;
  expect(alertFiredWords(alert, instrument, "zh-CN", t).title).toContain("台积电");
  expect(alertFiredWords(alert, instrument, "zh-CN", t).title).toContain("1,090.00");
  expect(alertFiredWords(alert, undefined, "en", t).title).toContain("2330");
});
