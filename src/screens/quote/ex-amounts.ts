/** The amounts of ex-events as texts, the same in articles, on charts and in lists. */
import { formatPrice } from "#contract/kernel/money.ts";

/** Cash for a share (ten-thousandths), with two decimals, or as many as it needs. */
export function cashText(units: number): string {
  return formatPrice(units, 4).replace(/0{1,2}$/, "");
}

/** New shares for a thousand held, from millionths of a share for one. */
export function perThousandText(millionths: number): string {
  return String(Number((millionths / 1000).toFixed(3)));
}

/** Into how many a share is split, from the millionths of new ones for each. */
export function splitText(millionths: number): string {
  return String(Number((1 + millionths / 1_000_000).toFixed(2)));
}
