/** Whole lots as typed in a field. */

/** The typed lots; null for anything but a whole number. */
export function typedLots(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, "");
  return /^\d{1,7}$/.test(digits) ? Number(digits) : null;
}
