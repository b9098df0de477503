/** Slow reference implementations of every study: each value is computed from all bars up to it, without incremental state. */
import type { Candle } from "#contract/candle.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { StudySettings } from "#contract/preference.ts";
import type { StudyKind } from "#workers/protocol.ts";

type Bars = readonly Candle[];

const closes = (bars: Bars): number[] => bars.map(({ close }) => close);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Computes a value at each position from all items up to it. */
function along<Item>(items: readonly Item[], of: (upTo: readonly Item[]) => number): number[] {
  return items.map((_, place) => of(items.slice(0, place + 1)));
}

const mean = (values: readonly number[], length: number): number[] =>
  along(values, (upTo) => (upTo.length < length ? Number.NaN : sum(upTo.slice(-length)) / length));

/** The exponential average starting at the first value. */
const smoothed = (values: readonly number[], length: number): number =>
  values.reduce((before, value, place) => (place === 0 ? value : before + (2 / (length + 1)) * (value - before)), 0);

function bands(bars: Bars, { length, deviations }: StudySettings["boll"]): number[][] {
  const band = (side: number): number[] =>
    along(closes(bars), (upTo) => {
      if (upTo.length < length) return Number.NaN;
      const window = upTo.slice(-length);
      const middle = sum(window) / length;
      const spread = Math.sqrt(sum(window.map((value) => (value - middle) * (value - middle))) / length);
      return side === 0 ? middle : side > 0 ? middle + (deviations / 100) * spread : middle - (deviations / 100) * spread;
    });
  return [band(1), band(0), band(-1)];
}

/** Wilder's parabolic SAR from the first bar; returns the last value. */
function parabolic(bars: Bars, { step, most }: StudySettings["sar"]): number {
  const [first, second] = bars;
  if (!first || !second) return Number.NaN;
  let rising = second.high - first.high >= first.low - second.low;
  let stop = rising ? Math.min(first.low, second.low) : Math.max(first.high, second.high);
  let extreme = rising ? Math.max(first.high, second.high) : Math.min(first.low, second.low);
  let pace = step / 100;
  for (const [place, { high, low }] of bars.entries()) {
    if (place < 2) continue;
    const before = bars.slice(place - 2, place);
    stop += pace * (extreme - stop);
    stop = rising ? Math.min(stop, ...before.map((bar) => bar.low)) : Math.max(stop, ...before.map((bar) => bar.high));
    const turned = rising ? low < stop : high > stop;
    if (turned) {
      stop = rising ? Math.max(extreme, high) : Math.min(extreme, low);
      extreme = rising ? low : high;
      pace = step / 100;
      rising = !rising;
    } else if (rising ? high > extreme : low < extreme) {
      extreme = rising ? high : low;
      pace = Math.min(Math.max(step, most) / 100, pace + step / 100);
    }
  }
  return stop;
}

function convergence(bars: Bars, { fast, slow, signal, price }: StudySettings["macd"]): number[][] {
  const demand = bars.map(({ high, low, close }) => (high + low + close + close) / 4);
  const difference = along(price === "demand" ? demand : closes(bars), (upTo) => smoothed(upTo, fast) - smoothed(upTo, slow));
  const from = Math.max(fast, slow) - 1;
  const ofSignal = along(difference, (upTo) => (upTo.length - from < signal ? Number.NaN : smoothed(upTo.slice(from), signal)));
  return [
    difference.map((value, place) => (place < from ? Number.NaN : value)),
    ofSignal,
    difference.map((value, place) => value - (ofSignal[place] ?? 0)),
  ];
}

function stochastic(bars: Bars, { length, k, d }: StudySettings["kd"]): number[][] {
  const raws = (upTo: Bars): number[] =>
    upTo.flatMap((bar, place) => {
      if (place + 1 < length) return [];
      const window = upTo.slice(place + 1 - length, place + 1);
      const highest = Math.max(...window.map(({ high }) => high));
      const lowest = Math.min(...window.map(({ low }) => low));
      return [highest === lowest ? 50 : ((bar.close - lowest) / (highest - lowest)) * 100];
    });
  const third = (values: readonly number[], by: number): number[] =>
    along(values, (upTo) => upTo.reduce((before, value) => ((by - 1) * before + value) / by, 50));
  const padded = (values: readonly number[]): number[] => [
    ...Array.from({ length: bars.length - values.length }, () => Number.NaN),
    ...values,
  ];
  const fast = third(raws(bars), k);
  return [padded(fast), padded(third(fast, d))];
}

const strength = (bars: Bars, length: number): number[] =>
  along(closes(bars), (upTo) => {
    if (upTo.length <= length) return Number.NaN;
    const moves = upTo.slice(1).map((value, place) => value - (upTo[place] ?? 0));
    const wilder = (values: readonly number[]): number =>
      values.slice(length).reduce((before, value) => (before * (length - 1) + value) / length, sum(values.slice(0, length)) / length);
    const rises = wilder(moves.map((move) => Math.max(0, move)));
    const falls = wilder(moves.map((move) => Math.max(0, -move)));
    return rises + falls === 0 ? 50 : (100 * rises) / (rises + falls);
  });

function balance(bars: Bars, { average }: StudySettings["obv"]): number[][] {
  const values = along(bars, (upTo) =>
    sum(upTo.slice(1).map(({ close, volume }, place) => Math.sign(close - (upTo[place]?.close ?? 0)) * volume)),
  ).map((value) => value + 0);
  return [values, mean(values, average)];
}

const average = (bars: Bars): number[] =>
  along(bars, (upTo) => {
    const day = taipeiDay(upTo.at(-1)?.at ?? 0);
    const today = upTo.filter(({ at }) => taipeiDay(at) === day);
    const volume = sum(today.map((bar) => bar.volume));
    return volume === 0 ? Number.NaN : sum(today.map((bar) => ((bar.open + bar.high + bar.low + bar.close) / 4) * bar.volume)) / volume;
  });

export const REFERENCE_STUDIES: Record<StudyKind, (bars: Bars, settings: StudySettings) => number[][]> = {
  ma: (bars, { ma }) => ma.map((length) => mean(closes(bars), length)),
  ema: (bars, { ema }) => ema.map((length) => along(closes(bars), (upTo) => (upTo.length < length ? Number.NaN : smoothed(upTo, length)))),
  boll: (bars, { boll }) => bands(bars, boll),
  sar: (bars, { sar }) => [along(bars, (upTo) => parabolic(upTo, sar))],
  vol: (bars, { vol }) =>
    vol.map((length) =>
      mean(
        bars.map(({ volume }) => volume),
        length,
      ),
    ),
  macd: (bars, { macd }) => convergence(bars, macd),
  kd: (bars, { kd }) => stochastic(bars, kd),
  rsi: (bars, { rsi }) => rsi.map((length) => strength(bars, length)),
  bias: (bars, { bias }) =>
    bias.map((length) => {
      const means = mean(closes(bars), length);
      return closes(bars).map((close, place) => ((close - (means[place] ?? 0)) / (means[place] ?? 0)) * 100);
    }),
  obv: (bars, { obv }) => balance(bars, obv),
  average: (bars) => [average(bars)],
};
