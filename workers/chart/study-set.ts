/** The studies of a chart: created by kind, stepped bar by bar, with the forming bar recomputed on every tick. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { StudySettings } from "#contract/preference.ts";
import { BAR_CLOSE } from "./study.ts";
import type { Study } from "./study.ts";
import { SessionAverage } from "./study-average.ts";
import { BollingerBands, ExponentialAverage, MovingAverage, ParabolicSar } from "./study-main.ts";
import { Obv, Bias, Macd, VolumeAverage, Kd, Rsi } from "./study-sub.ts";
import type { StudyKind, StudyUpdate } from "#workers/protocol.ts";

/** Creates the study of a kind. */
function studyOf(kind: StudyKind, settings: StudySettings): Study {
  switch (kind) {
    case "ma":
      return new MovingAverage(settings.ma, BAR_CLOSE);
    case "ema":
      return new ExponentialAverage(settings.ema);
    case "boll":
      return new BollingerBands(settings.boll);
    case "sar":
      return new ParabolicSar(settings.sar);
    case "vol":
      return new VolumeAverage(settings.vol);
    case "macd":
      return new Macd(settings.macd);
    case "kd":
      return new Kd(settings.kd);
    case "rsi":
      return new Rsi(settings.rsi);
    case "bias":
      return new Bias(settings.bias);
    case "obv":
      return new Obv(settings.obv);
    case "average":
      return new SessionAverage();
  }
}

interface Run {
  kind: StudyKind;
  study: Study;
  /** The memory after the last final bar. */
  committed: Float64Array;
  out: Float64Array;
}

/** The studies of one chart. A set runs once over a chart's bars and continues from there; prepending older bars needs a new set. */
export class StudySet {
  readonly #runs: Run[];

  constructor(kinds: readonly StudyKind[], settings: StudySettings) {
    this.#runs = kinds.map((kind) => {
      const study = studyOf(kind, settings);
      return { kind, study, committed: study.memory.slice(), out: new Float64Array(study.names.length) };
    });
  }

  /** All lines over all bars, the last of which is forming. */
  over(bars: readonly number[]): StudyUpdate[] {
    const count = Math.floor(bars.length / CANDLE_STRIDE);
    return this.#runs.map(({ kind, study, committed, out }) => {
      const values = study.names.map(() => new Float64Array(count));
      for (let place = 0; place < count; place++) {
        if (place === count - 1) committed.set(study.memory);
        study.step(bars, place * CANDLE_STRIDE, out);
        for (let nth = 0; nth < values.length; nth++) (values[nth] ?? out)[place] = out[nth] ?? Number.NaN;
      }
      return { study: kind, lines: study.names.map((name, nth) => ({ name, values: values[nth] ?? out })) };
    });
  }

  /** The values at the forming bar, which starts at `from` and may still change. */
  at(bars: ArrayLike<number>, from: number): number[][] {
    return this.#runs.map(({ study, committed, out }) => {
      study.memory.set(committed);
      study.step(bars, from, out);
      return [...out];
    });
  }

  /** Commits the bar that starts at `from` as final and returns its values. */
  close(bars: ArrayLike<number>, from: number): number[][] {
    const values = this.at(bars, from);
    for (const { study, committed } of this.#runs) committed.set(study.memory);
    return values;
  }
}
