/** What members with a daily loss have in the market: read with a round, so that what they would lose is known before they open more. */
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { OrderRecord } from "#server/desks/order/record.ts";

/** The positions of some members, as they stood when the round began. */
export class Holdings {
  readonly #orders: readonly OrderRecord[];

  constructor(orders: readonly OrderRecord[]) {
    this.#orders = orders;
  }

  /** Those of a member. */
  of(memberId: number): OrderRecord[] {
    return this.#orders.filter((order) => order.member_id === memberId);
  }
}

const OPEN = `
SELECT * FROM "order"
WHERE member_id = ANY ($1::bigint[]) AND status IN ('pending', 'holding', 'readyToClose') AND filled_lots > closed_lots`;

/** Read what those of some members hold who set a daily loss. The caller holds their `tally` rows locked. */
export async function openHoldings(tx: Tx, people: readonly { id: number; daily_loss_cents: number | null }[]): Promise<Holdings> {
  const careful = people.filter((person) => person.daily_loss_cents !== null);
  if (careful.length === 0) return new Holdings([]);
  return new Holdings(await query<OrderRecord>(tx, OPEN, [careful.map((person) => person.id)]));
}
