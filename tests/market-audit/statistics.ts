/** The statistics that the market audit needs, of plain lists of numbers. */

export const mean = (list: readonly number[]): number => (list.length === 0 ? 0 : list.reduce((sum, one) => sum + one, 0) / list.length);

export function variance(list: readonly number[]): number {
  const centre = mean(list);
  return mean(list.map((one) => (one - centre) ** 2));
}

/** The fourth moment ratio: three for a normal distribution. */
export function kurtosis(list: readonly number[]): number {
  const centre = mean(list);
  const spread = variance(list);
  return spread === 0 ? 0 : mean(list.map((one) => (one - centre) ** 4)) / spread ** 2;
}

export function correlation(a: readonly number[], b: readonly number[]): number {
  const [centreA, centreB] = [mean(a), mean(b)];
  const both = mean(a.map((one, nth) => (one - centreA) * ((b[nth] ?? 0) - centreB)));
  const spread = Math.sqrt(variance(a) * variance(b));
  return spread === 0 ? 0 : both / spread;
}

/** The correlation of each value with the next. */
export const autocorrelation = (list: readonly number[]): number => correlation(list.slice(0, -1), list.slice(1));

/** The value below which a part of the list lies. */
export function quantile(list: readonly number[], part: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

export const median = (list: readonly number[]): number => quantile(list, 0.5);

/** How many standard errors the mean is from zero; the values must not overlap in time. */
export function tOf(list: readonly number[]): number {
  const spread = Math.sqrt(variance(list) / Math.max(1, list.length - 1));
  return list.length < 2 || spread === 0 ? 0 : mean(list) / spread;
}
