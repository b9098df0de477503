/** The categories' heat: change, breadth and turnover of each, about once a second. */
import { useObservableState } from "observable-hooks";
import type { Observable } from "rxjs";
import { takePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import type { HeatUpdate } from "./worker.ts";

/** There is one heat. */
const KEY = "";
const heats = new LatestByKey<HeatUpdate>();

takePart("heat", (told) => heats.tell(KEY, told));

/** The heat of every category, in the order of the categories. */
export const heat$: Observable<HeatUpdate> = heats.of(KEY, () => watch("heat", KEY));

/** The heat of every category, in a component; null until it has come. */
export function useHeat(): HeatUpdate | null {
  return useObservableState(heat$, null);
}
