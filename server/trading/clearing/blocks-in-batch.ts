/** Block purchases in a batch: what is locked, what of each offer is taken, and the rows that several commands decide on. */
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { BlockOrderRecord } from "#server/records/block-order.ts";
import type { Batch, Participant, ParticipantKind } from "#server/trading/sequencer/batch.ts";

const LOCKED = `SELECT DISTINCT member_id, code FROM block_order
WHERE member_id = ANY ($1::bigint[]) AND status IN ('pending', 'review', 'holding') AND unlocks_at > $2`;

const keyOf = (memberId: number, code: string): string => `${memberId} ${code}`;

/** The state that the commands of one batch share, so that each sees what the earlier ones decided. */
export class BlocksInBatch implements Participant {
  /** Its changes are facts and deferred writes of the batch. */
  readonly effects = 0;
  /** Shares taken of each offer, and those that each member bought on each day. */
  readonly taken = new Map<string, number>();
  readonly bought = new Map<string, number>();
  readonly #orders = new Map<string, BlockOrderRecord>();
  readonly #locked: Set<string>;

  constructor(locked: readonly { member_id: number; code: string }[]) {
    this.#locked = new Set(locked.map(({ member_id, code }) => keyOf(member_id, code)));
  }

  isLocked(memberId: number, code: string): boolean {
    return this.#locked.has(keyOf(memberId, code));
  }

  lock(memberId: number, code: string): void {
    this.#locked.add(keyOf(memberId, code));
  }

  /** Reads how much of an offer is taken, unless the batch knows. */
  async readTaken(tx: Tx, offerId: string): Promise<void> {
    if (this.taken.has(offerId)) return;
    const [row] = await query<{ taken: number }>(tx, "SELECT taken FROM block_offer WHERE offer_id = $1", [offerId]);
    this.taken.set(offerId, row?.taken ?? 0);
  }

  /** Reads a purchase under the member's lock, unless the batch has it already. */
  async read(tx: Tx, blockNo: string): Promise<void> {
    if (this.#orders.has(blockNo)) return;
    const [row] = await query<BlockOrderRecord>(tx, "SELECT * FROM block_order WHERE block_no = $1", [blockNo]);
    if (!row) return;
    this.#orders.set(blockNo, row);
    await this.readTaken(tx, row.offer_id);
  }

  order(memberId: number, blockNo: string): BlockOrderRecord | null {
    const row = this.#orders.get(blockNo);
    return row?.member_id === memberId ? row : null;
  }
}

/** How block purchases take part in a batch: read for members who have some, and only if something may be opened. */
export const blocks: ParticipantKind<BlocksInBatch> = {
  async open(tx, batch, { placements }) {
    const buyers = placements > 0 ? batch.members.filter(({ block_until: until }) => until !== null && until > batch.at) : [];
    if (buyers.length === 0) return new BlocksInBatch([]);
    const rows = await query<{ member_id: number; code: string }>(tx, LOCKED, [buyers.map(({ id }) => id), batch.at]);
    return new BlocksInBatch(rows);
  },
};

/**
 * While a purchase is locked its member may not sell the code short: that would be a sale before the lock ends.
 * @throws Refusal TRD_BLOCK_NO_SHORT
 */
export function checkBlockLock(batch: Batch, memberId: number, code: string): void {
  if (batch.part(blocks).isLocked(memberId, code)) throw new Refusal("TRD_BLOCK_NO_SHORT", {}, "direction");
}
