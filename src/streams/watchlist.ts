/** The member's watchlist groups: changed only by the server's answers, never optimistically. */
import i18next from "i18next";
import { useMemo } from "react";
import { useObservableState } from "observable-hooks";
import { BehaviorSubject } from "rxjs";
import type { Code } from "#contract/kernel/id.ts";
import type { WatchGroup } from "#contract/watchlist.ts";
import { call } from "#src/gateway/api.ts";
import type { Outcome } from "#src/gateway/api.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";
import { serialQueue, showFailure } from "./serial-queue.ts";

/** The member's groups, in their order. */
export const watchlist: Resource<readonly WatchGroup[]> = resource<readonly WatchGroup[]>({
  load: async () => {
    const outcome = await call("readWatchlist", {}, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.groups } : outcome;
  },
});

const enqueue = serialQueue();

/** Result of changing the groups: the form shows a refusal, and a failure when no answer came. */
export type WatchOutcome = Outcome<{ groups: WatchGroup[] }>;

/** Send a change after the previous ones and apply the groups in its answer. */
function sendChange(send: () => Promise<WatchOutcome>): Promise<WatchOutcome> {
  return enqueue(send, (outcome) => {
    if (outcome.ok) watchlist.change(() => outcome.data.groups);
  });
}

/** Codes being added or removed right now. */
const busy$ = new BehaviorSubject<ReadonlySet<string>>(new Set());

function setBusy(code: string, on: boolean): void {
  const next = new Set(busy$.value);
  if (on) next.add(code);
  else next.delete(code);
  busy$.next(next);
}

/**
 * Add a code to a group (default: the first) or remove it (default: from all groups), and show the result as a toast.
 * Further calls for the same code are ignored meanwhile.
 */
export async function setWatched(code: string, watched: boolean, group: string | null = null): Promise<void> {
  if (busy$.value.has(code)) return;
  setBusy(code, true);
  const outcome = await sendChange(() => (watched ? call("addWatch", { code, group }) : call("removeWatch", { codes: [code], group })));
  setBusy(code, false);
  if (outcome.ok) {
    showToast(i18next.t(watched ? "operation.OP_FAVORITE_ADD_OK" : "operation.OP_FAVORITE_REMOVE_OK"), "success");
    return;
  }
  // Another device has added it, or the answer was lost: what is shown may be old. A member who asks again then sees that it is there.
  if (outcome.refused?.code === "GEN_STOCK_CODE_EXISTS" || outcome.failed !== null) watchlist.refetch();
  showFailure(outcome, i18next.t(watched ? "operation.OP_FAVORITE_ADD_FAIL" : "operation.OP_FAVORITE_REMOVE_FAIL"));
}

/** Remove several instruments from a group, in one change. */
export function removeWatched(group: string, codes: readonly string[]): Promise<WatchOutcome> {
  return sendChange(() => call("removeWatch", { group, codes: [...codes] }));
}

/** Reorder the instruments of a group; those not listed come last. */
export function arrangeWatch(group: string, codes: readonly string[]): Promise<WatchOutcome> {
  return sendChange(() => call("arrangeWatch", { group, codes: [...codes] }));
}

/** Create a group under the caller's own UUID, or rename it. The form shows refusals. */
export function saveGroup(id: string, name: string): Promise<WatchOutcome> {
  return sendChange(() => call("saveGroup", { id, name }, { shownByCaller: true }));
}

/** Delete a group with its entries. */
export function removeGroup(id: string): Promise<WatchOutcome> {
  return sendChange(() => call("removeGroup", { id }));
}

/** Reorder the groups; those not listed come last. */
export function arrangeGroups(ids: readonly string[]): Promise<WatchOutcome> {
  return sendChange(() => call("arrangeGroups", { ids: [...ids] }));
}

export interface ReadWatchlist extends Read<readonly WatchGroup[]> {
  /** Empty until loaded (`value` is null until then). */
  groups: readonly WatchGroup[];
  /** The codes of all groups, each once, in group order. */
  codes: readonly Code[];
  /** Tells whether any group contains a code. */
  has: (code: string) => boolean;
  busy: (code: string) => boolean;
}

const NO_GROUPS: readonly WatchGroup[] = [];

/** Read the watchlist in a component. */
export function useWatchlist(): ReadWatchlist {
  const read = useResource(watchlist);
  const busy = useObservableState(busy$, busy$.value);
  const groups = read.value ?? NO_GROUPS;
  const known = useMemo(() => new Set<string>(groups.flatMap(({ codes }) => codes)), [groups]);
  const codes = useMemo(() => [...known] as Code[], [known]);
  return { ...read, groups, codes, has: (code) => known.has(code), busy: (code) => busy.has(code) };
}
