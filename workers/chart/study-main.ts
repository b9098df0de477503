/** Studies drawn over the bars: moving averages, Bollinger bands, the parabolic. Sums that roll are sums of whole numbers: exact. */
import type { StudySettings } from "#contract/preference.ts";
import { BAR_CLOSE, BAR_HIGH, BAR_LOW } from "./study.ts";
import type { Study } from "./study.ts";

/** Means of the last so many values of a figure, one line a length. */
export class Mean implements Study {
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
    // How many bars there were, the sums, then the last values round and round.
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

/** Exponential averages of the close, one line a length; each begins with the first close and shows from its length on. */
export class Exponential implements Study {
  readonly names: readonly string[];
  readonly memory: Float64Array;
  readonly #lengths: readonly number[];
  /** How much the newest close counts. */
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

/** The mean of the last closes, and so many of their deviations above and below it. */
export class Bollinger implements Study {
  readonly names = ["upper", "middle", "lower"];
  readonly memory: Float64Array;
  readonly #length: number;
  readonly #deviations: number;

  constructor({ length, deviations }: StudySettings["boll"]) {
    this.#length = length;
    this.#deviations = deviations / 100;
    // How many bars there were, their sum, then the last closes round and round.
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
    // Squares of prices outgrow exact numbers, so they are summed anew, always from the oldest on.
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

/** Places in the parabolic's memory. */
const SEEN = 0;
const RISING = 1;
const STOP = 2;
const EXTREME = 3;
const PACE = 4;
const HIGH = 5;
const LOW = 6;
const HIGH_BEFORE = 7;
const LOW_BEFORE = 8;

/** Wilder's parabolic stop and reverse: below the bars while they rise, above them while they fall. */
export class Parabolic implements Study {
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

  /** The second bar says which way it goes: the way it reaches further beyond the first. */
  #begin(high: number, low: number): number {
    const memory = this.memory;
    const firstHigh = memory[HIGH] ?? 0;
    const firstLow = memory[LOW] ?? 0;
    const rising = high - firstHigh >= firstLow - low;
    memory[RISING] = rising ? 1 : 0;
    memory[STOP] = rising ? Math.min(firstLow, low) : Math.max(firstHigh, high);
    memory[EXTREME] = rising ? Math.max(firstHigh, high) : Math.min(firstLow, low);
    memory[PACE] = this.#step;
    return memory[STOP] ?? 0;
  }

  #follow(high: number, low: number): number {
    const memory = this.memory;
    const rising = memory[RISING] === 1;
    const extreme = memory[EXTREME] ?? 0;
    const pace = memory[PACE] ?? 0;
    const before = memory[STOP] ?? 0;
    const free = before + pace * (extreme - before);
    // It never enters the two bars before.
    const stop = rising
      ? Math.min(free, memory[LOW] ?? 0, memory[LOW_BEFORE] ?? 0)
      : Math.max(free, memory[HIGH] ?? 0, memory[HIGH_BEFORE] ?? 0);
    if (rising ? low < stop : high > stop) {
      memory[RISING] = rising ? 0 : 1;
      memory[STOP] = rising ? Math.max(extreme, high) : Math.min(extreme, low);
      memory[EXTREME] = rising ? low : high;
      memory[PACE] = this.#step;
      return memory[STOP] ?? 0;
    }
    memory[STOP] = stop;
    if (rising ? high > extreme : low < extreme) {
      memory[EXTREME] = rising ? high : low;
      memory[PACE] = Math.min(this.#most, pace + this.#step);
    }
    return stop;
  }
}
