/** The studies of a chart: made by kind, stepped bar by bar, the forming bar tried again and again. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { StudySettings } from "#contract/preference.ts";
import { BAR_CLOSE } from "./study.ts";
import type { Study } from "./study.ts";
import { Average } from "./study-average.ts";
import { Bollinger, Exponential, Mean, Parabolic } from "./study-main.ts";
import { Balance, Bias, Convergence, Lots, Stochastic, Strength } from "./study-sub.ts";
import type { StudyKind, StudyUpdate } from "#workers/protocol.ts";

/** The study of a kind. */
function studyOf(kind: StudyKind, settings: StudySettings): Study {
  switch (kind) {
    case "ma":
      return new Mean(settings.ma, BAR_CLOSE);
    case "ema":
      return new Exponential(settings.ema);
    case "boll":
      return new Bollinger(settings.boll);
    case "sar":
      return new Parabolic(settings.sar);
    case "vol":
      return new Lots(settings.vol);
    case "macd":
      return new Convergence(settings.macd);
    case "kd":
      return new Stochastic(settings.kd);
    case "rsi":
      return new Strength(settings.rsi);
    case "bias":
      return new Bias(settings.bias);
    case "obv":
      return new Balance(settings.obv);
    case "average":
      return new Average();
  }
}

interface Run {
  kind: StudyKind;
  study: Study;
  /** The memory after the last bar that is final. */
  kept: Float64Array;
  out: Float64Array;
}

/** The studies of one chart. A set goes once over a chart's bars and on from there; older bars before them take a new set. */
export class StudySet {
  readonly #runs: Run[];

  constructor(kinds: readonly StudyKind[], settings: StudySettings) {
    this.#runs = kinds.map((kind) => {
      const study = studyOf(kind, settings);
      return { kind, study, kept: study.memory.slice(), out: new Float64Array(study.names.length) };
    });
  }

  /** All lines over all bars, the last of which is forming. */
  over(bars: readonly number[]): StudyUpdate[] {
    const count = Math.floor(bars.length / CANDLE_STRIDE);
    return this.#runs.map(({ kind, study, kept, out }) => {
      const values = study.names.map(() => new Float64Array(count));
      for (let place = 0; place < count; place++) {
        if (place === count - 1) kept.set(study.memory);
        study.step(bars, place * CANDLE_STRIDE, out);
        for (let nth = 0; nth < values.length; nth++) (values[nth] ?? out)[place] = out[nth] ?? Number.NaN;
      }
      return { study: kind, lines: study.names.map((name, nth) => ({ name, values: values[nth] ?? out })) };
    });
  }

  /** The newest values, at the bar that begins at `from` and may yet change. */
  at(bars: ArrayLike<number>, from: number): number[][] {
    return this.#runs.map(({ study, kept, out }) => {
      study.memory.set(kept);
      study.step(bars, from, out);
      return [...out];
    });
  }

  /** The bar that begins at `from` is final: another begins. Its values. */
  close(bars: ArrayLike<number>, from: number): number[][] {
    const values = this.at(bars, from);
    for (const { study, kept } of this.#runs) kept.set(study.memory);
    return values;
  }
}
