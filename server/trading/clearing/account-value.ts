/** Values accounts: money and positions at the latest prices, and the deposits so far. */
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { valuationOf } from "./valuation.ts";
import { CURRENCY, OWNED_POCKETS } from "#server/ledger/pocket.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface AccountValue {
  memberId: number;
  totalCents: Cents;
  paidInCents: Cents;
}

const MONEY = `
SELECT member_id, sum(balance)::bigint AS money FROM pocket
WHERE member_id IS NOT NULL AND ($1::bigint IS NULL OR member_id = $1) AND currency = $2
  AND kind = ANY ($3::text[])
GROUP BY member_id`;

const PAID_IN = `
SELECT ledger_tx.member_id, (-sum(entry.amount))::bigint AS paid
FROM pocket JOIN entry ON entry.pocket_id = pocket.id JOIN ledger_tx ON ledger_tx.id = entry.tx_id
WHERE pocket.member_id IS NULL AND pocket.kind = 'external' AND pocket.currency = $2 AND ($1::bigint IS NULL OR ledger_tx.member_id = $1)
GROUP BY ledger_tx.member_id`;

const OPEN = `
SELECT coalesce(json_agg("order"), '[]') AS orders FROM "order"
WHERE ($1::bigint IS NULL OR member_id = $1) AND status IN ('pending', 'holding', 'readyToClose') AND filled_lots > closed_lots`;

/** Values one account, or all (null), oldest member first. Call it inside a transaction with one snapshot. */
export async function valueAccounts(on: Reader, venue: Venue, memberId: number | null): Promise<AccountValue[]> {
  const money = await query<{ member_id: number; money: number }>(on, MONEY, [memberId, CURRENCY, OWNED_POCKETS]);
  const paid = await query<{ member_id: number; paid: number }>(on, PAID_IN, [memberId, CURRENCY]);
  const [open] = await query<{ orders: OrderRecord[] }>(on, OPEN, [memberId]);
  const totals = new Map(money.map((row) => [row.member_id, row.money]));
  for (const order of open?.orders ?? []) {
    // Today's change is not needed here, so any midnight will do.
    totals.set(order.member_id, (totals.get(order.member_id) ?? 0) + valuationOf(order, venue, 0).net);
  }
  const paidIn = new Map(paid.map((row) => [row.member_id, row.paid]));
  return [...totals]
    .toSorted(([a], [b]) => a - b)
    .map(([id, total]) => ({ memberId: id, totalCents: cents(total), paidInCents: cents(paidIn.get(id) ?? 0) }));
}
