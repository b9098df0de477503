/** Codes of option series: `TXO-2026-12-C-23000` is a month, a right and a strike. Apart from the schemas, so that importing it does not load zod. */
import type { OptionRight } from "./option-price.ts";

/** What identifies a series in its month. */
export interface Series {
  right: OptionRight;
  /** In points. */
  strike: number;
}

export const seriesCode = (month: string, { right, strike }: Series): string => `TXO-${month}-${right === "call" ? "C" : "P"}-${strike}`;

/** Splits the code of a series. */
export function seriesOf(code: string): Series & { month: string } {
  const parts = code.split("-");
  return { month: parts.slice(1, -2).join("-"), right: parts.at(-2) === "P" ? "put" : "call", strike: Number(parts.at(-1)) };
}
