/** Server data by key: a snapshot followed by deltas, cached across remounts, retried after a failure. */
import { useSyncExternalStore } from "react";
import { BehaviorSubject, Observable } from "rxjs";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Failure, Outcome } from "#src/gateway/api.ts";
import { onOnline } from "#src/gateway/shell.ts";

/** A loading, loaded or failed value. `value` keeps the previous value while it is reloaded. */
export interface Loaded<Value> {
  value: Value | null;
  /** `loading` and `failed` with a value mean: the previous value is shown. */
  state: "loading" | "ready" | "failed";
  /** Why it failed: the gateway's failure, or the refusal's code. */
  failure: Failure | RefusalCode | null;
}

/** A step from one value to the next. Must be idempotent: it may be applied again on top of a newer snapshot. */
export type Delta<Value> = (value: Value) => Value;

export interface ResourceSource<Value> {
  load: () => Promise<Outcome<Value>>;
  /** Changes to the value; subscribed to as long as the resource is watched. */
  deltas$?: Observable<Delta<Value>>;
}

export interface Resource<Value> {
  /** The current state, then every change. The first subscriber triggers the load. */
  readonly state$: Observable<Loaded<Value>>;
  now: () => Loaded<Value>;
  /** Listen to every change; a stable function, as `useSyncExternalStore` requires. @returns a function that stops it */
  watch: (changed: () => void) => () => void;
  watched: () => boolean;
  /** Load again now. */
  refetch: () => void;
  /** Apply a delta from a command's answer. */
  change: (delta: Delta<Value>) => void;
  /** Drop the value; reloads at once if it is watched and `reload` is true. */
  forget: (reload: boolean) => void;
  /** Unregister a resource nobody will request again: it is no longer part of `forgetAll` and `refetchWatched`. */
  drop: () => void;
}

const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 30_000;

const nothing = { value: null, state: "loading", failure: null } as const;
const all = new Set<Resource<unknown>>();

let memberChanges = 0;

/** @returns a check whether the same member is still signed in: an answer for a previous member must be ignored */
export function sameMemberCheck(): () => boolean {
  const before = memberChanges;
  return () => before === memberChanges;
}

/** Clear every resource when the member changes or signs out: the next one must not see the previous one's data. */
export function forgetAll(reload: boolean): void {
  memberChanges += 1;
  for (const one of all) one.forget(reload);
}

/** Reload every watched resource, to catch changes from a time when no facts could arrive. */
export function refetchWatched(): void {
  for (const one of all) if (one.watched()) one.refetch();
}

/** The values of a subject; `start` runs before the first subscriber gets one, and what it returns after the last one has left. */
function whileObserved<Value>(subject: BehaviorSubject<Value>, start: () => () => void): Observable<Value> {
  let stop: (() => void) | undefined;
  return new Observable<Value>((subscriber) => {
    if (!subject.observed) stop = start();
    const watching = subject.subscribe(subscriber);
    return () => {
      watching.unsubscribe();
      if (!subject.observed) stop?.();
    };
  });
}

/** Creates one resource. */
export function resource<Value>(source: ResourceSource<Value>): Resource<Value> {
  const subject = new BehaviorSubject<Loaded<Value>>(nothing);
  /** The load whose answer counts; after `forget` none does. */
  let inFlight: object | null = null;
  /** Requested again during a load, whose snapshot may be older than the reason for the request. */
  let loadAgain = false;
  let retryMs = FIRST_RETRY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Deltas applied during a load: the snapshot may or may not include them. */
  let pendingDeltas: Delta<Value>[] = [];
  const watched = (): boolean => subject.observed;
  const change = (delta: Delta<Value>): void => {
    if (inFlight) pendingDeltas.push(delta);
    const { value } = subject.value;
    if (value === null) return;
    const next = delta(value);
    if (next !== value) subject.next({ ...subject.value, value: next });
  };
  const settle = (outcome: Outcome<Value>): void => {
    const deltas = pendingDeltas;
    pendingDeltas = [];
    if (outcome.ok) {
      retryMs = FIRST_RETRY_MS;
      return subject.next({ value: deltas.reduce((value, delta) => delta(value), outcome.data), state: "ready", failure: null });
    }
    subject.next({ value: subject.value.value, state: "failed", failure: outcome.failed ?? outcome.refused.code });
    // A refusal is final; a lost connection is retried.
    if (outcome.failed === null || outcome.failed === "expired" || !watched()) return;
    retryTimer = setTimeout(load, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  };
  const load = (): void => {
    clearTimeout(retryTimer);
    loadAgain = inFlight !== null;
    if (inFlight) return;
    const started = (inFlight = {});
    if (subject.value.state !== "loading") subject.next({ ...subject.value, state: "loading", failure: null });
    void source.load().then((outcome) => {
      if (inFlight !== started) return;
      inFlight = null;
      settle(outcome);
      if (loadAgain && watched()) load();
    });
  };
  const state$ = whileObserved(subject, () => {
    const following = source.deltas$?.subscribe(change);
    const stopOnline = onOnline(() => subject.value.state === "failed" && load());
    load();
    return () => {
      following?.unsubscribe();
      stopOnline();
      clearTimeout(retryTimer);
    };
  });
  const forget = (reload: boolean): void => {
    inFlight = null;
    pendingDeltas = [];
    clearTimeout(retryTimer);
    subject.next(nothing);
    if (reload && watched()) load();
  };
  const watch = (changed: () => void): (() => void) => {
    const watching = state$.subscribe(changed);
    return () => watching.unsubscribe();
  };
  const drop = (): void => void all.delete(made as Resource<unknown>);
  const made: Resource<Value> = { state$, now: () => subject.value, watch, watched, refetch: load, change, forget, drop };
  all.add(made as Resource<unknown>);
  return made;
}

/** Resources cached by key at most: browsing the whole market all day must not fill the memory. */
const MAX_CACHED = 60;

/** Creates values by key on first request. Above the limit the least recently requested unwatched ones are dropped. */
export function keptByKey<Key extends string, One extends Pick<Resource<unknown>, "watched" | "drop">>(
  make: (key: Key) => One,
): (key: Key) => One {
  const made = new Map<Key, One>();
  return (key) => {
    const one = made.get(key) ?? make(key);
    made.delete(key);
    made.set(key, one);
    for (const [other, old] of made) {
      if (made.size <= MAX_CACHED) break;
      if (other === key || old.watched()) continue;
      old.drop();
      made.delete(other);
    }
    return one;
  };
}

/** Creates resources by key on first request. */
export function resourceByKey<Key extends string, Value>(make: (key: Key) => ResourceSource<Value>): (key: Key) => Resource<Value> {
  return keptByKey((key) => resource(make(key)));
}

export interface Read<Value> extends Loaded<Value> {
  retry: () => void;
}

/** Read a resource in a component: its value, its loading state, and how to load it again. */
export function useResource<Value>(one: Resource<Value>): Read<Value> {
  const loaded = useSyncExternalStore(one.watch, one.now);
  return { ...loaded, retry: one.refetch };
}
