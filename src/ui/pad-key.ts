/** Applies a number-pad key to the text in a field. */

export type PadKey = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "." | "back";

export interface PadLimit {
  /** Decimals allowed; 0 disables the decimal point. */
  decimals: number;
  /** Maximum digits before the decimal point. */
  digits: number;
}

/** The text after a key: leading zeros are removed; a second point or an excess digit changes nothing. */
export function typeKey(text: string, key: PadKey, limit: PadLimit): string {
  if (key === "back") return text.slice(0, -1);
  if (key === ".") {
    if (limit.decimals === 0 || text.includes(".")) return text;
    return text === "" ? "0." : `${text}.`;
  }
  const next = text === "0" ? key : text + key;
  const [whole = "", fraction = ""] = next.split(".");
  return whole.length > limit.digits || fraction.length > limit.decimals ? text : next;
}
