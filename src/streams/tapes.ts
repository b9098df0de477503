/** Time and sales of the instrument on screen: its newest trades one by one. */
import type { Observable } from "rxjs";
import { takePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import type { TapeUpdate } from "./worker.ts";

const tapes = new LatestByKey<TapeUpdate>();

takePart("tape", (told) => tapes.tell(told.code, told));

/** The newest trades of an instrument as they come, oldest first. One tape is watched at a time: the newest watcher's. */
export function tape$(code: string): Observable<TapeUpdate> {
  return tapes.of(code, () => watch("tape", code));
}
