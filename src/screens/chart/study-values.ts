/** Formats study values and ex-events at a bar, for the legend, screen readers and the table. */
import type { TFunction } from "i18next";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { Candle } from "#contract/candle.ts";
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import { cashText, splitText } from "#src/screens/quote/ex-amounts.ts";
import { placeAt } from "./bar.ts";
import { valueAt, valueText } from "./study.ts";
import type { StudyLine, StudyLines, StudyPlan } from "./study.ts";

/** Formatting context of a chart: translations and decimals. */
export interface Words {
  t: TFunction;
  decimals: number;
  /** Formats a number of lots in the member's units. */
  lots: (count: number) => string;
}

/** The label of a line, with its length if it has one: `MA5`. */
export function lineLabel({ name, n }: Pick<StudyLine, "name" | "n">, t: TFunction): string {
  return t(`chart.line.${name}`, { n });
}

/** The title of a study with the parameters its line labels do not show: `MACD (12, 26, 9)`; null if they show all. */
export function planTitle({ study, parameters }: Pick<StudyPlan, "study" | "parameters">, t: TFunction): string | null {
  if (parameters.length === 0 || study === "average") return null;
  return t("chart.studyTitle", { study: t(`chart.study.${study}`), parameters: parameters.join() });
}

/** The formatted values of a study's lines at a bar. */
export function planTexts(plan: StudyPlan, studies: readonly StudyLines[], place: number, bar: Candle, words: Words): string[] {
  return plan.lines.map((line) => valueText(valueAt(plan, line, studies, place, bar.volume), plan.unit, words.decimals, words.lots));
}

/** The text of an ex-event. */
export function actionText(action: CorporateAction, { t, decimals }: Pick<Words, "t" | "decimals">): string {
  switch (action.kind) {
    case "dividend":
      return t("chart.action.dividend", { cash: cashText(action.cash) });
    case "stockDividend":
      return t("chart.action.stockDividend", { part: formatPercent(Math.round(action.freeMillionths / 100), "never") });
    case "rights":
      return t("chart.action.rights", { price: formatPrice(action.rightsPrice, decimals) });
    case "split":
      return t("chart.action.split", { n: splitText(action.freeMillionths) });
  }
}

/** Ex-events by the index of the bar they fall into; those before the first bar are left out. */
export function actionsByPlace(bars: readonly Candle[], actions: readonly CorporateAction[]): Map<number, CorporateAction[]> {
  const places = new Map<number, CorporateAction[]>();
  for (const action of actions) {
    const place = placeAt(bars, action.at + 1) - 1;
    if (place >= 0) places.set(place, [...(places.get(place) ?? []), action]);
  }
  return places;
}
