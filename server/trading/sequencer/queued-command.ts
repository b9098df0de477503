/** What waits in the sequencer's queue: a decision, and what has to be read under lock before it. */
import type { Batch, PrepareReads } from "./batch.ts";
import type { CounterpartyQuery, OrderBook, RestingOrder } from "./order-book.ts";
import type { OrderRecord } from "./order-record.ts";
import type { Choosing } from "./open-orders.ts";
import type { ReadSet } from "./read-set.ts";

/** A decision for some members, and what it needs to read. It must refuse before it changes anything. */
export interface QueuedCommand<Result> extends Partial<Omit<ReadSet, "memberIds">>, Pick<ReadSet, "memberIds">, Choosing {
  /** Goes ahead of the queue: for what happens at a given moment, not on request. */
  urgent?: boolean;
  /** Further resting orders it decides on, looked up at its turn. */
  gather?: (book: OrderBook) => readonly RestingOrder[];
  /**
   * The orders it will trade, so that their counterparties are read as well. Called before anything was read (with null), and again after.
   */
  counterparties?: (batch: Batch | null) => readonly CounterpartyQuery[];
  prepare?: PrepareReads;
  decide: (batch: Batch) => Result;
}

/** An order as a command names it. */
export interface OrderKey {
  orderNo: string;
  memberId: number;
}

/** The most orders of one command, so that a member's command that arrives meanwhile does not wait for more. */
export const MAX_ORDERS = 64;

/** Splits a list into parts of at most `MAX_ORDERS`. */
export function inParts<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / MAX_ORDERS) }, (_, nth) => items.slice(nth * MAX_ORDERS, (nth + 1) * MAX_ORDERS));
}

/** A command that applies one decision to each of some orders, in the order given; orders that no longer exist are left out. */
export function commandOnOrders<Key extends OrderKey>(
  keys: readonly Key[],
  decide: (batch: Batch, order: OrderRecord, key: Key) => void,
): QueuedCommand<void> {
  return {
    memberIds: [...new Set(keys.map(({ memberId }) => memberId))],
    orderNos: keys.map(({ orderNo }) => orderNo),
    decide: (batch) => {
      for (const key of keys) {
        const order = batch.order(key.memberId, key.orderNo);
        if (order) decide(batch, order, key);
      }
    },
  };
}
