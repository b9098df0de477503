/**
 * Holds the call auctions that were due while the server was down, late and at the price of the venue's own auction. If the venue does not
 * know that auction any more, or the day is over, the orders collected for it become ordinary resting orders.
 */
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { CallBook } from "#server/venue/matching/call-auction.ts";
import type { PastCall } from "#server/venue/venue.ts";
import { SIDES } from "#server/trading/sequencer/order-book.ts";
import { holdCallAuction } from "./call-auctions.ts";
import type { CallAuctionDeps } from "./call-auctions.ts";

/** A past call, with the simulated market's own orders in it. */
interface MissedCall extends PastCall {
  row: number;
  own: CallBook;
}

/** By code, when a member's order last traded in a call: that call was held for everybody. */
const HELD_AT = `
SELECT code AS key, max(fill.at) AS at FROM fill JOIN "order" USING (order_no) WHERE fill.at >= $1 AND reason = 'auction' GROUP BY code`;

/** By order, when it was last amended or activated. */
const CHANGED = `
SELECT body->'order'->>'orderNo' AS key, max(at) AS at FROM fact
WHERE member_id = ANY ($2::bigint[]) AND at >= $1 AND type IN ('order.amended', 'order.triggered') GROUP BY 1`;

async function readLatest(tx: Tx, sql: string, values: readonly unknown[]): Promise<Map<string, number>> {
  const rows = await query<{ key: string; at: number }>(tx, sql, values);
  return new Map(rows.map(({ key, at }) => [key, at]));
}

/**
 * Holds the missed calls before anything else is decided. A call that was held in time changes nothing here: either it filled a member's
 * order, or none of the resting orders could trade in it and the result is the same again.
 */
export function holdMissedCalls({ venue, sequencer, report }: CallAuctionDeps): void {
  const missed = [...sequencer.orderBook.rows("board")].flatMap((row): MissedCall[] => {
    const past = venue.lastCall(row, sequencer.now());
    const own = past && venue.callBook(row, false);
    return past && own ? [{ row, own, ...past }] : [];
  });
  if (missed.length === 0) return;
  const since = Math.min(...missed.map(({ at }) => at));
  let heldAt = new Map<string, number>();
  let changed = new Map<string, number>();
  const hold = (batch: Batch, { row, kind, own, at }: MissedCall): void => {
    const code = venue.instruments[row]?.code ?? "";
    if ((heldAt.get(code) ?? 0) >= at) return;
    const collected = (order: OrderRecord): boolean => order.asked_at < at && (changed.get(order.order_no) ?? 0) < at;
    holdCallAuction(batch, row, kind, own, collected);
  };
  void sequencer
    .submit({
      urgent: true,
      memberIds: [],
      gather: (book) => missed.flatMap(({ row }) => SIDES.flatMap((side) => book.queue(row, side))),
      prepare: async (tx, batch) => {
        heldAt = await readLatest(tx, HELD_AT, [since]);
        changed = await readLatest(tx, CHANGED, [since, batch.members.map(({ id }) => id)]);
      },
      decide: (batch) => {
        for (const one of missed) hold(batch, one);
      },
    })
    .catch((error: unknown) => report?.(error));
}
