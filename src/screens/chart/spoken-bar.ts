/** The full text of a bar, with its studies and ex-events, for the readout, the legend and screen readers; and a table of such bars. */
import { grouped } from "#contract/kernel/money.ts";
import { barText } from "./bar.ts";
import type { BarText } from "./bar.ts";
import type { ChartData } from "./chart-data.ts";
import { priceBefore } from "./chart-spec.ts";
import type { ChartSpec } from "./chart-spec.ts";
import { lineLabel, planTexts } from "./study-values.ts";
import type { Words } from "./study-values.ts";

/** A formatted bar with its full volume, studies and ex-events. */
export interface SpokenBar extends BarText {
  volume: string;
  shortVolume: string;
  /** In the order of the plans and their lines. */
  values: string[];
  note: string;
}

/** The text of the bar at an index; null where there is none. `note` names its ex-events. */
export function spokenBar(known: ChartData, place: number, spec: ChartSpec, note: string, words: Words): SpokenBar | null {
  const { subject, view, plans } = spec;
  const bar = known.bars[place];
  if (!bar) return null;
  return {
    ...barText(bar, known.before(place) ?? priceBefore(spec), view.period, subject.decimals),
    volume: grouped(String(bar.volume)),
    shortVolume: words.lots(bar.volume),
    values: plans.flatMap((plan) => planTexts(plan, known.studies, place, bar, words)),
    note,
  };
}

/** Formatted bars, newest first. */
export interface TableOfBars {
  /** Labels of the study lines. */
  columns: string[];
  rows: { at: number; text: SpokenBar }[];
}

/** The table of some bars, given oldest first. Lines that repeat a bar's own figures (its volume) have no column. */
export function tableOfBars(bars: TableOfBars["rows"], plans: ChartSpec["plans"], words: Words): TableOfBars {
  const lines = plans.flatMap((plan) => plan.lines);
  const hasRow = lines.map(({ row }) => row !== null);
  return {
    columns: lines.filter((_, at) => hasRow[at]).map((line) => lineLabel(line, words.t)),
    rows: bars.map(({ at, text }) => ({ at, text: { ...text, values: text.values.filter((_, value) => hasRow[value]) } })).toReversed(),
  };
}
