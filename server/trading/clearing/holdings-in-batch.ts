/** What members hold, read under their locks: what they would lose is known before they open more. */
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";

/** The positions of some members, as they stood when a round began. */
export class HoldingsInBatch {
  readonly #orders: readonly OrderRecord[];

  constructor(orders: readonly OrderRecord[]) {
    this.#orders = orders;
  }

  /** Those of a member. */
  of(memberId: number): OrderRecord[] {
    return this.#orders.filter((order) => order.member_id === memberId);
  }
}

/** As the round's own reading does it: what JSON says of a number is a number. */
const HOLDINGS = `
SELECT coalesce(json_agg("order"), '[]') AS orders FROM "order"
WHERE member_id = ANY ($1::bigint[]) AND status IN ('pending', 'holding', 'readyToClose') AND filled_lots > closed_lots`;

/** Read what some members hold. */
export async function holdingsOf(on: Reader, memberIds: readonly number[]): Promise<OrderRecord[]> {
  const [row] = await query<{ orders: OrderRecord[] }>(on, HOLDINGS, [memberIds]);
  return row?.orders ?? [];
}

/** Read what those of some members hold who set a daily loss. The caller holds their `tally` rows locked. */
export async function openHoldings(tx: Tx, people: readonly { id: number; daily_loss_cents: number | null }[]): Promise<HoldingsInBatch> {
  const careful = people.filter((person) => person.daily_loss_cents !== null).map((person) => person.id);
  return new HoldingsInBatch(careful.length === 0 ? [] : await holdingsOf(tx, careful));
}
