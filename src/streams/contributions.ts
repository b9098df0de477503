/** The breadth of an index and its largest contributors. */
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import { channel } from "./channels.ts";
import type { ChannelUpdate } from "./worker.ts";

export type ContributionUpdate = ChannelUpdate<"contribution">;

/** Breadth and contributors of an index, about once a second. Only one index is watched at a time: the one subscribed last. */
export const contribution$ = channel("contribution");

/** Breadth and contributors of an index, in a component; null until they arrive. */
export function useContribution(code: string): ContributionUpdate | null {
  const watched$ = useMemo(() => contribution$(code), [code]);
  const update = useObservableState(watched$, null);
  // After a change of code the hook briefly holds the previous code's value.
  return update?.code === code ? update : null;
}
