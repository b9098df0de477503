/** Reads whole numbers from text fields. */

/** The number typed, with or without separators; null for anything else. */
export function wholeNumber(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, "");
  return /^\d{1,10}$/.test(digits) ? Number(digits) : null;
}
