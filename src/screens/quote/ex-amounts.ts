/** Formats amounts of ex-events for articles, charts and lists. */
import { formatPrice } from "#contract/kernel/money.ts";

/** Formats cash per share (ten-thousandths) with two decimals, or as many as it needs. */
export function cashText(units: number): string {
  return formatPrice(units, 4).replace(/0{1,2}$/, "");
}

/** Formats new shares per thousand held, from millionths of a new share per share. */
export function perThousandText(millionths: number): string {
  return String(Number((millionths / 1000).toFixed(3)));
}

/** Formats into how many one share is split, from millionths of new shares per share. */
export function splitText(millionths: number): string {
  return String(Number((1 + millionths / 1_000_000).toFixed(2)));
}
