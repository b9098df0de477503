/** Formats large counts in few characters: 12.3K, 4.56M, 30.7B; 萬/億 in Chinese. */
import { grouped } from "#contract/kernel/money.ts";

type Unit = readonly [size: number, name: string];
/** The abbreviation units of a language, largest first. */
export type Units = readonly Unit[];

const LATIN: Units = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
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
  if (!language.startsWith("zh")) return LATIN;
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
