/** Values by key, each shared by everybody who watches it: the newest is there at once for those who come later. */
import { Observable } from "rxjs";

const all = new Set<{ clear(): void }>();

/** The session ended: what was known is nobody's. */
export function forgetLatest(): void {
  for (const each of all) each.clear();
}

export class LatestByKey<Value> {
  readonly #keeps: number;
  readonly #values = new Map<string, Value>();
  readonly #watchers = new Map<string, Set<(value: Value) => void>>();

  /** `keeps`: how many values outlive their last watcher, the latest to go first, so that a screen come back to shows them at once. */
  constructor(keeps = 0) {
    this.#keeps = keeps;
    all.add(this);
  }

  /** Whether anybody watches this key. */
  watched(key: string): boolean {
    return this.#watchers.has(key);
  }

  /** A value came; without a watcher it is dropped. */
  tell(key: string, value: Value): void {
    const watching = this.#watchers.get(key);
    if (!watching) return;
    this.#values.set(key, value);
    for (const tell of watching) tell(value);
  }

  /** The values of a key, beginning with the newest known. `watch` is called for each watcher and returns how to stop. */
  of(key: string, watch: () => () => void): Observable<Value> {
    return new Observable((watcher) => {
      const tell = (value: Value): void => watcher.next(value);
      const beside = this.#watchers.get(key) ?? new Set();
      this.#watchers.set(key, beside.add(tell));
      const stop = watch();
      const known = this.#values.get(key);
      if (known !== undefined) tell(known);
      return () => {
        beside.delete(tell);
        stop();
        if (beside.size > 0) return;
        this.#watchers.delete(key);
        this.#leave(key);
      };
    });
  }

  /** Nobody watches a key any longer: its value becomes the newest of those that are kept. */
  #leave(key: string): void {
    const value = this.#values.get(key);
    this.#values.delete(key);
    if (value === undefined || this.#keeps === 0) return;
    this.#values.set(key, value);
    const left = [...this.#values.keys()].filter((one) => !this.#watchers.has(one));
    for (const one of left.slice(0, -this.#keeps)) this.#values.delete(one);
  }

  /** Forget every value; who watches goes on watching. */
  clear(): void {
    this.#values.clear();
  }
}
