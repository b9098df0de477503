/** The orders with exits or entry triggers, by the instrument whose price they wait for, as of the last commit. */
import type { TriggerRange } from "#contract/condition.ts";
import type { Direction, TriggerKind } from "#contract/order.ts";
import { better } from "#server/trading/exit-orders/condition-record.ts";
import type { ConditionRecord } from "#server/trading/exit-orders/condition-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Venue } from "#server/venue/venue.ts";

/** One exit, as much of it as judging must know. */
export interface WatchedExit {
  conditionNo: string;
  kind: TriggerKind;
  price: number;
  /** Of a trailing one the best price so far; null before any. */
  best: number | null;
  /** The best price as it is written down. */
  written: number | null;
  version: number;
}

/** One order, with what it waits for. */
export interface Watched {
  orderNo: string;
  memberId: number;
  row: number;
  direction: Direction;
  /** Whether it holds something that its exits guard. */
  armed: boolean;
  /** Before this moment what it holds cannot be closed, whatever the price. */
  lockedUntil: number;
  entry: { kind: "stop" | "takeProfit"; price: number } | null;
  exits: Map<string, WatchedExit>;
  /** It stands in the sequencer's queue: until it was its turn it needs no second place. */
  asked: boolean;
  /** What was seen when its turn came to nothing, by a fault of the broker: not lost on it. */
  missed: TriggerRange | null;
}

export class PriceWatch {
  readonly #venue: Pick<Venue, "instrument">;
  readonly #byOrder = new Map<string, Watched>();
  readonly #rows = new Map<number, Set<Watched>>();

  constructor(venue: Pick<Venue, "instrument">) {
    this.#venue = venue;
  }

  /** Rows somebody watches. */
  rows(): number[] {
    return [...this.#rows.keys()];
  }

  /** Whether somebody watches a row. */
  watches(row: number): boolean {
    return this.#rows.has(row);
  }

  /** The orders of a row. */
  of(row: number): readonly Watched[] {
    return [...(this.#rows.get(row) ?? [])];
  }

  /** Every order that is watched. */
  all(): readonly Watched[] {
    return [...this.#byOrder.values()];
  }

  /** Take in an order as it was written, with those of its conditions that were. @returns its row, if it is watched now */
  put(order: OrderRecord, conditions: readonly ConditionRecord[]): number | null {
    const watched = this.#byOrder.get(order.order_no) ?? this.#begin(order);
    if (!watched) return null;
    watched.armed = order.filled_lots > order.closed_lots;
    watched.lockedUntil = order.locked_until ?? 0;
    const { trigger_kind: kind, trigger_price: price } = order;
    watched.entry = order.status === "pending" && kind !== null && price !== null ? { kind, price } : null;
    for (const condition of conditions) this.#take(watched, condition);
    if (order.status === "closed" || order.status === "cancelled") watched.exits.clear();
    if (watched.entry || watched.exits.size > 0) {
      this.#byOrder.set(order.order_no, watched);
      const row = this.#rows.get(watched.row) ?? new Set();
      this.#rows.set(watched.row, row.add(watched));
      return watched.row;
    }
    this.#drop(watched);
    return null;
  }

  #begin(order: OrderRecord): Watched | null {
    const instrument = this.#venue.instrument(order.code);
    if (!instrument) return null;
    const { order_no: orderNo, member_id: memberId, direction } = order;
    return {
      orderNo,
      memberId,
      row: instrument.row,
      direction,
      armed: false,
      lockedUntil: 0,
      entry: null,
      exits: new Map(),
      asked: false,
      missed: null,
    };
  }

  #take({ direction, exits }: Watched, { condition_no: conditionNo, kind, price, best, status, version }: ConditionRecord): void {
    if (status !== "waiting") {
      exits.delete(conditionNo);
      return;
    }
    const known = exits.get(conditionNo);
    // Moved along with a corporate action it is of another share than what was seen until then.
    const kept = known?.version === version ? better(direction, known.best, best) : best;
    exits.set(conditionNo, { conditionNo, kind, price, best: kept, written: best, version });
  }

  #drop(watched: Watched): void {
    this.#byOrder.delete(watched.orderNo);
    const row = this.#rows.get(watched.row);
    row?.delete(watched);
    if (row?.size === 0) this.#rows.delete(watched.row);
  }
}
