/** How broad an index moves and who moves it. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import type { Observable } from "rxjs";
import { takePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import type { IndexUpdate } from "./worker.ts";

const indices = new LatestByKey<IndexUpdate>();

takePart("index", (told) => indices.tell(told.code, told));

/** The breadth and the leaders of an index, about once a second. One index is watched at a time: the newest watcher's. */
export function contribution$(code: string): Observable<IndexUpdate> {
  return indices.of(code, () => watch("index", code));
}

/** The breadth and the leaders of an index, in a component; null until they have come. */
export function useContribution(code: string): IndexUpdate | null {
  const watched$ = useMemo(() => contribution$(code), [code]);
  const told = useObservableState(watched$, null);
  // After a change of code the hook still holds the one before for a moment.
  return told?.code === code ? told : null;
}
