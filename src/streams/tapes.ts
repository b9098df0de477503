/** Time and sales of the instrument on screen: its latest trades one by one. */
import type { Observable } from "rxjs";
import { onFramePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import type { TapeUpdate } from "./worker.ts";

const tapes = new LatestByKey<TapeUpdate>();

onFramePart("tape", (update) => tapes.publish(update.code, update));

/** An instrument's latest trades, oldest first. Only one tape is watched at a time: the one subscribed last. */
export function tape$(code: string): Observable<TapeUpdate> {
  return tapes.of(code, () => watch("tape", code));
}
