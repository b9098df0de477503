/**
 * The learned rule: a logistic regression on five features of past days, learned again on the first trading day of each month from the
 * samples of the year before. A sample is complete only when the day after it has closed, so that nothing is learned from the future.
 */
import { taipeiMonth } from "#contract/kernel/time.ts";
import { meanOf } from "./market-days.ts";
import type { DayView } from "./market-days.ts";

/** Samples are of so many days before; days of the longest feature. */
export const LEARNED_DAYS = 250;
const MONTH_DAYS = 20;
const WEEK_DAYS = 5;
const STEPS = 200;
const STEP_SIZE = 0.5;
/** Keeps weights small that the samples say little about. */
const SHRINKING = 0.01;
/** It holds for the next day when a rise is more likely than this. */
const HOLDS_ABOVE = 0.52;
const MILLE = 1_000;

interface Sample {
  features: number[];
  rose: boolean;
}

interface Model {
  means: number[];
  deviations: number[];
  /** The constant first, then one of each feature. */
  weights: number[];
}

/** The share of all instruments that are above their average of a month; null while none has one. */
function breadthOf(view: DayView): number | null {
  const known = view.codes.map((code) => view.closes(code, MONTH_DAYS)).filter((closes) => closes.length > 0);
  return known.length === 0 ? null : known.filter((closes) => (closes.at(-1) ?? 0) > meanOf(closes)).length / known.length;
}

/** The returns of a day, a week and a month, the volume against its average, and the breadth; null with too few days. */
export function featuresOf(view: DayView, code: string): number[] | null {
  const closes = view.closes(code, MONTH_DAYS + 1);
  const volumes = view.volumes(code, MONTH_DAYS);
  const breadth = breadthOf(view);
  const last = closes.at(-1);
  if (last === undefined || breadth === null) return null;
  const since = (days: number): number => Math.log(last / (closes.at(-1 - days) ?? last));
  const volume = Math.log(((volumes.at(-1) ?? 0) + 1) / (meanOf(volumes) + 1));
  return [since(1), since(WEEK_DAYS), since(MONTH_DAYS), volume, breadth];
}

const scaled = (features: readonly number[], { means, deviations }: Pick<Model, "means" | "deviations">): number[] =>
  features.map((value, nth) => (value - (means[nth] ?? 0)) / (deviations[nth] ?? 1));

const chance = (weights: readonly number[], inputs: readonly number[]): number =>
  1 / (1 + Math.exp(-inputs.reduce((sum, value, nth) => sum + value * (weights[nth + 1] ?? 0), weights[0] ?? 0)));

/** One step down the gradient of the mean error of some inputs, rows of `width` values. */
function descend(weights: Float64Array, inputs: Float64Array, rose: Uint8Array, width: number): void {
  const gradient = weights.map((weight, nth) => (nth === 0 ? 0 : SHRINKING * weight));
  for (let row = 0; row < rose.length; row += 1) {
    let sum = weights[0] ?? 0;
    for (let nth = 0; nth < width; nth += 1) sum += (weights[nth + 1] ?? 0) * (inputs[row * width + nth] ?? 0);
    const miss = (1 / (1 + Math.exp(-sum)) - (rose[row] ?? 0)) / rose.length;
    gradient[0] = (gradient[0] ?? 0) + miss;
    for (let nth = 0; nth < width; nth += 1) gradient[nth + 1] = (gradient[nth + 1] ?? 0) + miss * (inputs[row * width + nth] ?? 0);
  }
  for (let nth = 0; nth <= width; nth += 1) weights[nth] = (weights[nth] ?? 0) - STEP_SIZE * (gradient[nth] ?? 0);
}

/** Learns by descent along the gradient: the same samples give the same weights. */
function learn(samples: readonly Sample[]): Model {
  const columns = (samples[0]?.features ?? []).map((_, nth) => samples.map(({ features }) => features[nth] ?? 0));
  const means = columns.map(meanOf);
  const deviations = columns.map((column, nth) => Math.sqrt(meanOf(column.map((value) => (value - (means[nth] ?? 0)) ** 2))) || 1);
  const inputs = Float64Array.from(samples.flatMap(({ features }) => scaled(features, { means, deviations })));
  const rose = Uint8Array.from(samples, (sample) => Number(sample.rose));
  const weights = new Float64Array(columns.length + 1);
  for (let step = 0; step < STEPS; step += 1) descend(weights, inputs, rose, columns.length);
  return { means, deviations, weights: [...weights] };
}

/** What the rule has learned and how often it was right, on days that it had not learned from. */
export interface LearnedReport {
  /** The weight of each feature, in thousandths. */
  weights: number[];
  said: { rises: number; right: number };
}

export class LearnedRule {
  readonly #code: string;
  /** The latest samples of all instruments, a day after the other. */
  readonly #samples: Sample[][] = [];
  /** The features and close of the day before, by instrument: samples that today's close completes. */
  #incomplete = new Map<string, { features: number[]; close: number }>();
  #model: Model | null = null;
  #month = "";
  #holds = false;
  readonly #said = { rises: 0, right: 0 };

  constructor(code: string) {
    this.#code = code;
  }

  get report(): LearnedReport {
    return { weights: (this.#model?.weights.slice(1) ?? []).map((weight) => Math.round(weight * MILLE)), said: { ...this.#said } };
  }

  /** Completes the samples of the day before with today's closes. */
  #complete(view: DayView): void {
    const samples = [...this.#incomplete].flatMap(([code, { features, close }]): Sample[] => {
      const [now] = view.closes(code, 1);
      return now === undefined ? [] : [{ features, rose: now > close }];
    });
    const own = this.#incomplete.get(this.#code);
    const [now] = view.closes(this.#code, 1);
    if (this.#holds && own && now !== undefined) {
      this.#said.rises += 1;
      if (now > own.close) this.#said.right += 1;
    }
    if (samples.length > 0) this.#samples.push(samples);
    if (this.#samples.length > LEARNED_DAYS) this.#samples.shift();
  }

  /** Begins the samples that the next close completes. */
  #begin(view: DayView): void {
    this.#incomplete = new Map(
      view.codes.flatMap((code): [string, { features: number[]; close: number }][] => {
        const features = featuresOf(view, code);
        const [close] = view.closes(code, 1);
        return features && close !== undefined ? [[code, { features, close }]] : [];
      }),
    );
  }

  /** The close of the next day: whether the rule holds its instrument until the one after. */
  decide(view: DayView): boolean {
    this.#complete(view);
    this.#begin(view);
    const month = taipeiMonth(view.at);
    if (month !== this.#month && this.#samples.length >= LEARNED_DAYS) {
      this.#model = learn(this.#samples.flat());
      this.#month = month;
    }
    const features = this.#incomplete.get(this.#code)?.features;
    const model = this.#model;
    this.#holds = model !== null && features !== undefined && chance(model.weights, scaled(features, model)) > HOLDS_ABOVE;
    return this.#holds;
  }
}
