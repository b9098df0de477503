/** What a key of the number pad does to the text in the field. */

export type PadKey = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "." | "back";

export interface PadLimit {
  /** Decimals allowed; 0 leaves the point without effect. */
  decimals: number;
  /** The most digits before the point. */
  digits: number;
}

/** The text after a key: leading zeros go, a second point or a digit too many changes nothing. */
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
