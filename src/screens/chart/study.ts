/** Describes each study on a chart: its lines, how they are drawn, labelled and formatted. */
import { formatChange, formatPercent, formatPrice, MINUS, PRICE_ONE } from "#contract/kernel/money.ts";
import type { Kind } from "#contract/instrument.ts";
import type { Preferences, StudySettings } from "#contract/preference.ts";
import type { StudyKind, StudyUpdate } from "#src/streams/worker.ts";
import type { View } from "./view.ts";

/** The unit of a study's values: prices, price differences, percent, an index from 0 to 100, or lots. */
export type StudyUnit = "price" | "change" | "percent" | "index" | "lots";

/** Names a line in the legend: `chart.line.<name>`. */
export type LineName =
  | "ma"
  | "ema"
  | "upper"
  | "middle"
  | "lower"
  | "sar"
  | "average"
  | "volume"
  | "volumeAverage"
  | "dif"
  | "signal"
  | "oscillator"
  | "k"
  | "d"
  | "rsi"
  | "bias"
  | "obv"
  | "obvAverage";

/** One line of a study. */
export interface StudyLine {
  name: LineName;
  /** Its length in bars, if its label shows it; null otherwise. */
  n: number | null;
  look: "line" | "dots" | "columns";
  /** Its row in the worker's values of the study; null for values taken from the bars themselves. */
  row: number | null;
  /** Which of the study colours, from 0. */
  color: number;
}

/** A study with its parameters, drawn in one pane or over the prices. */
export interface StudyPlan {
  study: StudyKind;
  /** Whether it is drawn over the prices; the others have their own panes. */
  main: boolean;
  unit: StudyUnit;
  /** Parameters the line labels do not show, as a member would write them. */
  parameters: string[];
  lines: StudyLine[];
  /** Horizontal guide levels of the pane. */
  guides: number[];
}

/** A study's values, one per bar; NaN for none. */
export interface StudyLines {
  study: StudyKind;
  lines: number[][];
}

type Drawn = Pick<StudyPlan, "unit" | "lines"> & Partial<Pick<StudyPlan, "parameters" | "guides">>;

const line = (name: LineName, row: number | null, color: number, n: number | null = null, look: StudyLine["look"] = "line"): StudyLine => ({
  name,
  n,
  look,
  row,
  color,
});
const byLength = (name: LineName, lengths: readonly number[]): StudyLine[] => lengths.map((n, at) => line(name, at, at, n));
/** Formats hundredths: 200 is "2", 2 is "0.02". */
const hundredths = (value: number): string => String(value / 100);

const DRAWN: { [Study in StudyKind]: (settings: StudySettings) => Drawn } = {
  average: () => ({ unit: "price", lines: [line("average", 0, 1)] }),
  ma: ({ ma }) => ({ unit: "price", lines: byLength("ma", ma) }),
  ema: ({ ema }) => ({ unit: "price", lines: byLength("ema", ema) }),
  boll: ({ boll }) => ({
    unit: "price",
    parameters: [String(boll.length), hundredths(boll.deviations)],
    lines: [line("upper", 0, 2), line("middle", 1, 0), line("lower", 2, 3)],
  }),
  sar: ({ sar }) => ({
    unit: "price",
    parameters: [hundredths(sar.step), hundredths(sar.most)],
    lines: [line("sar", 0, 0, null, "dots")],
  }),
  vol: ({ vol }) => ({
    unit: "lots",
    lines: [line("volume", null, 4, null, "columns"), ...byLength("volumeAverage", vol)],
  }),
  macd: ({ macd }) => ({
    unit: "change",
    parameters: [macd.fast, macd.slow, macd.signal, ...(macd.price === "demand" ? ["DI"] : [])].map(String),
    lines: [line("dif", 0, 0), line("signal", 1, 1), line("oscillator", 2, 4, null, "columns")],
    guides: [0],
  }),
  kd: ({ kd }) => ({
    unit: "index",
    parameters: [kd.length, kd.k, kd.d].map(String),
    lines: [line("k", 0, 0), line("d", 1, 1)],
    guides: [20, 80],
  }),
  rsi: ({ rsi }) => ({ unit: "index", lines: byLength("rsi", rsi), guides: [30, 70] }),
  bias: ({ bias }) => ({ unit: "percent", lines: byLength("bias", bias), guides: [0] }),
  obv: ({ obv }) => ({ unit: "lots", lines: [line("obv", 0, 0), line("obvAverage", 1, 1, obv.average)] }),
};

