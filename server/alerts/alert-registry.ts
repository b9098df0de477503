/** Waiting price alerts in memory, indexed by instrument row and sorted nearest level first, so that a price change checks only a few. */
import { alertDue } from "#contract/alert.ts";
import type { AlertKind, PriceRange } from "#contract/alert.ts";
import { alertKey } from "#server/records/alert.ts";

/** The fields of a waiting alert that evaluation needs. */
export interface WaitingAlert {
  id: string;
  memberId: number;
  row: number;
  kind: AlertKind;
  level: number;
}

/** Sort key of a queue: of two alerts of one kind, the one with the smaller rank is never due later. */
const rankOf = ({ kind, level }: Pick<WaitingAlert, "kind" | "level">): number => (kind === "below" ? -level : level);

/** Insertion index by binary search; alerts of the same level stay in arrival order. */
function insertionIndex(queue: readonly WaitingAlert[], rank: number): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = queue[middle];
    if (candidate && rankOf(candidate) <= rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class AlertRegistry {
  readonly #byKey = new Map<string, WaitingAlert>();
  /** Row -> kind -> queue. */
  readonly #rows = new Map<number, Map<AlertKind, WaitingAlert[]>>();
  readonly #listeners = new Set<(row: number, first: boolean) => void>();

  get size(): number {
    return this.#byKey.size;
  }

  /** Rows with at least one waiting alert. */
  rows(): number[] {
    return [...this.#rows.keys()];
  }

  watches(row: number): boolean {
    return this.#rows.has(row);
  }

  /** Adds an alert without notifying listeners; a known alert keeps its place. */
  put(alert: WaitingAlert): void {
    const key = alertKey(alert.memberId, alert.id);
    if (this.#byKey.has(key)) return;
    this.#byKey.set(key, alert);
    const kinds = this.#rows.get(alert.row) ?? new Map<AlertKind, WaitingAlert[]>();
    this.#rows.set(alert.row, kinds);
    const queue = kinds.get(alert.kind) ?? [];
    kinds.set(alert.kind, queue);
    queue.splice(insertionIndex(queue, rankOf(alert)), 0, alert);
  }

  /** Adds a new alert and notifies listeners, because its level may have been reached while it was being stored. */
  add(alert: WaitingAlert): void {
    const first = !this.watches(alert.row);
    this.put(alert);
    for (const listener of this.#listeners) listener(alert.row, first);
  }

  /** Removes an alert; does nothing when it is not waiting. */
  remove(memberId: number, id: string): void {
    const key = alertKey(memberId, id);
    const alert = this.#byKey.get(key);
    if (!alert) return;
    this.#byKey.delete(key);
    const kinds = this.#rows.get(alert.row);
    const queue = kinds?.get(alert.kind);
    if (!kinds || !queue) return;
    queue.splice(queue.indexOf(alert), 1);
    this.#dropEmpty(alert.row, kinds, alert.kind);
  }

  /** Removes and returns the alerts of a row that are due, given the price range that each kind of alert sees. */
  takeDue(row: number, rangeOf: (kind: AlertKind) => PriceRange): WaitingAlert[] {
    const kinds = this.#rows.get(row);
    if (!kinds) return [];
    const taken: WaitingAlert[] = [];
    for (const [kind, queue] of kinds) {
      const range = rangeOf(kind);
      const until = queue.findIndex((alert) => !alertDue(alert, range));
      const due = queue.splice(0, until === -1 ? queue.length : until);
      for (const alert of due) this.#byKey.delete(alertKey(alert.memberId, alert.id));
      taken.push(...due);
      this.#dropEmpty(row, kinds, kind);
    }
    return taken;
  }

  /** Listens for rows that get a new alert; `first` says whether it is the row's only one. Returns an unsubscribe function. */
  onAdd(listener: (row: number, first: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #dropEmpty(row: number, kinds: Map<AlertKind, WaitingAlert[]>, kind: AlertKind): void {
    if (kinds.get(kind)?.length === 0) kinds.delete(kind);
    if (kinds.size === 0) this.#rows.delete(row);
  }
}
