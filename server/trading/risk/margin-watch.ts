/** The watched margin accounts, by member and by the instruments they hold, as of the last commit. */
import { isOnMargin } from "#contract/margin.ts";
import type { MarginCall } from "#contract/margin.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Venue } from "#server/venue/venue.ts";
import { isMargin } from "./margin-account.ts";

/** An account with margin orders, a call or a deposit: enough to see that something may be due, never to decide it. */
export interface WatchedAccount {
  orders: Map<string, OrderRecord>;
  call: MarginCall | null;
  /** The member's deposit on calls, in cents. */
  added: number;
  /** Its evaluation waits in the sequencer's queue. */
  queued: boolean;
  /** Something changed meanwhile. */
  missed: boolean;
}

export class MarginWatch {
  readonly #venue: Pick<Venue, "instrument">;
  readonly #accounts = new Map<number, WatchedAccount>();
  /** Members by the row they hold; some may have sold it since. */
  readonly #holders = new Map<number, Set<number>>();

  constructor(venue: Pick<Venue, "instrument">) {
    this.#venue = venue;
  }

  get size(): number {
    return this.#accounts.size;
  }

  members(): number[] {
    return [...this.#accounts.keys()];
  }

  get(memberId: number): WatchedAccount | undefined {
    return this.#accounts.get(memberId);
  }

  /** Returns the account of a member, which is watched from now on. */
  watch(memberId: number): WatchedAccount {
    const account = this.#accounts.get(memberId) ?? { orders: new Map(), call: null, added: 0, queued: false, missed: false };
    this.#accounts.set(memberId, account);
    return account;
  }

  /** Stops watching an account on which nothing can become due. */
  dropIfEmpty(memberId: number): void {
    const account = this.#accounts.get(memberId);
    if (account && account.orders.size === 0 && account.call === null && account.added === 0) this.#accounts.delete(memberId);
  }

  /** Takes in orders as they were written. @returns the members whose accounts changed */
  put(orders: readonly OrderRecord[]): Set<number> {
    const members = new Set<number>();
    for (const order of orders) {
      const row = this.#venue.instrument(order.code)?.row;
      if (!isOnMargin(order) || row === undefined || order.filled_lots === 0) continue;
      const account = this.watch(order.member_id);
      if (isMargin(order)) account.orders.set(order.order_no, order);
      else account.orders.delete(order.order_no);
      const holders = this.#holders.get(row) ?? new Set<number>();
      this.#holders.set(row, holders.add(order.member_id));
      members.add(order.member_id);
    }
    return members;
  }

  /** The members who may hold one of these rows. */
  holdersOf(rows: readonly number[]): Set<number> {
    const members = new Set<number>();
    for (const row of rows) {
      const holders = this.#holders.get(row);
      for (const memberId of holders ?? []) {
        if (this.#accounts.has(memberId)) members.add(memberId);
        else holders?.delete(memberId);
      }
    }
    return members;
  }
}
