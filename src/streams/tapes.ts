/** Time and sales of the instrument on screen: its newest trades one by one. */
import type { Observable } from "rxjs";
import { takePart } from "./frames.ts";
import { Newest } from "./newest.ts";
import { watch } from "./watching.ts";
import type { TapeTold } from "./worker.ts";

const tapes = new Newest<TapeTold>();

takePart("tape", (told) => tapes.tell(told.code, told));

/** The newest trades of an instrument as they come, oldest first. One tape is watched at a time: the newest watcher's. */
export function tape$(code: string): Observable<TapeTold> {
  return tapes.of(code, () => watch("tape", code));
}
