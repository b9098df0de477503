/** Alerts that wait, by the row they watch: the one whose moment is nearest first, so that a change of price looks at few of many. */
import { alertDue } from "#contract/alert.ts";
import type { AlertKind, PriceRange } from "#contract/alert.ts";
import { alertKey } from "#server/records/alert.ts";

/** One waiting alert, as much of it as judging must know. */
export interface WaitingAlert {
  id: string;
  memberId: number;
  row: number;
  kind: AlertKind;
  level: number;
}

/** What queues are sorted by: of two alerts of a kind the one with the smaller rank is never due later. */
const rankOf = ({ kind, level }: Pick<WaitingAlert, "kind" | "level">): number => (kind === "below" ? -level : level);

/** Where in a queue an alert comes: behind those of its own level. */
function placeIn(queue: readonly WaitingAlert[], rank: number): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = queue[middle];
    if (there && rankOf(there) <= rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class AlertRegistry {
  readonly #byKey = new Map<string, WaitingAlert>();
  /** By row, a queue for each kind. */
  readonly #rows = new Map<number, Map<AlertKind, WaitingAlert[]>>();
  readonly #listeners = new Set<(row: number, first: boolean) => void>();

  get size(): number {
    return this.#byKey.size;
  }

  /** Rows somebody watches. */
  rows(): number[] {
    return [...this.#rows.keys()];
  }

  /** Whether somebody watches a row. */
  watches(row: number): boolean {
    return this.#rows.has(row);
  }

  /** Let an alert wait; one that waits already stays where it is. */
  put(alert: WaitingAlert): void {
    const key = alertKey(alert.memberId, alert.id);
    if (this.#byKey.has(key)) return;
    this.#byKey.set(key, alert);
    const kinds = this.#rows.get(alert.row) ?? new Map<AlertKind, WaitingAlert[]>();
    this.#rows.set(alert.row, kinds);
    const queue = kinds.get(alert.kind) ?? [];
    kinds.set(alert.kind, queue);
    queue.splice(placeIn(queue, rankOf(alert)), 0, alert);
  }

  /** Let a new alert wait, and tell whoever judges: its moment may have come while it was written down. */
  add(alert: WaitingAlert): void {
    const first = !this.watches(alert.row);
    this.put(alert);
    for (const listener of this.#listeners) listener(alert.row, first);
  }

  /** Forget an alert, if it waits. */
  remove(memberId: number, id: string): void {
    const key = alertKey(memberId, id);
    const alert = this.#byKey.get(key);
    if (!alert) return;
    this.#byKey.delete(key);
    const kinds = this.#rows.get(alert.row);
    const queue = kinds?.get(alert.kind);
    if (!kinds || !queue) return;
    queue.splice(queue.indexOf(alert), 1);
    this.#drop(alert.row, kinds, alert.kind);
  }

  /** Take out the alerts of a row whose moment has come, by what those of each kind see of it. */
  takeDue(row: number, sightOf: (kind: AlertKind) => PriceRange): WaitingAlert[] {
    const kinds = this.#rows.get(row);
    if (!kinds) return [];
    const taken: WaitingAlert[] = [];
    for (const [kind, queue] of kinds) {
      const sight = sightOf(kind);
      const until = queue.findIndex((alert) => !alertDue(alert, sight));
      const due = queue.splice(0, until === -1 ? queue.length : until);
      for (const alert of due) this.#byKey.delete(alertKey(alert.memberId, alert.id));
      taken.push(...due);
      this.#drop(row, kinds, kind);
    }
    return taken;
  }

  /** Be told of rows with a new alert, and whether it is the first to watch them. Returns how to stop. */
  onAdd(listener: (row: number, first: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #drop(row: number, kinds: Map<AlertKind, WaitingAlert[]>, kind: AlertKind): void {
    if (kinds.get(kind)?.length === 0) kinds.delete(kind);
    if (kinds.size === 0) this.#rows.delete(row);
  }
}
