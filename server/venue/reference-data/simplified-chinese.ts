/** Converts Chinese names from the registered Traditional characters to Simplified ones. */
import { Converter } from "opencc-js/t2cn";

const convert = Converter({ from: "tw", to: "cn" });

/**
 * A name in Simplified characters, one for one. A character whose simplified form is outside the basic multilingual plane stays as
 * it is: phones have no glyph for it, and mainland print keeps it, too.
 */
export function simplified(name: string): string {
  const whole = convert(name);
  return whole.length === name.length
    ? whole
    : Array.from(name, (each) => (convert(each).length > each.length ? each : convert(each))).join("");
}
