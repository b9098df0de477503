/** The orders with exits or entry triggers, by the instrument whose price they wait for, as of the last commit. */
import type { TriggerRange } from "#contract/condition.ts";
import type { Direction, TriggerKind } from "#contract/order.ts";
import { better } from "#server/trading/exit-orders/condition-record.ts";
import type { ConditionRecord } from "#server/trading/exit-orders/condition-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Venue } from "#server/venue/venue.ts";

/** One exit, with the fields needed to evaluate it. */
export interface WatchedExit {
  conditionNo: string;
  kind: TriggerKind;
  price: number;
  /** The best price so far of a trailing exit; null before any. */
  best: number | null;
  /** The best price as stored in the database. */
  written: number | null;
  version: number;
}

/** One order and its triggers. */
export interface Watched {
  orderNo: string;
  memberId: number;
  row: number;
  direction: Direction;
  /** Whether it holds a position that its exits protect. */
  armed: boolean;
  /** The position is locked up until this time, whatever the price. */
  lockedUntil: number;
  entry: { kind: "stop" | "takeProfit"; price: number } | null;
  exits: Map<string, WatchedExit>;
  /** It is in the sequencer's queue already. */
  asked: boolean;
  /** Ranges whose evaluation failed by a fault of the broker: they count at the next one. */
  missed: TriggerRange | null;
}

export class PriceWatch {
  readonly #venue: Pick<Venue, "instrument">;
  readonly #byOrder = new Map<string, Watched>();
  readonly #rows = new Map<number, Set<Watched>>();

  constructor(venue: Pick<Venue, "instrument">) {
    this.#venue = venue;
  }

  /** Rows with at least one watched order. */
  rows(): number[] {
    return [...this.#rows.keys()];
  }

  /** Tells whether a row is watched. */
  watches(row: number): boolean {
    return this.#rows.has(row);
  }

  /** The watched orders of a row. */
  of(row: number): readonly Watched[] {
    return [...(this.#rows.get(row) ?? [])];
  }

  /** All watched orders. */
  all(): readonly Watched[] {
    return [...this.#byOrder.values()];
  }

  /** Takes in an order as it was written, with its changed conditions. @returns its row, if it is watched now */
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
    // After a corporate action the recorded range belongs to the old shares.
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
