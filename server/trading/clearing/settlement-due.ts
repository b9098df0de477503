/** Settlements as they are stored and as the member sees them. */
import type { Selectable } from "kysely";
import type { OrderNo } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { DayProceeds, Settlement } from "#contract/settlement.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { SettlementTable } from "#server/db/schema.ts";
import { settlesAt } from "./settlement-calendar.ts";

export type SettlementRecord = Pick<Selectable<SettlementTable>, "kind" | "order_no" | "traded_at" | "due_at" | "amount_cents">;

/** Morning by morning what a member's sales bring, net of what their purchases of the same days cost and hold. */
const PROCEEDS = `SELECT due_at, sum(amount_cents)::bigint AS cents FROM settlement
  WHERE member_id = $1 AND nets AND settled_at IS NULL GROUP BY due_at HAVING sum(amount_cents) > 0`;

/** Settlement days that a rule may set, at most. */
const MOST_DAYS = 10;

/** Proceeds that purchases made now may be paid from, by the settlement days of the purchase. */
export async function readDayProceeds(on: Reader, memberId: number, now: number): Promise<DayProceeds[]> {
  const rows = await query<{ due_at: number; cents: number }>(on, PROCEEDS, [memberId]);
  if (rows.length === 0) return [];
  const days = Array.from({ length: MOST_DAYS }, (_, index) => index + 1);
  return days.flatMap((settlementDays) => {
    const row = rows.find(({ due_at: dueAt }) => dueAt === settlesAt(now, settlementDays));
    return row ? [{ settlementDays, cents: cents(row.cents) }] : [];
  });
}

/** Converts a settlement to the contract's type. */
export function toSettlement({ kind, order_no, traded_at, due_at, amount_cents }: SettlementRecord): Settlement {
  return { kind, orderNo: order_no as OrderNo, tradedAt: epochMs(traded_at), dueAt: epochMs(due_at), amountCents: cents(amount_cents) };
}
