/** Search over the whole table by code, Chinese in both scripts, English, initials, and with a slip of the finger; best first. */
import type { Instrument } from "#contract/instrument.ts";
import { isNearBeginning, isSpreadOver } from "./fuzzy-match.ts";

interface Entry {
  code: string;
  /** Chinese name in Simplified characters. */
  zh: string;
  /** English name with a space before it, so that a word's beginning is always " word". */
  en: string;
  words: string[];
  /** First letters of the English words. */
  initials: string;
}

/** How good a match is: smaller is better; NONE is no match. */
const EXACT = 0;
const CODE_PREFIX = 1;
const NAME = 2;
const NAME_PREFIX = 3;
const WORD_PREFIX = 4;
const INITIALS = 5;
const INSIDE = 6;
const SHORT_FORM = 7;
const TYPO = 8;
const NONE = 9;

/** A word as short as this is likelier another word than one with a typo. */
const LEAST_TYPO = 4;

/** What is typed, one word of it. */
interface Word {
  text: string;
  latin: boolean;
}

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().trim().replaceAll(/\s+/g, " ");
const isLatin = (text: string): boolean => /^[a-z0-9&.'+-]*$/.test(text);

function gradeName({ zh, en, words, initials }: Entry, text: string, latin: boolean): number {
  if (!latin) {
    const place = zh.indexOf(text);
    if (place === 0) return zh.length === text.length ? NAME : NAME_PREFIX;
    if (place > 0) return INSIDE;
    return text.length > 1 && isSpreadOver(text, zh) ? SHORT_FORM : NONE;
  }
  const place = en.indexOf(` ${text}`);
  if (place === 0) return en.length === text.length + 1 ? NAME : NAME_PREFIX;
  if (place > 0) return WORD_PREFIX;
  if (text.length > 1 && initials.startsWith(text)) return INITIALS;
  if (en.includes(text) || zh.includes(text)) return INSIDE;
  if (text.length < LEAST_TYPO) return NONE;
  for (const word of words) if (isNearBeginning(text, word)) return TYPO;
  return NONE;
}

function gradeWord(entry: Entry, { text, latin }: Word): number {
  const place = latin ? entry.code.indexOf(text) : -1;
  if (place === 0) return entry.code.length === text.length ? EXACT : CODE_PREFIX;
  const name = gradeName(entry, text, latin);
  return place > 0 ? Math.min(name, INSIDE) : name;
}

/** The whole of what was typed, or each of its words by itself; the worst word decides. */
function gradeOf(entry: Entry, whole: Word, words: readonly Word[]): number {
  const grade = gradeWord(entry, whole);
  if (words.length < 2 || grade !== NONE) return grade;
  let worst = WORD_PREFIX;
  for (const word of words) {
    const each = gradeWord(entry, word);
    if (each === NONE) return NONE;
    worst = Math.max(worst, each);
  }
  return worst;
}

export class SearchIndex {
  readonly #entries: Entry[];
  readonly #issued: Float64Array;
  /** Traditional characters and their Simplified twins, learned from the names themselves: what no name has nobody can look for. */
  readonly #twins = new Map<string, string>();

  constructor(instruments: readonly Instrument[]) {
    for (const { zh, zhCn } of instruments) if (zh !== zhCn && zh.length === zhCn.length) this.#learn(zh, zhCn);
    this.#issued = Float64Array.from(instruments, ({ issuedThousands }) => issuedThousands);
    this.#entries = instruments.map(({ code, zh, en }) => {
      const words = plain(en)
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== "");
      return {
        code: code.toLowerCase(),
        zh: this.#folded(plain(zh)),
        en: ` ${plain(en)}`,
        words: words.filter((word) => word.length >= LEAST_TYPO),
        initials: words.map((word) => word.charAt(0)).join(""),
      };
    });
  }

  #learn(zh: string, zhCn: string): void {
    for (let place = 0; place < zh.length; place++) {
      const twin = zhCn.charAt(place);
      if (zh.charAt(place) !== twin) this.#twins.set(zh.charAt(place), twin);
    }
  }

  #folded(text: string): string {
    let out = "";
    for (const each of text) out += this.#twins.get(each) ?? each;
    return out;
  }

  /**
   * Codes that match `text`, at most `limit`; equally good ones by `weightOf` their row (turnover, say), larger first, then by
   * the shares they issued, then in row order.
   */
  find(text: string, limit: number, weightOf: (row: number) => number = () => 0): string[] {
    const typed = this.#folded(plain(text));
    if (typed === "" || limit <= 0) return [];
    const whole: Word = { text: typed, latin: isLatin(typed.replaceAll(" ", "")) };
    const words = typed.split(" ").map((each): Word => ({ text: each, latin: isLatin(each) }));
    const byGrade: number[][] = Array.from({ length: NONE }, () => []);
    for (let row = 0; row < this.#entries.length; row++) {
      const entry = this.#entries[row];
      if (entry) byGrade[gradeOf(entry, whole, words)]?.push(row);
    }
    const found: number[] = [];
    for (const rows of byGrade) {
      if (found.length >= limit) break;
      found.push(...this.#heaviest(rows, weightOf));
    }
    return found.slice(0, limit).map((row) => this.#entries[row]?.code.toUpperCase() ?? "");
  }

  #heaviest(rows: readonly number[], weightOf: (row: number) => number): number[] {
    const weighed = rows.map((row) => ({ row, weight: weightOf(row), issued: this.#issued[row] ?? 0 }));
    weighed.sort((a, b) => b.weight - a.weight || b.issued - a.issued || a.row - b.row);
    return weighed.map(({ row }) => row);
  }
}
