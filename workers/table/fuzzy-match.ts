/** Fuzzy matching for search: abbreviated input and input with one typo. */

/** Tells whether `text` is a subsequence of `name` with the same first character, as in abbreviations of long names. */
export function isSubsequence(text: string, name: string): boolean {
  if (text.charCodeAt(0) !== name.charCodeAt(0)) return false;
  let place = 1;
  for (let at = 1; at < name.length && place < text.length; at++) {
    if (name.charCodeAt(at) === text.charCodeAt(place)) place++;
  }
  return place === text.length;
}

/**
 * Tells whether `text` is a prefix of `word` with at most one typo: a wrong, extra or missing letter, or two swapped letters.
 * The first letter must be correct.
 */
export function isPrefixWithTypo(text: string, word: string): boolean {
  if (text.charCodeAt(0) !== word.charCodeAt(0)) return false;
  let at = 1;
  while (at < text.length && at < word.length && text.charCodeAt(at) === word.charCodeAt(at)) at++;
  if (at >= text.length - 1) return true;
  const rest = text.slice(at + 1);
  if (word.startsWith(rest, at + 1) || word.startsWith(rest, at) || word.startsWith(text.slice(at), at + 1)) return true;
  return (
    text.charCodeAt(at) === word.charCodeAt(at + 1) &&
    text.charCodeAt(at + 1) === word.charCodeAt(at) &&
    word.startsWith(text.slice(at + 2), at + 2)
  );
}
