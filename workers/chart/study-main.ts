/** Studies drawn over the bars: moving averages, Bollinger bands, parabolic SAR. Rolling sums add integers, so they stay exact. */
import type { StudySettings } from "#contract/preference.ts";
import { BAR_CLOSE, BAR_HIGH, BAR_LOW } from "./study.ts";
import type { Study } from "./study.ts";

/** Simple moving averages of one bar field, one line per length. */
export class MovingAverage implements Study {
  readonly names: readonly string[];
  readonly memory: Float64Array;
  readonly #lengths: readonly number[];
  readonly #field: number;
  readonly #window: number;

  constructor(lengths: readonly number[], field: number) {
    this.#lengths = lengths;
    this.#field = field;
    this.#window = Math.max(1, ...lengths);
    this.names = lengths.map((length) => `MA${length}`);
    // Bar count, the sums, then a ring buffer of the last values.
    this.memory = new Float64Array(1 + lengths.length + this.#window);
  }

  step(bars: ArrayLike<number>, from: number, out: Float64Array): void {
    const value = bars[from + this.#field] ?? 0;
    const memory = this.memory;
    const seen = (memory[0] ?? 0) | 0;
    const lengths = this.#lengths;
    const window = this.#window;
    const ring = 1 + lengths.length;
    for (let nth = 0; nth < lengths.length; nth++) {
      const length = lengths[nth] ?? 1;
      const gone = seen >= length ? (memory[ring + ((seen - length) % window)] ?? 0) : 0;
      const sum = (memory[1 + nth] ?? 0) + value - gone;
      memory[1 + nth] = sum;
      out[nth] = seen + 1 >= length ? sum / length : Number.NaN;
    }
    memory[ring + (seen % window)] = value;
    memory[0] = seen + 1;
  }
}

/** Exponential moving averages of the close, one line per length; each starts at the first close and is shown from its length on. */
export class ExponentialAverage implements Study {
  readonly names: readonly string[];
  readonly memory: Float64Array;
  readonly #lengths: readonly number[];
  /** Weight of the newest close, per length. */
  readonly #shares: readonly number[];

  constructor(lengths: readonly number[]) {
    this.#lengths = lengths;
    this.#shares = lengths.map((length) => 2 / (length + 1));
    this.names = lengths.map((length) => `EMA${length}`);
    this.memory = new Float64Array(1 + lengths.length);
  }

  step(bars: ArrayLike<number>, from: number, out: Float64Array): void {
    const close = bars[from + BAR_CLOSE] ?? 0;
    const memory = this.memory;
    const seen = (memory[0] ?? 0) | 0;
    const lengths = this.#lengths;
    const shares = this.#shares;
    for (let nth = 0; nth < lengths.length; nth++) {
      const before = memory[1 + nth] ?? 0;
      const now = seen === 0 ? close : before + (shares[nth] ?? 1) * (close - before);
      memory[1 + nth] = now;
      out[nth] = seen + 1 >= (lengths[nth] ?? 1) ? now : Number.NaN;
    }
    memory[0] = seen + 1;
  }
}

/** Bollinger bands: the moving average of the close, and bands a number of standard deviations above and below it. */
export class BollingerBands implements Study {
  readonly names = ["upper", "middle", "lower"];
  readonly memory: Float64Array;
  readonly #length: number;
  readonly #deviations: number;

  constructor({ length, deviations }: StudySettings["boll"]) {
    this.#length = length;
    this.#deviations = deviations / 100;
    // Bar count, their sum, then a ring buffer of the last closes.
    this.memory = new Float64Array(2 + length);
  }

  step(bars: ArrayLike<number>, from: number, out: Float64Array): void {
    const close = bars[from + BAR_CLOSE] ?? 0;
    const memory = this.memory;
    const length = this.#length;
    const seen = (memory[0] ?? 0) | 0;
    const place = 2 + (seen % length);
    const sum = (memory[1] ?? 0) + close - (memory[place] ?? 0);
    memory[place] = close;
    memory[1] = sum;
    memory[0] = seen + 1;
    if (seen + 1 < length) {
      out.fill(Number.NaN);
      return;
    }
    const mean = sum / length;
    // Squared prices exceed exact floats, so they are summed afresh each time, always from the oldest.
    let squares = 0;
    for (let nth = 1; nth <= length; nth++) {
      const off = (memory[2 + ((seen + nth) % length)] ?? 0) - mean;
      squares += off * off;
    }
    const reach = this.#deviations * Math.sqrt(squares / length);
    out[0] = mean + reach;
    out[1] = mean;
    out[2] = mean - reach;
  }
}

/** Indices in the memory of ParabolicSar. */
const SEEN = 0;
const RISING = 1;
const STOP = 2;
const EXTREME = 3;
const ACCELERATION = 4;
const HIGH = 5;
const LOW = 6;
const HIGH_BEFORE = 7;
const LOW_BEFORE = 8;

/** Wilder's parabolic stop and reverse: below the bars in an uptrend, above them in a downtrend. */
export class ParabolicSar implements Study {
  readonly names = ["SAR"];
  readonly memory = new Float64Array(9);
  readonly #step: number;
  readonly #most: number;

  constructor({ step, most }: StudySettings["sar"]) {
    this.#step = step / 100;
    this.#most = Math.max(step, most) / 100;
  }

  step(bars: ArrayLike<number>, from: number, out: Float64Array): void {
    const high = bars[from + BAR_HIGH] ?? 0;
    const low = bars[from + BAR_LOW] ?? 0;
    const memory = this.memory;
    const seen = memory[SEEN] ?? 0;
    if (seen === 0) out[0] = Number.NaN;
    else if (seen === 1) out[0] = this.#begin(high, low);
    else out[0] = this.#follow(high, low);
    memory[HIGH_BEFORE] = memory[HIGH] ?? 0;
    memory[LOW_BEFORE] = memory[LOW] ?? 0;
    memory[HIGH] = high;
    memory[LOW] = low;
    memory[SEEN] = seen + 1;
  }

  /** The second bar sets the initial trend: the side on which it extends further beyond the first. */
  #begin(high: number, low: number): number {
    const memory = this.memory;
    const firstHigh = memory[HIGH] ?? 0;
    const firstLow = memory[LOW] ?? 0;
    const rising = high - firstHigh >= firstLow - low;
    memory[RISING] = rising ? 1 : 0;
    memory[STOP] = rising ? Math.min(firstLow, low) : Math.max(firstHigh, high);
    memory[EXTREME] = rising ? Math.max(firstHigh, high) : Math.min(firstLow, low);
    memory[ACCELERATION] = this.#step;
    return memory[STOP] ?? 0;
  }

  #follow(high: number, low: number): number {
    const memory = this.memory;
    const rising = memory[RISING] === 1;
    const extreme = memory[EXTREME] ?? 0;
    const acceleration = memory[ACCELERATION] ?? 0;
    const before = memory[STOP] ?? 0;
    const free = before + acceleration * (extreme - before);
    // The stop never enters the range of the two previous bars.
    const stop = rising
      ? Math.min(free, memory[LOW] ?? 0, memory[LOW_BEFORE] ?? 0)
      : Math.max(free, memory[HIGH] ?? 0, memory[HIGH_BEFORE] ?? 0);
    if (rising ? low < stop : high > stop) {
      memory[RISING] = rising ? 0 : 1;
      memory[STOP] = rising ? Math.max(extreme, high) : Math.min(extreme, low);
      memory[EXTREME] = rising ? low : high;
      memory[ACCELERATION] = this.#step;
      return memory[STOP] ?? 0;
    }
    memory[STOP] = stop;
    if (rising ? high > extreme : low < extreme) {
      memory[EXTREME] = rising ? high : low;
      memory[ACCELERATION] = Math.min(this.#most, acceleration + this.#step);
    }
    return stop;
  }
}
