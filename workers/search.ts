/** Search over the whole table by code, Chinese or English name; best first. */
import type { Instrument } from "#contract/instrument.ts";

interface Entry {
  code: string;
  zh: string;
  /** Lower-case English name with a space before it, so that a word's beginning is always " word". */
  en: string;
}

/** How good a match is: smaller is better; 0 is the exact code, NONE no match. */
const EXACT = 0;
const CODE_PREFIX = 1;
const ZH_PREFIX = 2;
const EN_PREFIX = 3;
const ZH_INSIDE = 4;
const EN_WORD = 5;
const CODE_INSIDE = 6;
const EN_INSIDE = 7;
const NONE = 8;

function gradeOf(entry: Entry, upper: string, lower: string): number {
  const inCode = entry.code.indexOf(upper);
  if (inCode === 0) return entry.code.length === upper.length ? EXACT : CODE_PREFIX;
  const inZh = entry.zh.indexOf(upper);
  if (inZh === 0) return ZH_PREFIX;
  const asWord = entry.en.indexOf(` ${lower}`);
  if (asWord === 0) return EN_PREFIX;
  if (inZh > 0) return ZH_INSIDE;
  if (asWord > 0) return EN_WORD;
  if (inCode > 0) return CODE_INSIDE;
  return entry.en.includes(lower) ? EN_INSIDE : NONE;
}

export class SearchIndex {
  readonly #entries: Entry[];

  constructor(instruments: readonly Instrument[]) {
    this.#entries = instruments.map(({ code, zh, en }) => ({ code, zh: zh.toUpperCase(), en: ` ${en.toLowerCase()}` }));
  }

  /** Codes that match `text`, at most `limit`; equally good ones by `weightOf` their row (turnover, say), larger first, then in row order. */
  find(text: string, limit: number, weightOf: (row: number) => number = () => 0): string[] {
    const words = text.normalize("NFKC").trim().replaceAll(/\s+/g, " ");
    if (words === "" || limit <= 0) return [];
    const upper = words.toUpperCase();
    const lower = words.toLowerCase();
    const found: { row: number; grade: number; weight: number }[] = [];
    for (const [row, entry] of this.#entries.entries()) {
      const grade = gradeOf(entry, upper, lower);
      if (grade !== NONE) found.push({ row, grade, weight: weightOf(row) });
    }
    found.sort((a, b) => a.grade - b.grade || b.weight - a.weight || a.row - b.row);
    return found.slice(0, limit).map(({ row }) => this.#entries[row]?.code ?? "");
  }
}
