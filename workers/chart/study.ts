/** What a study is: a small machine that steps over bars, and whose whole memory is one array. */

/** Places of a bar's figures. */
export const BAR_AT = 0;
export const BAR_OPEN = 1;
export const BAR_HIGH = 2;
export const BAR_LOW = 3;
export const BAR_CLOSE = 4;
export const BAR_VOLUME = 5;

/** One study. A value depends on nothing but the bars stepped over before, in their order. */
export interface Study {
  /** Its lines. */
  readonly names: readonly string[];
  /** All it remembers: kept and put back, the same bar gives the same values again, to the last digit. */
  readonly memory: Float64Array;
  /** Step over the bar that begins at `from`; the values of the lines at it go to `out`, NaN where there is none yet. */
  step(bars: ArrayLike<number>, from: number, out: Float64Array): void;
}
