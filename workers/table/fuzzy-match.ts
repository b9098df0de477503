/** Near enough: what a person types who leaves characters out, or whose finger slips once. */

/** Whether all characters of `text` come in `name` in their order, the first at the beginning: how long names are shortened. */
export function isSpreadOver(text: string, name: string): boolean {
  if (text.charCodeAt(0) !== name.charCodeAt(0)) return false;
  let place = 1;
  for (let at = 1; at < name.length && place < text.length; at++) {
    if (name.charCodeAt(at) === text.charCodeAt(place)) place++;
  }
  return place === text.length;
}

/**
 * Whether `text` is how `word` begins, but for one slip: another letter, one too many, one too few, or two in the wrong order.
 * The first letter is taken to be right.
 */
export function isNearBeginning(text: string, word: string): boolean {
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
