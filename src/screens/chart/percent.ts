/** Percentages of a comparison. */

/** The change from a base price, in percent. */
export const percentOf = (price: number, base: number): number => (price / base - 1) * 100;

/** Closes as percent since their first known one at or after the left edge; null while there is none. */
export function percentsSince(closes: readonly (number | null)[], edge: number): (number | null)[] {
  const base = closes.slice(Math.max(0, edge)).find((close) => close !== null && close > 0) ?? null;
  return closes.map((close) => (close === null || base === null ? null : percentOf(close, base)));
}
