/** Sector heat: change, breadth and turnover of each category, about once a second. */
import { useObservableState } from "observable-hooks";
import type { Observable } from "rxjs";
import { onFramePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import type { HeatUpdate } from "./worker.ts";

/** Sector heat is a single value, so one key suffices. */
const KEY = "";
const heats = new LatestByKey<HeatUpdate>();

onFramePart("heat", (update) => heats.publish(KEY, update));

/** The heat of every category, in category order. */
export const heat$: Observable<HeatUpdate> = heats.of(KEY, () => watch("heat", KEY));

/** The heat of every category, in a component; null until it arrives. */
export function useHeat(): HeatUpdate | null {
  return useObservableState(heat$, null);
}
