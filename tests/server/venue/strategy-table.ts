/** The returns of strategies over many offerings: mean and t of each, as a table. */

/** One try: its net gain as a part of the money put in, and the block of tries that move together. */
export interface Try {
  block: number;
  value: number;
}

export interface Row {
  group: string;
  name: string;
  n: number;
  mean: number;
  t: number;
}

/** Mean and t of returns; offerings of the same weeks move together, so a block of sessions is one observation. */
export function tOf(tries: readonly Try[]): Pick<Row, "n" | "mean" | "t"> {
  const blocks = new Map<number, { n: number; sum: number }>();
  for (const { block, value } of tries) {
    const { n, sum } = blocks.get(block) ?? { n: 0, sum: 0 };
    blocks.set(block, { n: n + 1, sum: sum + value });
  }
  const sums = [...blocks.values()];
  const n = tries.length;
  const mean = sums.reduce((total, { sum }) => total + sum, 0) / n;
  const variance = sums.reduce((total, one) => total + (one.sum - one.n * mean) ** 2, 0) / n ** 2;
  return { n, mean, t: mean / Math.sqrt(variance) };
}

export function printTable(rows: readonly Row[]): string {
  const widest = Math.max(...rows.map(({ group, name }) => group.length + name.length + 2));
  return rows
    .map(({ group, name, n, mean, t }) => {
      const what = `${group}: ${name}`.padEnd(widest + 1);
      return `${what} ${String(n).padStart(6)} ${(100 * mean).toFixed(3).padStart(9)} % ${t.toFixed(2).padStart(8)}`;
    })
    .join("\n");
}
