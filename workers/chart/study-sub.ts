/** Studies drawn below the bars: volume averages, MACD, KD, RSI, BIAS and OBV, with the conventions used in Taiwan. */
import type { StudySettings } from "#contract/preference.ts";
import { MovingAverage } from "./study-main.ts";
import { BAR_CLOSE, BAR_HIGH, BAR_LOW, BAR_VOLUME } from "./study.ts";
import type { Study } from "./study.ts";

/** Moving averages of the volume, in lots. */
export class VolumeAverage extends MovingAverage {
  constructor(lengths: readonly number[]) {
    super(lengths, BAR_VOLUME);
  }
}

/**
 * MACD: DIF (fast minus slow exponential average of the close or, as Chinese terminals draw it, of the demand index: the mean of
 * high, low and twice the close), its signal average, and the oscillator (their difference).
 */
export class Macd implements Study {
  readonly names = ["DIF", "MACD", "OSC"];
  readonly memory = new Float64Array(4);
  readonly #settings: StudySettings["macd"];

  constructor(settings: StudySettings["macd"]) {
    this.#settings = settings;
  }

  step(bars: ArrayLike<number>, from: number, out: Float64Array): void {
    const { fast, slow, signal, price } = this.#settings;
    let value = bars[from + BAR_CLOSE] ?? 0;
    if (price === "demand") value = ((bars[from + BAR_HIGH] ?? 0) + (bars[from + BAR_LOW] ?? 0) + 2 * value) / 4;
    const memory = this.memory;
    const seen = (memory[0] ?? 0) | 0;
    const fastBefore = memory[1] ?? 0;
    const slowBefore = memory[2] ?? 0;
    const signalBefore = memory[3] ?? 0;
    const fastNow = seen === 0 ? value : fastBefore + (2 / (fast + 1)) * (value - fastBefore);
    const slowNow = seen === 0 ? value : slowBefore + (2 / (slow + 1)) * (value - slowBefore);
    const difference = fastNow - slowNow;
    // Number of differences before this one; the first is at the longer average's first full length.
    const shown = seen + 1 - Math.max(fast, slow);
    const signalNow = shown <= 0 ? difference : signalBefore + (2 / (signal + 1)) * (difference - signalBefore);
    memory[0] = seen + 1;
    memory[1] = fastNow;
    memory[2] = slowNow;
    memory[3] = signalNow;
    out[0] = shown < 0 ? Number.NaN : difference;
    out[1] = shown + 1 < signal ? Number.NaN : signalNow;
    out[2] = shown + 1 < signal ? Number.NaN : difference - signalNow;
  }
}

/** Stochastic KD: the close's position in the range of the last bars, smoothed twice starting from 50. */
export class Kd implements Study {
  readonly names = ["K", "D"];
  readonly memory: Float64Array;
  readonly #length: number;
  readonly #k: number;
  readonly #d: number;

  constructor({ length, k, d }: StudySettings["kd"]) {
    this.#length = length;
    this.#k = k;
    this.#d = d;
    // Bar count, K, D, then ring buffers of the last highs and lows.
    this.memory = new Float64Array(3 + 2 * length);
    this.memory[1] = 50;
    this.memory[2] = 50;
  }

