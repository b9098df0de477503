/** Masks an ID number for display. */

/** The first letter and the last three digits; the rest is hidden. */
export function maskedId(idNumber: string): string {
  return `${idNumber.slice(0, 1)}••••••${idNumber.slice(-3)}`;
}
