/** The breadth of an index and its largest contributors. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import type { Observable } from "rxjs";
import { onFramePart } from "./frames.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import type { IndexUpdate } from "./worker.ts";

const indices = new LatestByKey<IndexUpdate>();

onFramePart("index", (update) => indices.publish(update.code, update));

/** Breadth and contributors of an index, about once a second. Only one index is watched at a time: the one subscribed last. */
export function contribution$(code: string): Observable<IndexUpdate> {
  return indices.of(code, () => watch("index", code));
}

/** Breadth and contributors of an index, in a component; null until they arrive. */
export function useContribution(code: string): IndexUpdate | null {
  const watched$ = useMemo(() => contribution$(code), [code]);
  const update = useObservableState(watched$, null);
  // After a change of code the hook briefly holds the previous code's value.
  return update?.code === code ? update : null;
}
