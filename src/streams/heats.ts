/** The categories' heat: change, breadth and turnover of each, about once a second. */
import { useObservableState } from "observable-hooks";
import type { Observable } from "rxjs";
import { takePart } from "./frames.ts";
import { Newest } from "./newest.ts";
import { watch } from "./watching.ts";
import type { HeatTold } from "./worker.ts";

/** There is one heat. */
const KEY = "";
const heats = new Newest<HeatTold>();

takePart("heat", (told) => heats.tell(KEY, told));

/** The heat of every category, in the order of the categories. */
export const heat$: Observable<HeatTold> = heats.of(KEY, () => watch("heat", KEY));

/** The heat of every category, in a component; null until it has come. */
export function useHeat(): HeatTold | null {
  return useObservableState(heat$, null);
}
