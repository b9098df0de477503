/** Estimates how wide the dock's small text is, so that no word of any language breaks or is cut off. */

/** Widths of a letter in rem, at the size and weight of the dock's text. */
const WIDE_REM = 0.82;
const NARROW_REM = 0.5;
/** The space after the text of a cell. */
const SPACE_REM = 0.6;
const WIDE_LETTERS = /[\u2E80-\uFFFF]/g;

/** The width in rem of one line of text and the space after it. */
export function lineRem(text: string): number {
  const wide = text.match(WIDE_LETTERS)?.length ?? 0;
  return SPACE_REM + wide * WIDE_REM + (text.length - wide) * NARROW_REM;
}

/** The width in rem of a column: of the longest word of its head, which wraps, and of its longest line, at least `least`. */
export const columnRem = (least: number, head: string, lines: readonly string[] = []): number =>
  Math.max(least, ...head.split(" ").map(lineRem), ...lines.map(lineRem));
