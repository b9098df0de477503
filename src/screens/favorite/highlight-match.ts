/** Finds the matching parts of an instrument's code and names for a search text. */
import type { Instrument } from "#contract/instrument.ts";
import { fullName, shortName } from "#src/screens/quote/names.ts";

/** A piece of text, and whether it matches the search. */
export interface Part {
  text: string;
  found: boolean;
}

/** The typed text normalised as the search does: one width, one case, single spaces. */
const normalised = (typed: string): string => typed.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLowerCase();

/** Split a text into matching and other parts, merging neighbours of the same kind. */
function marked(text: string, isFound: (at: number) => boolean): Part[] {
  const parts: Part[] = [];
  for (const [at, letter] of text.split("").entries()) {
    const found = isFound(at);
    const last = parts.at(-1);
    if (last?.found === found) last.text += letter;
    else parts.push({ text: letter, found });
  }
  return parts;
}

/** The positions of the letters, in order but not necessarily adjacent; null when not all occur. */
function scattered(lower: string, letters: string): Set<number> | null {
  const places = new Set<number>();
  let from = 0;
  for (const letter of letters.replaceAll(" ", "").split("")) {
    const at = lower.indexOf(letter, from);
    if (at < 0) return null;
    places.add(at);
    from = at + 1;
  }
  return places;
}

/** A text's parts with the typed text marked as a whole, else each of its words; null when there is no match. */
export function exactParts(text: string, typed: string): Part[] | null {
  const words = normalised(typed);
  const lower = text.toLowerCase();
  // A text whose lower case has another length cannot be marked by position.
  if (words === "" || lower.length !== text.length) return null;
  const whole = lower.indexOf(words);
  if (whole >= 0) return marked(text, (at) => at >= whole && at < whole + words.length);
  const each = words.split(" ").map((word) => ({ from: lower.indexOf(word), length: word.length }));
  if (each.length < 2 || each.some(({ from }) => from < 0)) return null;
  return marked(text, (at) => each.some(({ from, length }) => at >= from && at < from + length));
}

/** A text's parts with the typed letters marked where they occur in order; null when they do not. */
export function nearParts(text: string, typed: string): Part[] | null {
  const lower = text.toLowerCase();
  const places = lower.length === text.length ? scattered(lower, normalised(typed)) : null;
  return places && places.size > 0 ? marked(text, (at) => places.has(at)) : null;
}

/** An instrument as a search result: name and code with matches marked, and another of its names when only that one matched. */
export interface FoundIn {
  name: Part[];
  code: Part[];
  other: Part[] | null;
}

const plain = (text: string): Part[] => [{ text, found: false }];

/** Where `typed` matches an instrument, for a reader of `language`. */
export function foundIn(instrument: Pick<Instrument, "zh" | "zhCn" | "en"> & { code: string }, typed: string, language: string): FoundIn {
  const shown = fullName(instrument, language);
  const { code, zh, zhCn, en } = instrument;
  const others = [zh, zhCn, en].filter((name) => !shown.includes(name) && name !== shortName(instrument, language));
  for (const parts of [exactParts, nearParts]) {
    const name = parts(shown, typed);
    const inCode = parts(code, typed);
    const other = name || inCode ? null : (others.map((one) => parts(one, typed)).find((one) => one !== null) ?? null);
    if (name || inCode || other) return { name: name ?? plain(shown), code: inCode ?? plain(code), other };
  }
  return { name: plain(shown), code: plain(code), other: null };
}