  step(bars: ArrayLike<number>, from: number, out: Float64Array): void {
    const close = bars[from + BAR_CLOSE] ?? 0;
    const memory = this.memory;
    const length = this.#length;
    const seen = (memory[0] ?? 0) | 0;
    const place = 3 + (seen % length);
    memory[place] = bars[from + BAR_HIGH] ?? 0;
    memory[place + length] = bars[from + BAR_LOW] ?? 0;
    memory[0] = seen + 1;
    if (seen + 1 < length) {
      out.fill(Number.NaN);
      return;
    }
    let highest = -Infinity;
    let lowest = Infinity;
    for (let nth = 3; nth < 3 + length; nth++) {
      const high = memory[nth] ?? 0;
      const low = memory[nth + length] ?? 0;
      if (high > highest) highest = high;
      if (low < lowest) lowest = low;
    }
    // Without a range the close counts as the middle.
    const raw = highest === lowest ? 50 : ((close - lowest) / (highest - lowest)) * 100;
    const k = ((this.#k - 1) * (memory[1] ?? 0) + raw) / this.#k;
    const d = ((this.#d - 1) * (memory[2] ?? 0) + k) / this.#d;
    memory[1] = k;
    memory[2] = d;
    out[0] = k;
    out[1] = d;
  }
}

/** Wilder's relative strength index: gains as a share of all moves, one line per length. */
export class Rsi implements Study {
  readonly names: readonly string[];
  readonly memory: Float64Array;
  readonly #lengths: readonly number[];

  constructor(lengths: readonly number[]) {
    this.#lengths = lengths;
    this.names = lengths.map((length) => `RSI${length}`);
    // Bar count, the last close, then the average gain and average loss per length.
    this.memory = new Float64Array(2 + 2 * lengths.length);
  }

  step(bars: ArrayLike<number>, from: number, out: Float64Array): void {
    const close = bars[from + BAR_CLOSE] ?? 0;
    const memory = this.memory;
    const seen = (memory[0] ?? 0) | 0;
    const move = close - (memory[1] ?? 0);
    memory[0] = seen + 1;
    memory[1] = close;
    if (seen === 0) {
      out.fill(Number.NaN);
      return;
    }
    const rise = move > 0 ? move : 0;
    const fall = move < 0 ? -move : 0;
    for (let nth = 0; nth < this.#lengths.length; nth++) {
      const length = this.#lengths[nth] ?? 1;
      const rises = wilder(memory[2 + 2 * nth] ?? 0, rise, seen, length);
      const falls = wilder(memory[3 + 2 * nth] ?? 0, fall, seen, length);
      memory[2 + 2 * nth] = rises;
      memory[3 + 2 * nth] = falls;
      out[nth] = seen < length ? Number.NaN : rises + falls === 0 ? 50 : (100 * rises) / (rises + falls);
    }
  }
}

/** Wilder smoothing: the mean of the first `length` values, smoothed from there on; until then their exact sum. */
function wilder(before: number, value: number, nth: number, length: number): number {
  if (nth < length) return before + value;
  return nth === length ? (before + value) / length : (before * (length - 1) + value) / length;
}

/** BIAS: the close's deviation from its moving average, in percent of the average. */
export class Bias implements Study {
  readonly names: readonly string[];
  readonly memory: Float64Array;
  readonly #mean: MovingAverage;

  constructor(lengths: readonly number[]) {
    this.#mean = new MovingAverage(lengths, BAR_CLOSE);
    this.memory = this.#mean.memory;
    this.names = lengths.map((length) => `BIAS${length}`);
  }

  step(bars: ArrayLike<number>, from: number, out: Float64Array): void {
    const close = bars[from + BAR_CLOSE] ?? 0;
    this.#mean.step(bars, from, out);
    for (let nth = 0; nth < out.length; nth++) {
      const mean = out[nth] ?? 0;
      out[nth] = ((close - mean) / mean) * 100;
    }
  }
}

/** On-balance volume: volume added when the close rises and subtracted when it falls, and its average; in lots, 0 at the oldest bar. */
export class Obv implements Study {
  readonly names: readonly string[];
  readonly memory: Float64Array;
  readonly #length: number;

  constructor({ average }: StudySettings["obv"]) {
    this.#length = average;
    this.names = ["OBV", `MA${average}`];
    // Bar count, the last close, the balance, the sum of the last balances, then a ring buffer of them.
    this.memory = new Float64Array(4 + average);
  }

  step(bars: ArrayLike<number>, from: number, out: Float64Array): void {
    const close = bars[from + BAR_CLOSE] ?? 0;
    const volume = bars[from + BAR_VOLUME] ?? 0;
    const memory = this.memory;
    const length = this.#length;
    const seen = (memory[0] ?? 0) | 0;
    const closeBefore = memory[1] ?? 0;
    const before = memory[2] ?? 0;
    const balance = seen === 0 ? 0 : before + (close > closeBefore ? volume : close < closeBefore ? -volume : 0);
    const place = 4 + (seen % length);
    const sum = (memory[3] ?? 0) + balance - (memory[place] ?? 0);
    memory[0] = seen + 1;
    memory[1] = close;
    memory[2] = balance;
    memory[3] = sum;
    memory[place] = balance;
    out[0] = balance;
    out[1] = seen + 1 < length ? Number.NaN : sum / length;
  }
}
