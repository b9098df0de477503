/** Formats large counts in few characters, in the units that the financial press of a language prints: 30.7bn, 30.7 mjd, 307億. */
import { grouped } from "#contract/kernel/money.ts";

type Unit = readonly [size: number, name: string];
/** The abbreviation units of a language, largest first. */
export type Units = readonly Unit[];

/** English; isiZulu and isiXhosa papers print the same. */
const ENGLISH: Units = [
  [1e12, "tn"],
  [1e9, "bn"],
  [1e6, "m"],
  [1e3, "k"],
];
/** The number and its unit stay on one line. */
const AFRIKAANS: Units = [
  [1e12, "\u00A0bn"],
  [1e9, "\u00A0mjd"],
  [1e6, "\u00A0m"],
  [1e3, "\u00A0k"],
];
const TRADITIONAL: Units = [
  [1e12, "兆"],
  [1e8, "億"],
  [1e4, "萬"],
];
const SIMPLIFIED: Units = [
  [1e12, "万亿"],
  [1e8, "亿"],
  [1e4, "万"],
];

/** Counts below this are written in full. */
const FULL_BELOW = 100_000;

/** The abbreviation units of a language. */
export function unitsOf(language: string): Units {
  if (language === "af") return AFRIKAANS;
  if (!language.startsWith("zh")) return ENGLISH;
  return language === "zh-CN" || language.startsWith("zh-Hans") ? SIMPLIFIED : TRADITIONAL;
}

/** Formats a non-negative integer with three significant digits and a unit, or in full when it is short. */
export function shortNumber(count: number, units: Units): string {
  if (count < FULL_BELOW) return grouped(String(Math.trunc(count)));
  for (const [size, name] of units) {
    if (count < size) continue;
    const scaled = count / size;
    const decimals = scaled < 10 ? 2 : scaled < 100 ? 1 : 0;
    const rounded = Math.round(scaled * 10 ** decimals);
    const whole = Math.floor(rounded / 10 ** decimals);
    const text = grouped(String(whole));
    return decimals === 0 ? text + name : `${text}.${String(rounded % 10 ** decimals).padStart(decimals, "0")}${name}`;
  }
  return grouped(String(Math.trunc(count)));
}