const OVER_PRICES: ReadonlySet<StudyKind> = new Set(["average", "ma", "ema", "boll", "sar"]);

/** The settings with the language's custom where nothing was chosen: Chinese terminals draw MACD by the demand index. */
export function customary(settings: StudySettings, language: string): StudySettings {
  const price = settings.macd.price ?? (language.startsWith("zh") ? "demand" : "close");
  return { ...settings, macd: { ...settings.macd, price } };
}

/** What to draw for a study with a member's parameters. */
export function planOf(study: StudyKind, settings: StudySettings): StudyPlan {
  return { study, main: OVER_PRICES.has(study), parameters: [], guides: [], ...DRAWN[study](settings) };
}

/**
 * The studies of a view. The intraday line has the average price over it (except an index, which is not traded), candles have what the
 * member chose; the panes are the same for both.
 */
export function studiesOf({ shape }: Pick<View, "shape">, kind: Kind, { main, sub }: Pick<Preferences, "main" | "sub">): StudyKind[] {
  if (shape === "line") return kind === "index" ? sub : ["average", ...sub];
  return main ? [main, ...sub] : sub;
}

/** Aligns the worker's studies with `count` bars: keeps the newest values, or pads the start with NaN. */
export function beside(updates: readonly StudyUpdate[], count: number): StudyLines[] {
  return updates.map(({ study, lines }) => ({
    study,
    lines: lines.map(({ values }) => {
      const newest = Array.from(values.subarray(Math.max(0, values.length - count)));
      return newest.length === count ? newest : [...Array.from({ length: count - newest.length }, () => NaN), ...newest];
    }),
  }));
}

/** Sets the values at the newest bar, appending or replacing. Mutates the rows, because this runs ten times a second. */
export function formStudies(studies: readonly StudyLines[], values: readonly number[][], count: number): void {
  studies.forEach(({ lines }, study) =>
    lines.forEach((row, at) => {
      row[count - 1] = values[study]?.[at] ?? row[count - 1] ?? NaN;
    }),
  );
}

/** The value of a line at a bar index; NaN for none. */
export function valueAt(plan: StudyPlan, line: StudyLine, studies: readonly StudyLines[], place: number, volume: number): number {
  if (line.row === null) return volume;
  return studies.find(({ study }) => study === plan.study)?.lines[line.row]?.[place] ?? NaN;
}

/** Formats a value; `lots` formats a number of lots in the member's units. `--` for none. */
export function valueText(value: number, unit: StudyUnit, decimals: number, lots: (count: number) => string): string {
  if (!Number.isFinite(value)) return "--";
  switch (unit) {
    case "price":
      return formatPrice(Math.round(value), decimals);
    case "change":
      return formatChange(Math.round(value), decimals).replace("+", "");
    case "percent":
      return formatPercent(Math.round(value * 100));
    case "index":
      return formatPrice(Math.round(value * PRICE_ONE), 2).replace("--", "0.00");
    case "lots":
      return value < 0 ? MINUS + lots(-value) : lots(value);
  }
}

/** The minimum heights of a legible pane and of the prices, in CSS pixels. */
const MIN_PANE_PX = 56;
const MIN_PRICES_PX = 132;
const PANE_PART = 0.18;
const MAX_PANE_PX = 110;
/** A tall chart's panes shrink to their minimum before its prices get lower than this, time axis included. */
const TALL_PRICES_PX = 428;

/** How many of the wanted panes fit below the prices in a height, and how high each one is (CSS pixels). */
export function panesFor(height: number, wanted: number): { count: number; each: number } {
  const room = Math.max(0, Math.floor((height - MIN_PRICES_PX) / MIN_PANE_PX));
  const count = Math.min(wanted, room);
  if (count === 0) return { count, each: 0 };
  const ideal = Math.min(MAX_PANE_PX, Math.max(MIN_PANE_PX, height * PANE_PART));
  const tall = height >= TALL_PRICES_PX ? Math.max(MIN_PANE_PX, (height - TALL_PRICES_PX) / count) : ideal;
  return { count, each: Math.round(Math.min(ideal, tall, (height - MIN_PRICES_PX) / count)) };
}
