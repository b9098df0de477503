/** Where in an instrument's code and names a search found what was typed. */
import type { Instrument } from "#contract/instrument.ts";
import { fullName, shortName } from "#src/screens/quote/names.ts";

/** A stretch of a text, and whether the search found it there. */
export interface Part {
  text: string;
  found: boolean;
}

/** What was typed as the search reads it: one width, one case, single spaces. */
const asked = (typed: string): string => typed.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLowerCase();

/** A text with some of its letters marked, neighbours of one kind together. */
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

/** The letters in their order, wherever they stand; null when not all of them do. */
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

/** The parts of a text, those that match marked: the whole of what was typed, else each of its words; null when it is not there. */
export function exactParts(text: string, typed: string): Part[] | null {
  const words = asked(typed);
  const lower = text.toLowerCase();
  // A text whose lower case has another length cannot be marked by places.
  if (words === "" || lower.length !== text.length) return null;
  const whole = lower.indexOf(words);
  if (whole >= 0) return marked(text, (at) => at >= whole && at < whole + words.length);
  const each = words.split(" ").map((word) => ({ from: lower.indexOf(word), length: word.length }));
  if (each.length < 2 || each.some(({ from }) => from < 0)) return null;
  return marked(text, (at) => each.some(({ from, length }) => at >= from && at < from + length));
}

/** The parts of a text, the letters of what was typed marked where they stand in their order; null when they do not. */
export function nearParts(text: string, typed: string): Part[] | null {
  const lower = text.toLowerCase();
  const places = lower.length === text.length ? scattered(lower, asked(typed)) : null;
  return places && places.size > 0 ? marked(text, (at) => places.has(at)) : null;
}

/** An instrument as a search result: its name and its code with what was found marked, and another of its names when that is where it was. */
export interface FoundIn {
  name: Part[];
  code: Part[];
  other: Part[] | null;
}

const plain = (text: string): Part[] => [{ text, found: false }];

/** Where `typed` was found in an instrument, for a reader of `language`. */
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
