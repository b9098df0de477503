/** The codes a member follows: changed only by what the desk answers, never by hope. */
import i18next from "i18next";
import { useObservableState } from "observable-hooks";
import { BehaviorSubject } from "rxjs";
import type { Code } from "#contract/kernel/id.ts";
import { call } from "#src/gateway/api.ts";
import { notify } from "#src/gateway/notice.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

/** The member's codes, in their order. */
export const watchlist: Resource<readonly Code[]> = resource<readonly Code[]>({
  load: async () => {
    const outcome = await call("readWatchlist", {}, { shownByCaller: true });
    return outcome.ok ? { ...outcome, data: outcome.data.codes } : outcome;
  },
});

/** Codes being added or removed right now. */
const busy$ = new BehaviorSubject<ReadonlySet<string>>(new Set());

function setBusy(code: string, on: boolean): void {
  const next = new Set(busy$.value);
  if (on) next.add(code);
  else next.delete(code);
  busy$.next(next);
}

/** Follow a code, or stop following it; says how it went. A second tap meanwhile has nowhere to go. */
export async function setWatched(code: Code, watched: boolean): Promise<void> {
  if (busy$.value.has(code)) return;
  setBusy(code, true);
  const outcome = await call(watched ? "addWatch" : "removeWatch", { code });
  setBusy(code, false);
  if (outcome.ok) {
    watchlist.change(() => outcome.data.codes);
    notify(i18next.t(watched ? "operation.OP_FAVORITE_ADD_OK" : "operation.OP_FAVORITE_REMOVE_OK"), "success");
  } else if (outcome.failed !== null && outcome.failed !== "expired") {
    notify(i18next.t(watched ? "operation.OP_FAVORITE_ADD_FAIL" : "operation.OP_FAVORITE_REMOVE_FAIL"), "danger");
  }
}

export interface ReadWatchlist extends Read<readonly Code[]> {
  has: (code: string) => boolean;
  busy: (code: string) => boolean;
}

/** Read the watchlist in a component. */
export function useWatchlist(): ReadWatchlist {
  const read = useResource(watchlist);
  const busy = useObservableState(busy$, busy$.value);
  return {
    ...read,
    has: (code) => read.value?.some((one) => one === code) ?? false,
    busy: (code) => busy.has(code),
  };
}
