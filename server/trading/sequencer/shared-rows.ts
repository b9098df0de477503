/** What several commands of one batch share, so that each sees what the earlier ones decided: rows of a member, and keys of all members. */
import type { Tx } from "#server/db/database.ts";
import type { Batch } from "./batch.ts";

/** Rows of a member. */
export class SharedRows<Rows> {
  readonly #read: (tx: Tx, batch: Batch, memberId: number) => Promise<Rows>;
  readonly #batches = new WeakMap<Batch, Map<number, Rows>>();

  /** `read` is called once a batch and member; decisions change what it returned. */
  constructor(read: (tx: Tx, batch: Batch, memberId: number) => Promise<Rows>) {
    this.#read = read;
  }

  /** Reads a member's rows, or returns those an earlier command read. The member is locked. */
  async read(tx: Tx, batch: Batch, memberId: number): Promise<Rows> {
    const members = this.#batches.get(batch) ?? new Map<number, Rows>();
    this.#batches.set(batch, members);
    const known = members.get(memberId);
    if (known !== undefined) return known;
    const rows = await this.#read(tx, batch, memberId);
    members.set(memberId, rows);
    return rows;
  }

  /** What was read of a member in this batch, if anything. */
  of(batch: Batch, memberId: number): Rows | undefined {
    return this.#batches.get(batch)?.get(memberId);
  }
}

/** Keys that may exist once among all members, such as card numbers, as far as commands of a batch have taken them. */
export class TakenKeys {
  readonly #batches = new WeakMap<Batch, Set<string>>();

  has(batch: Batch, key: string): boolean {
    return this.#batches.get(batch)?.has(key) ?? false;
  }

  take(batch: Batch, key: string): void {
    const taken = this.#batches.get(batch) ?? new Set<string>();
    this.#batches.set(batch, taken);
    taken.add(key);
  }
}
