/** Searches the whole table by code, Chinese name in both scripts, English name and initials, tolerating one typo; best matches first. */
import type { Instrument } from "#contract/instrument.ts";
import { isPrefixWithTypo, isSubsequence } from "./fuzzy-match.ts";

interface Entry {
  code: string;
  /** Chinese name in Simplified characters. */
  zh: string;
  /** English name with a leading space, so that every word starts with " ". */
  en: string;
  words: string[];
  /** First letters of the English words. */
  initials: string;
}

/** Match ranks: smaller is better; NONE is no match. */
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

/** Minimum length for typo matching: shorter input is more likely a different word. */
const MIN_TYPO_LENGTH = 4;

/** One word of the typed text. */
interface Word {
  text: string;
  latin: boolean;
}

const normalize = (text: string): string => text.normalize("NFKC").toLowerCase().trim().replaceAll(/\s+/g, " ");
const isLatin = (text: string): boolean => /^[a-z0-9&.'+-]*$/.test(text);

function rankName({ zh, en, words, initials }: Entry, text: string, latin: boolean): number {
  if (!latin) {
    const place = zh.indexOf(text);
    if (place === 0) return zh.length === text.length ? NAME : NAME_PREFIX;
    if (place > 0) return INSIDE;
    return text.length > 1 && isSubsequence(text, zh) ? SHORT_FORM : NONE;
  }
  const place = en.indexOf(` ${text}`);
  if (place === 0) return en.length === text.length + 1 ? NAME : NAME_PREFIX;
  if (place > 0) return WORD_PREFIX;
  if (text.length > 1 && initials.startsWith(text)) return INITIALS;
  if (en.includes(text) || zh.includes(text)) return INSIDE;
  if (text.length < MIN_TYPO_LENGTH) return NONE;
  for (const word of words) if (isPrefixWithTypo(text, word)) return TYPO;
  return NONE;
}

function rankWord(entry: Entry, { text, latin }: Word): number {
  const place = latin ? entry.code.indexOf(text) : -1;
  if (place === 0) return entry.code.length === text.length ? EXACT : CODE_PREFIX;
  const name = rankName(entry, text, latin);
  return place > 0 ? Math.min(name, INSIDE) : name;
}

/** Ranks the whole text, or each of its words separately; the worst word decides. */
function rankOf(entry: Entry, whole: Word, words: readonly Word[]): number {
  const rank = rankWord(entry, whole);
  if (words.length < 2 || rank !== NONE) return rank;
  let worst = WORD_PREFIX;
  for (const word of words) {
    const each = rankWord(entry, word);
    if (each === NONE) return NONE;
    worst = Math.max(worst, each);
  }
  return worst;
}

export class SearchIndex {
  readonly #entries: Entry[];
  readonly #issued: Float64Array;
  /** Traditional to Simplified characters, learned from the names: characters in no name cannot be searched for anyway. */
  readonly #simplified = new Map<string, string>();

  constructor(instruments: readonly Instrument[]) {
    for (const { zh, zhCn } of instruments) if (zh !== zhCn && zh.length === zhCn.length) this.#learn(zh, zhCn);
    this.#issued = Float64Array.from(instruments, ({ issuedThousands }) => issuedThousands);
    this.#entries = instruments.map(({ code, zh, en }) => {
      const words = normalize(en)
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word !== "");
      return {
        code: code.toLowerCase(),
        zh: this.#toSimplified(normalize(zh)),
        en: ` ${normalize(en)}`,
        words: words.filter((word) => word.length >= MIN_TYPO_LENGTH),
        initials: words.map((word) => word.charAt(0)).join(""),
      };
    });
  }

  #learn(zh: string, zhCn: string): void {
    for (let place = 0; place < zh.length; place++) {
      const simplified = zhCn.charAt(place);
      if (zh.charAt(place) !== simplified) this.#simplified.set(zh.charAt(place), simplified);
    }
  }

  #toSimplified(text: string): string {
    let out = "";
    for (const each of text) out += this.#simplified.get(each) ?? each;
    return out;
  }

  /**
   * Codes that match `text`, at most `limit`. Equal ranks are ordered by `weightOf` their row (e.g. turnover), larger first, then by
   * shares issued, then by row.
   */
  find(text: string, limit: number, weightOf: (row: number) => number = () => 0): string[] {
    const typed = this.#toSimplified(normalize(text));
    if (typed === "" || limit <= 0) return [];
    const whole: Word = { text: typed, latin: isLatin(typed.replaceAll(" ", "")) };
    const words = typed.split(" ").map((each): Word => ({ text: each, latin: isLatin(each) }));
    const byRank: number[][] = Array.from({ length: NONE }, () => []);
    for (let row = 0; row < this.#entries.length; row++) {
      const entry = this.#entries[row];
      if (entry) byRank[rankOf(entry, whole, words)]?.push(row);
    }
    const found: number[] = [];
    for (const rows of byRank) {
      if (found.length >= limit) break;
      found.push(...this.#byWeight(rows, weightOf));
    }
    return found.slice(0, limit).map((row) => this.#entries[row]?.code.toUpperCase() ?? "");
  }

  #byWeight(rows: readonly number[], weightOf: (row: number) => number): number[] {
    const weighted = rows.map((row) => ({ row, weight: weightOf(row), issued: this.#issued[row] ?? 0 }));
    weighted.sort((a, b) => b.weight - a.weight || b.issued - a.issued || a.row - b.row);
    return weighted.map(({ row }) => row);
  }
}
