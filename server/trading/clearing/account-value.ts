/** Values accounts in TWD: money of every currency and positions, futures, options and rights at the latest prices less credit loans, and what was paid in so far. */
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { valueFutures } from "#server/trading/futures/futures-value.ts";
import { valueOptions } from "#server/trading/futures/option-value.ts";
import { valueInHome } from "./mid-rates.ts";
import { valueRights } from "./right-value.ts";
import { valuationOf } from "./valuation.ts";
import { OWNED_POCKETS } from "#server/ledger/pocket.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface AccountValue {
  memberId: number;
  totalCents: Cents;
  paidInCents: Cents;
}

const MONEY = `
SELECT member_id, currency, sum(balance)::bigint AS money FROM pocket
WHERE member_id IS NOT NULL AND ($1::bigint IS NULL OR member_id = $1) AND kind = ANY ($2::text[])
GROUP BY member_id, currency`;

const BORROWED = "SELECT member_id, credit_cents AS owed FROM trader WHERE credit_cents > 0 AND ($1::bigint IS NULL OR member_id = $1)";

/** Other currencies count at the rates of the moments they came in. */
const PAID_IN = `
SELECT member_id, sum(paid)::bigint AS paid FROM (
SELECT ledger_tx.member_id, (-sum(entry.amount))::bigint AS paid
FROM pocket JOIN entry ON entry.pocket_id = pocket.id JOIN ledger_tx ON ledger_tx.id = entry.tx_id
WHERE pocket.member_id IS NULL AND pocket.kind = 'external' AND pocket.currency = $2 AND ($1::bigint IS NULL OR ledger_tx.member_id = $1)
GROUP BY ledger_tx.member_id
UNION ALL SELECT member_id, sum(paid_in_cents)::bigint FROM ledger_tx
WHERE paid_in_cents IS NOT NULL AND ($1::bigint IS NULL OR member_id = $1) GROUP BY member_id
) AS flows GROUP BY member_id`;

const OPEN = `
SELECT coalesce(json_agg("order"), '[]') AS orders FROM "order"
WHERE ($1::bigint IS NULL OR member_id = $1) AND status IN ('pending', 'holding', 'readyToClose') AND filled_lots > closed_lots`;

/** Values one account, or all (null), oldest member first. Call it inside a transaction with one snapshot. */
export async function valueAccounts(on: Reader, venue: Venue, memberId: number | null, at: number): Promise<AccountValue[]> {
  const money = await query<{ member_id: number; currency: Currency; money: number }>(on, MONEY, [memberId, OWNED_POCKETS]);
  const paid = await query<{ member_id: number; paid: number }>(on, PAID_IN, [memberId, HOME_CURRENCY]);
  const [open] = await query<{ orders: OrderRecord[] }>(on, OPEN, [memberId]);
  const totals = new Map<number, number>();
  for (const row of money) totals.set(row.member_id, (totals.get(row.member_id) ?? 0) + valueInHome(venue, row.currency, row.money));
  for (const order of open?.orders ?? []) {
    // Today's change is not needed here, so any midnight will do.
    totals.set(order.member_id, (totals.get(order.member_id) ?? 0) + valuationOf(order, venue, 0).net);
  }
  for (const [id, value] of await valueFutures(on, venue, memberId, at)) totals.set(id, (totals.get(id) ?? 0) + value);
  for (const [id, value] of await valueOptions(on, venue, memberId, at)) totals.set(id, (totals.get(id) ?? 0) + value);
  for (const [id, value] of await valueRights(on, venue, memberId, at)) totals.set(id, (totals.get(id) ?? 0) + value);
  const borrowed = await query<{ member_id: number; owed: number }>(on, BORROWED, [memberId]);
  for (const row of borrowed) totals.set(row.member_id, (totals.get(row.member_id) ?? 0) - row.owed);
  const paidIn = new Map(paid.map((row) => [row.member_id, row.paid]));
  return [...totals]
    .toSorted(([a], [b]) => a - b)
    .map(([id, total]) => ({ memberId: id, totalCents: cents(total), paidInCents: cents(paidIn.get(id) ?? 0) }));
}
