/** Sector heat for the page: every category's values with formatted change and turnover. */
import { HEAT_STRIDE, sectorHeatAt } from "#contract/sector-heat.ts";
import { formatPercent } from "#contract/kernel/money.ts";
import { shortNumber } from "#workers/short-number.ts";
import type { Units } from "#workers/short-number.ts";
import { newestValue } from "./channel-part.ts";
import type { ChannelPart } from "./channel-part.ts";

/** Flat HEAT_FIELDS, and per category the formatted change and turnover. */
export interface HeatUpdate {
  flat: number[];
  texts: [change: string, turnover: string][];
}

function heatUpdate(flat: number[], units: Units): HeatUpdate {
  const texts: HeatUpdate["texts"] = [];
  for (let from = 0; from + HEAT_STRIDE <= flat.length; from += HEAT_STRIDE) {
    const { change, turnover } = sectorHeatAt(flat, from);
    texts.push([formatPercent(change), shortNumber(turnover, units)]);
  }
  return { flat, texts };
}

export const watchHeat = (): ChannelPart<"heat", HeatUpdate> =>
  newestValue(
    () => true,
    (flat, _instruments, units) => heatUpdate(flat, units),
  );
