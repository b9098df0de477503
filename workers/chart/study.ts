/** The interface of a study: it steps over bars and keeps all its state in one array. */

/** Field offsets inside a flat bar. */
export const BAR_AT = 0;
export const BAR_OPEN = 1;
export const BAR_HIGH = 2;
export const BAR_LOW = 3;
export const BAR_CLOSE = 4;
export const BAR_VOLUME = 5;

/** One study. Its values depend only on the bars stepped over so far, in their order. */
export interface Study {
  /** Names of its lines. */
  readonly names: readonly string[];
  /** Its entire state: restoring a copy makes the same bar give identical values again. */
  readonly memory: Float64Array;
  /** Steps over the bar that starts at `from` and writes its line values to `out`, NaN where there is none yet. */
  step(bars: ArrayLike<number>, from: number, out: Float64Array): void;
}
