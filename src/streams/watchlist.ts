/** The groups of instruments a member follows: changed only by what the desk answers, never by hope. */
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
import { serialQueue } from "./serial-queue.ts";

/** The member's groups, in their order. */
export const watchlist: Resource<readonly WatchGroup[]> = resource<readonly WatchGroup[]>({
  load: async () => {
    const outcome = await call("readWatchlist", {}, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.groups } : outcome;
  },
});

const inTurn = serialQueue();

/** What every change of the groups resolves to: a form shows its refusal, and says so when no answer came. */
export type WatchOutcome = Outcome<{ groups: WatchGroup[] }>;

/** Send a change after those before it, and take over the groups it answers with. */
function changing(send: () => Promise<WatchOutcome>): Promise<WatchOutcome> {
  return inTurn(send, (outcome) => {
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
 * Follow a code in a group (without one: the first), or stop following it (without one: in all); says how it went.
 * A second tap meanwhile has nowhere to go.
 */
export async function setWatched(code: string, watched: boolean, group: string | null = null): Promise<void> {
  if (busy$.value.has(code)) return;
  setBusy(code, true);
  const outcome = await changing(() => (watched ? call("addWatch", { code, group }) : call("removeWatch", { codes: [code], group })));
  setBusy(code, false);
  if (outcome.ok) {
    showToast(i18next.t(watched ? "operation.OP_FAVORITE_ADD_OK" : "operation.OP_FAVORITE_REMOVE_OK"), "success");
  } else if (outcome.failed !== null && outcome.failed !== "expired" && outcome.failed !== "cancelled") {
    showToast(i18next.t(watched ? "operation.OP_FAVORITE_ADD_FAIL" : "operation.OP_FAVORITE_REMOVE_FAIL"), "danger");
  }
}

/** Stop following several instruments of a group, in one change. */
export function removeWatched(group: string, codes: readonly string[]): Promise<WatchOutcome> {
  return changing(() => call("removeWatch", { group, codes: [...codes] }));
}

/** Put the instruments of a group in order; those not named come last. */
export function arrangeWatch(group: string, codes: readonly string[]): Promise<WatchOutcome> {
  return changing(() => call("arrangeWatch", { group, codes: [...codes] }));
}

/** Make a group under the caller's own UUID, or give it another name. Its refusals are the form's to show. */
export function saveGroup(id: string, name: string): Promise<WatchOutcome> {
  return changing(() => call("saveGroup", { id, name }, { shownByCaller: true }));
}

/** Remove a group with what it follows. */
export function removeGroup(id: string): Promise<WatchOutcome> {
  return changing(() => call("removeGroup", { id }));
}

/** Put the groups in order; those not named come last. */
export function arrangeGroups(ids: readonly string[]): Promise<WatchOutcome> {
  return changing(() => call("arrangeGroups", { ids: [...ids] }));
}

export interface ReadWatchlist extends Read<readonly WatchGroup[]> {
  /** Empty until they have come (`value` is null until then). */
  groups: readonly WatchGroup[];
  /** The codes of all groups, each once, in the order of the groups. */
  codes: readonly Code[];
  /** Whether any group follows a code. */
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
