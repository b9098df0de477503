/**
 * Benchmark of the worker's calculations: candles from ticks and studies over bars, against the batch functions of two libraries on the
 * same data, interleaved.
 */
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { batchTicksToCandle } from "candlestick-convert";
import { BollingerBands, EMA, MACD, OBV, PSAR, RSI, SMA, StochasticOscillator } from "trading-signals";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { MINUTE_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import { USUAL_STUDIES } from "#contract/usual-preference.ts";
import { QUOTE_STRIDE } from "#contract/quote.ts";
import { FormingBar } from "#workers/chart/candle.ts";
import { ALL_DAY } from "#workers/chart/period.ts";
import type { StudyKind } from "#workers/protocol.ts";
import { AT, HIGH, LAST, LOW, OPEN, VOLUME } from "#workers/table/quote-table.ts";
import { StudySet } from "#workers/chart/study-set.ts";
import { median } from "./samples.ts";
import type { Figure, Table } from "./table.ts";

const TICKS = 200_000;
const TICK_EVERY_MS = 137;
/** As many bars as a chart holds after three pages, recalculated in every round. */
const BARS = 2_000;
const TIMES = 25;
const ROUNDS = 15;
/** How often the ticks are merged again to measure memory growth. */
const AGAIN = 10;
const ROW = "candles from ticks in the worker";
const START = taipeiMidnight(20_000);

const priceAt = (nth: number): number => Math.round(1_000_000 + 50_000 * Math.sin(nth / 997) + 9_000 * Math.sin(nth * 1.3));

/** CPU time of this process for some work, in milliseconds; load from other processes does not count. */
function cpuMs(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

/** Medians of several pieces of work, run in turn. */
function inTurns(works: readonly (() => void)[]): number[] {
  const samples = works.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [nth, work] of works.entries()) {
      const ms = cpuMs(work);
      // The first rounds warm up.
      if (round > 4) samples[nth]?.push(ms);
    }
  }
  return samples.map(median);
}

/** One quote per trade in wire format, and the same trades for the library. */
function feed(): { quotes: Float64Array; trades: { price: number; quantity: number; time: number }[] } {
  const quotes = new Float64Array(TICKS * QUOTE_STRIDE);
  const trades: { price: number; quantity: number; time: number }[] = [];
  let high = 0;
  let low = Infinity;
  let volume = 0;
  for (let nth = 0; nth < TICKS; nth++) {
    const price = priceAt(nth);
    const lots = 1 + (nth % 9);
    const time = START + nth * TICK_EVERY_MS;
    high = Math.max(high, price);
    low = Math.min(low, price);
    volume += lots;
    const from = nth * QUOTE_STRIDE;
    for (const [field, value] of [
      [AT, time],
      [LAST, price],
      [OPEN, priceAt(0)],
      [HIGH, high],
      [LOW, low],
      [VOLUME, volume],
    ] as const)
      quotes[from + field] = value;
    trades.push({ price, quantity: lots, time });
  }
  return { quotes, trades };
}

function candleFigures(): Figure[] {
  const { quotes, trades } = feed();
  const merge = (period: "minute" | "day"): void => {
    const forming = new FormingBar(period, ALL_DAY, false, null);
    for (let from = 0; from < quotes.length; from += QUOTE_STRIDE) forming.merge(quotes, from);
  };
  const [minute = 1, day = 1, theirs = 1] = inTurns([
    () => merge("minute"),
    () => merge("day"),
    () => batchTicksToCandle(trades, 60, true),
  ]);
  const million = (ms: number): number => TICKS / ms / 1000;
  return [
    { what: "minute bars, merged tick by tick", value: million(minute), unit: "M ticks/s", budget: 5, least: true, row: ROW },
    { what: "daily bars, merged tick by tick", value: million(day), unit: "M ticks/s", budget: 5, least: true, row: ROW },
    { what: "candlestick-convert, minute bars in one batch", value: million(theirs), unit: "M ticks/s" },
    { what: "ours tick by tick / its batch", value: theirs / minute, unit: "x", budget: 1, least: true, row: ROW },
    {
      what: `heap growth after ${AGAIN} times as many ticks`,
      value: heapGrowthKb(() => merge("minute")),
      unit: "kB",
      budget: 64,
      row: ROW,
    },
  ];
}

/** Growth of the live heap while some work is repeated, in kB. */
function heapGrowthKb(work: () => void): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const live = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1000;
  };
  work();
  const before = live();
  for (let time = 0; time < AGAIN; time++) work();
  return Math.max(0, live() - before);
}

interface LibraryBar {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

function studyFigures(): Figure[] {
  const bars = Array.from({ length: BARS }, (_, nth): LibraryBar => {
    const [open, close] = [priceAt(nth * 7), priceAt(nth * 7 + 6)];
    return { open, close, high: Math.max(open, close) + 5_000, low: Math.min(open, close) - 5_000, volume: 100 + (nth % 77) };
  });
  const flat = bars.flatMap(({ open, high, low, close, volume }, nth) => [START + nth * MINUTE_MS, open, high, low, close, volume]);
  const closes = bars.map(({ close }) => close);
  const settings = USUAL_STUDIES;
  const theirs: [kind: StudyKind, batch: () => void][] = [
    ["ma", () => settings.ma.forEach((length) => new SMA(length).updates(closes))],
    ["ema", () => settings.ema.forEach((length) => new EMA(length).updates(closes))],
    ["boll", () => void new BollingerBands(20, 2).updates(closes)],
    ["sar", () => void new PSAR({ accelerationStep: 0.02, accelerationMax: 0.2 }).updates(bars)],
    ["macd", () => void new MACD(new EMA(12), new EMA(26), new EMA(9)).updates(closes)],
    ["kd", () => void new StochasticOscillator({ kPeriod: 9, kSlowingPeriod: 3, dPeriod: 3 }).updates(bars)],
    ["rsi", () => settings.rsi.forEach((length) => new RSI(length).updates(closes))],
    ["obv", () => void new OBV(10).updates(bars)],
  ];
  const again = (work: () => void) => (): void => {
    for (let time = 0; time < TIMES; time++) work();
  };
  // Runs every study once before measuring, so that the compiler has seen all of them.
  const works = theirs.flatMap(([kind, batch]) => [again(() => void new StudySet([kind], settings).over(flat)), again(batch)]);
  const medians = inTurns(works);
  return theirs.map(([kind], nth) => {
    const [ours = 1, library = 1] = medians.slice(2 * nth);
    const speed = ((flat.length / CANDLE_STRIDE) * TIMES) / ours / 1000;
    return { what: `${kind} (${speed.toFixed(1)} M bars/s)`, value: library / ours, unit: "x", budget: 1, least: true };
  });
}

/** Takes a few seconds. */
export async function run(): Promise<Table[]> {
  return [
    { title: `Candles from ${TICKS} ticks`, figures: candleFigures() },
    {
      title: `Studies with their usual parameters over ${BARS} bars, speed relative to trading-signals in a batch`,
      figures: studyFigures(),
    },
  ];
}
