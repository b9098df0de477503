/** Shares the latest value of each key among its subscribers; late subscribers get it at once. */
import { Observable } from "rxjs";

const all = new Set<{ clear(): void }>();

/** Clear all values when the session ends, so that the next member sees none of them. */
export function forgetLatest(): void {
  for (const each of all) each.clear();
}

export class LatestByKey<Value> {
  readonly #keeps: number;
  readonly #values = new Map<string, Value>();
  readonly #subscribers = new Map<string, Set<(value: Value) => void>>();

  /** `keeps`: how many values stay cached after their last subscriber left (most recent first), so that a revisited screen shows them at once. */
  constructor(keeps = 0) {
    this.#keeps = keeps;
    all.add(this);
  }

  /** Tells whether a key has subscribers. */
  watched(key: string): boolean {
    return this.#subscribers.has(key);
  }

  /** Publish a value; without subscribers it is dropped. */
  publish(key: string, value: Value): void {
    const listeners = this.#subscribers.get(key);
    if (!listeners) return;
    this.#values.set(key, value);
    for (const listener of listeners) listener(value);
  }

  /** The values of a key, starting with the latest. `watch` is called for each subscriber and returns a function that stops it. */
  of(key: string, watch: () => () => void): Observable<Value> {
    return new Observable((subscriber) => {
      const listener = (value: Value): void => subscriber.next(value);
      const listeners = this.#subscribers.get(key) ?? new Set();
      this.#subscribers.set(key, listeners.add(listener));
      const stop = watch();
      const latest = this.#values.get(key);
      if (latest !== undefined) listener(latest);
      return () => {
        listeners.delete(listener);
        stop();
        if (listeners.size > 0) return;
        this.#subscribers.delete(key);
        this.#cache(key);
      };
    });
  }

  /** After a key's last subscriber left: cache its value as the most recent one and evict the oldest. */
  #cache(key: string): void {
    const value = this.#values.get(key);
    this.#values.delete(key);
    if (value === undefined || this.#keeps === 0) return;
    this.#values.set(key, value);
    const cached = [...this.#values.keys()].filter((one) => !this.#subscribers.has(one));
    for (const one of cached.slice(0, -this.#keeps)) this.#values.delete(one);
  }

  /** Clear every value; subscriptions stay. */
  clear(): void {
    this.#values.clear();
  }
}
