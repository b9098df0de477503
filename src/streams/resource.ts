/** Reads by key: a snapshot, then the deltas that follow it, kept across remounts, asked for again after a failure. */
import { useSyncExternalStore } from "react";
import { BehaviorSubject, Observable } from "rxjs";
import type { Subscription } from "rxjs";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Failure, Outcome } from "#src/gateway/api.ts";
import { onOnline } from "#src/gateway/shell.ts";

/** A value on its way, here, or not to be had. `value` stays what it was while it is asked for again. */
export interface Loaded<Value> {
  value: Value | null;
  /** `loading` and `failed` with a value mean: this is what was known before. */
  state: "loading" | "ready" | "failed";
  /** Why it failed: a word of the gateway, or the code of the refusal. */
  failure: Failure | RefusalCode | null;
}

/** A step from one value to the next. Must be idempotent: it may be taken again on top of a newer snapshot. */
export type Delta<Value> = (value: Value) => Value;

export interface ResourceSource<Value> {
  load: () => Promise<Outcome<Value>>;
  /** What happens to the value meanwhile; watched as long as the resource is. */
  deltas$?: Observable<Delta<Value>>;
}

export interface Resource<Value> {
  /** The present state, then every change. The first watcher causes the snapshot. */
  readonly state$: Observable<Loaded<Value>>;
  now: () => Loaded<Value>;
  /** Be told of every change; the same function for ever, as React wants it. Returns how to stop. */
  watch: (changed: () => void) => () => void;
  watched: () => boolean;
  /** Ask again now. */
  refetch: () => void;
  /** Take a step that came with an answer of one's own. */
  change: (delta: Delta<Value>) => void;
  /** Drop the value; asks again at once if somebody watches and `reload` says so. */
  forget: (reload: boolean) => void;
  /** Nobody will ask for it again: it is no longer among those that are forgotten or asked for together. */
  drop: () => void;
}

const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 30_000;

const nothing = { value: null, state: "loading", failure: null } as const;
const all = new Set<Resource<unknown>>();

let partings = 0;

/** Ask later whether the member of now is still there: what comes back for one who left is nobody's. */
export function stillThere(): () => boolean {
  const before = partings;
  return () => before === partings;
}

/** Another member, or none: what was read for the one before must not be seen. */
export function forgetAll(reload: boolean): void {
  partings += 1;
  for (const one of all) one.forget(reload);
}

/** Ask again for everything that somebody watches: what changed while no facts could come would be missed. */
export function refetchWatched(): void {
  for (const one of all) if (one.watched()) one.refetch();
}

/** One readable thing. */
export function resource<Value>(source: ResourceSource<Value>): Resource<Value> {
  const subject = new BehaviorSubject<Loaded<Value>>(nothing);
  let watchers = 0;
  let generation = 0;
  let inFlight = false;
  /** Asked for again while a snapshot was on its way, which may be older than the reason to ask. */
  let again = false;
  let retryMs = FIRST_RETRY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let following: Subscription | undefined;
  let stopOnline: (() => void) | undefined;
  /** Steps taken while a snapshot was on its way: it may or may not know them. */
  let meanwhile: Delta<Value>[] = [];

  const change = (delta: Delta<Value>): void => {
    if (inFlight) meanwhile.push(delta);
    const { value } = subject.value;
    if (value === null) return;
    const next = delta(value);
    if (next !== value) subject.next({ ...subject.value, value: next });
  };

  const settle = (outcome: Outcome<Value>): void => {
    const steps = meanwhile;
    meanwhile = [];
    if (outcome.ok) {
      retryMs = FIRST_RETRY_MS;
      subject.next({ value: steps.reduce((value, step) => step(value), outcome.data), state: "ready", failure: null });
      return;
    }
    subject.next({ value: subject.value.value, state: "failed", failure: outcome.failed ?? outcome.refused.code });
    // A refusal stays one; a lost line comes back.
    if (outcome.failed === null || outcome.failed === "expired" || watchers === 0) return;
    retryTimer = setTimeout(ask, retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  };

  const ask = (): void => {
    clearTimeout(retryTimer);
    again = inFlight;
    if (inFlight) return;
    inFlight = true;
    const asked = generation;
    if (subject.value.state !== "loading") subject.next({ ...subject.value, state: "loading", failure: null });
    void source.load().then((outcome) => {
      if (asked !== generation) return;
      inFlight = false;
      settle(outcome);
      if (again && watchers > 0) ask();
    });
  };

  const state$ = new Observable<Loaded<Value>>((watcher) => {
    watchers += 1;
    if (watchers === 1) {
      following = source.deltas$?.subscribe(change);
      stopOnline = onOnline(() => subject.value.state === "failed" && ask());
      ask();
    }
    const watching = subject.subscribe(watcher);
    return () => {
      watching.unsubscribe();
      watchers -= 1;
      if (watchers > 0) return;
      following?.unsubscribe();
      stopOnline?.();
      clearTimeout(retryTimer);
    };
  });

  const made: Resource<Value> = {
    state$,
    now: () => subject.value,
    watch: (changed) => {
      const watching = state$.subscribe(changed);
      return () => watching.unsubscribe();
    },
    watched: () => watchers > 0,
    refetch: ask,
    change,
    forget: (reload) => {
      generation += 1;
      inFlight = false;
      meanwhile = [];
      clearTimeout(retryTimer);
      subject.next(nothing);
      if (reload && watchers > 0) ask();
    },
    drop: () => void all.delete(made as Resource<unknown>),
  };
  all.add(made as Resource<unknown>);
  return made;
}

/** So many are kept by key: whoever walks through the whole market all day must not fill the memory with it. */
const MOST_KEPT = 60;

/** Things by key, each made when first asked for. Of those nobody watches the ones not asked for longest are dropped. */
export function keptByKey<Key extends string, One extends Pick<Resource<unknown>, "watched" | "drop">>(
  make: (key: Key) => One,
): (key: Key) => One {
  const made = new Map<Key, One>();
  return (key) => {
    const one = made.get(key) ?? make(key);
    made.delete(key);
    made.set(key, one);
    for (const [other, old] of made) {
      if (made.size <= MOST_KEPT) break;
      if (other === key || old.watched()) continue;
      old.drop();
      made.delete(other);
    }
    return one;
  };
}

/** Resources by key, each made when first asked for. */
export function resourceByKey<Key extends string, Value>(make: (key: Key) => ResourceSource<Value>): (key: Key) => Resource<Value> {
  return keptByKey((key) => resource(make(key)));
}

export interface Read<Value> extends Loaded<Value> {
  retry: () => void;
}

/** Read a resource in a component: what is known, whether it is being asked for, and how to ask again. */
export function useResource<Value>(one: Resource<Value>): Read<Value> {
  const loaded = useSyncExternalStore(one.watch, one.now);
  return { ...loaded, retry: one.refetch };
}
