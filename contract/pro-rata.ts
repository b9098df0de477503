/** Pro rata allotment by the largest remainder: whole units that sum exactly to what there is to give. */

/**
 * Gives `total` units to who asked for more together, in proportion to what each asked for; with less asked for, everybody gets all. The
 * units left after rounding down go to the largest remainders, and among equal ones to the earlier. Nobody gets more than asked for.
 * @returns the units of each, in the order given; they sum to `total`, or to what was asked for if that is less
 */
export function proRata(total: number, asked: readonly number[]): number[] {
  const sum = asked.reduce((all, one) => all + one, 0);
  if (sum <= total) return [...asked];
  // Products are larger than exact numbers allow.
  const parts = asked.map((one, nth) => {
    const product = BigInt(one) * BigInt(total);
    return { nth, given: Number(product / BigInt(sum)), rest: product % BigInt(sum) };
  });
  let left = total - parts.reduce((all, { given }) => all + given, 0);
  for (const part of parts.toSorted((a, b) => (a.rest === b.rest ? a.nth - b.nth : a.rest > b.rest ? -1 : 1))) {
    if (left === 0) break;
    part.given += 1;
    left -= 1;
  }
  return parts.map(({ given }) => given);
}
