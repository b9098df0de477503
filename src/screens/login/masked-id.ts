/** How an ID number is shown back to whoever holds the phone. */

/** First letter and last three digits; the rest hidden. */
export function maskedId(idNumber: string): string {
  return `${idNumber.slice(0, 1)}••••••${idNumber.slice(-3)}`;
}
