/** Formats sector heat and index contribution for the screen. */
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import { formatChange, formatPercent } from "#contract/kernel/money.ts";
import type { Units } from "./cell-text.ts";
import type { HeatUpdate, IndexUpdate } from "#workers/protocol.ts";
import { shortNumber } from "./short-number.ts";

/** Adds the formatted change and turnover of every category. */
export function heatUpdate(flat: number[], units: Units): HeatUpdate {
  const texts: HeatUpdate["texts"] = [];
  for (let from = 0; from + HEAT_STRIDE <= flat.length; from += HEAT_STRIDE) {
    const { change, turnover } = sectorHeatAt(flat, from);
    texts.push([formatPercent(change), shortNumber(turnover, units)]);
  }
  return { flat, texts };
}

/** Adds the formatted points of an index's contributors. */
export function indexUpdate(code: string, index: Contribution): IndexUpdate {
  const points = (parts: Contribution["leaders"]): string[] => parts.map(([, change]) => formatChange(change));
  return { code, index, texts: { leaders: points(index.leaders), laggards: points(index.laggards) } };
}
