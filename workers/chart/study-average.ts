/** The session's average price so far: turnover divided by volume. */
import { taipeiDay } from "#contract/kernel/time.ts";
import { BAR_AT, BAR_CLOSE, BAR_HIGH, BAR_LOW, BAR_OPEN, BAR_VOLUME } from "./study.ts";
import type { Study } from "./study.ts";

/** Estimated from bars: each contributes its volume at the mean of its four prices. Intraday bars only. */
export class SessionAverage implements Study {
  readonly names = ["average"];
  /** The day, and its turnover and volume so far. */
  readonly memory = new Float64Array(3);

  step(bars: ArrayLike<number>, from: number, out: Float64Array): void {
    const memory = this.memory;
    const day = taipeiDay(bars[from + BAR_AT] ?? 0);
    if (day !== memory[0]) {
      memory[0] = day;
      memory[1] = 0;
      memory[2] = 0;
    }
    const prices =
      (bars[from + BAR_OPEN] ?? 0) + (bars[from + BAR_HIGH] ?? 0) + (bars[from + BAR_LOW] ?? 0) + (bars[from + BAR_CLOSE] ?? 0);
    const volume = bars[from + BAR_VOLUME] ?? 0;
    const turnover = (memory[1] ?? 0) + (prices / 4) * volume;
    const traded = (memory[2] ?? 0) + volume;
    memory[1] = turnover;
    memory[2] = traded;
    out[0] = traded === 0 ? Number.NaN : turnover / traded;
  }
}
