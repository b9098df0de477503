/** Records a trade that is settled later, with the batch that made it. */
import type { Selectable } from "kysely";
import type { OrderNo } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Settlement } from "#contract/settlement.ts";
import { query } from "#server/db/database.ts";
import type { SettlementTable } from "#server/db/schema.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { settlesAt } from "./settlement-calendar.ts";

/** Tells whether an order's trades are settled later. */
export function settlesLater({ terms }: Pick<OrderRecord, "terms">): boolean {
  return terms.settlementDays > 0;
}

/** Records an amount that stays in `owing` (negative) or `unsettled` until it is due. */
export function settleLater(batch: Batch, order: OrderRecord, amountCents: number): void {
  if (amountCents === 0) return;
  const { order_no, member_id, terms } = order;
  const { at } = batch;
  const values = [member_id, order_no, at, settlesAt(at, terms.settlementDays), amountCents];
  batch.deferWrite(async (tx) => {
    await query(tx, "INSERT INTO settlement (member_id, order_no, traded_at, due_at, amount_cents) VALUES ($1, $2, $3, $4, $5)", values);
  });
}

export type SettlementRecord = Pick<Selectable<SettlementTable>, "kind" | "order_no" | "traded_at" | "due_at" | "amount_cents">;

/** Converts a settlement to the contract's type. */
export function toSettlement({ kind, order_no, traded_at, due_at, amount_cents }: SettlementRecord): Settlement {
  return { kind, orderNo: order_no as OrderNo, tradedAt: epochMs(traded_at), dueAt: epochMs(due_at), amountCents: cents(amount_cents) };
}
