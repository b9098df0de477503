/** What the studies say at a bar, in words: for the legend, the voice and the table alike. */
import type { TFunction } from "i18next";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { Candle } from "#contract/candle.ts";
import { formatPercent, formatPrice } from "#contract/kernel/money.ts";
import { cashText, splitText } from "#src/screens/quote/ex-amounts.ts";
import { placeAt } from "./bar.ts";
import { valueAt, valueText } from "./study.ts";
import type { StudyLine, StudyLines, StudyPlan } from "./study.ts";

/** How a chart writes: in whose language, with how many decimals. */
export interface Words {
  t: TFunction;
  decimals: number;
  /** A number of lots in the member's units. */
  lots: (count: number) => string;
}

/** The name of a line, with its length where it has one: `MA5`. */
export function lineLabel({ name, n }: Pick<StudyLine, "name" | "n">, t: TFunction): string {
  return t(`chart.line.${name}`, { n });
}

/** The name of a study over its lines, with the parameters their names do not say: `MACD (12, 26, 9)`; null where they say all. */
export function planTitle({ study, parameters }: Pick<StudyPlan, "study" | "parameters">, t: TFunction): string | null {
  if (parameters.length === 0 || study === "average") return null;
  return t("chart.studyTitle", { study: t(`chart.study.${study}`), parameters: parameters.join() });
}

/** The values of a study's lines at a place. */
export function planTexts(plan: StudyPlan, studies: readonly StudyLines[], place: number, bar: Candle, words: Words): string[] {
  return plan.lines.map((line) => valueText(valueAt(plan, line, studies, place, bar.volume), plan.unit, words.decimals, words.lots));
}

/** An ex-event in words. */
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

/** Ex-events by the place of the bar they fall into; those before the first bar are left out. */
export function actionsByPlace(bars: readonly Candle[], actions: readonly CorporateAction[]): Map<number, CorporateAction[]> {
  const places = new Map<number, CorporateAction[]>();
  for (const action of actions) {
    const place = placeAt(bars, action.at + 1) - 1;
    if (place >= 0) places.set(place, [...(places.get(place) ?? []), action]);
  }
  return places;
}
