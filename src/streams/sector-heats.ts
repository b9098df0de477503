/** Sector heat: change, breadth and turnover of each category, about once a second. */
import { useObservableState } from "observable-hooks";
import { channel } from "./channels.ts";
import type { ChannelUpdate } from "./worker.ts";

export type HeatUpdate = ChannelUpdate<"heat">;

/** The heat of every category, in category order. A single value, so its key is empty. */
export const heat$ = channel("heat")("");

/** The heat of every category, in a component; null until it arrives. */
export function useHeat(): HeatUpdate | null {
  return useObservableState(heat$, null);
}
