/** Members' positions, futures and options, read under their locks, so that the day's loss is known before they open more. */
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { Batch, Participant, ParticipantKind } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { readFuturesDay } from "#server/trading/futures/futures-in-batch.ts";
import { readOptionsDay } from "#server/trading/futures/options-in-batch.ts";

/** The positions of some members at the start of a batch. */
class HoldingsInBatch implements Participant {
  /** It makes no changes. */
  readonly effects = 0;
  readonly #orders: readonly OrderRecord[];

  constructor(orders: readonly OrderRecord[]) {
    this.#orders = orders;
  }

  /** A member's positions. */
  of(memberId: number): OrderRecord[] {
    return this.#orders.filter((order) => order.member_id === memberId);
  }
}

/** As JSON, like the batch's own read, so that numbers stay numbers. */
const HOLDINGS = `
SELECT coalesce(json_agg("order"), '[]') AS orders FROM "order"
WHERE member_id = ANY ($1::bigint[]) AND status IN ('pending', 'holding', 'readyToClose') AND filled_lots > closed_lots`;

/** Reads the positions of some members. */
export async function holdingsOf(on: Reader, memberIds: readonly number[]): Promise<OrderRecord[]> {
  const [row] = await query<{ orders: OrderRecord[] }>(on, HOLDINGS, [memberIds]);
  return row?.orders ?? [];
}

/** How positions take part in a batch: read for members with a daily loss limit, and only if something may be opened. */
const participant: ParticipantKind<HoldingsInBatch> = {
  async open(tx, batch, { placements }) {
    const limited = placements > 0 ? batch.members.filter((member) => member.daily_loss_cents !== null) : [];
    for (const { id } of limited) {
      await readFuturesDay(tx, batch, id);
      await readOptionsDay(tx, batch, id);
    }
    return new HoldingsInBatch(
      limited.length === 0
        ? []
        : await holdingsOf(
            tx,
            limited.map((member) => member.id),
          ),
    );
  },
};
export { participant as holdings };

/**
 * A member's positions after the decisions so far. Complete for a member with a daily loss limit; otherwise only those the batch has read.
 */
export function holdingsIn(batch: Batch, memberId: number): OrderRecord[] {
  const others = batch
    .part(participant)
    .of(memberId)
    .filter((order) => !batch.hasOrder(order.order_no));
  return [...others, ...batch.ordersOfMember(memberId)].filter((order) => order.filled_lots > order.closed_lots);
}
