/** Settles trades and pays dividends on the morning they are due: pays out or collects their money once, also after downtime. */
import { formatMoney } from "#contract/kernel/money.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { leaveNotice } from "#server/records/notice.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { isFirst } from "#server/trading/sequencer/once-in-batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { settlementsIn } from "./settlements-in-batch.ts";
import { toSettlement } from "./settlement-due.ts";
import type { SettlementRecord } from "./settlement-due.ts";
import { every } from "#server/kernel/every.ts";

export interface SettlementDeps {
  db: Database;
  sequencer: Pick<Sequencer, "submit">;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; what was not settled is settled at the next check. */
  report?: ((error: unknown) => void) | undefined;
}

const LOOK_EVERY_MS = MINUTE_MS;
const DUE = `
SELECT settlement.*, code FROM settlement JOIN "order" USING (order_no)
WHERE settlement.member_id = $1 AND settled_at IS NULL AND due_at <= $2 ORDER BY id`;

const SETTLED = `
UPDATE settlement SET settled_at = $1
WHERE settled_at IS NULL AND (id = ANY ($2::bigint[]) OR (member_id = $3 AND nets AND due_at = ANY ($4::bigint[])))`;

type Row = SettlementRecord & { id: number; code: string; nets: boolean };

/** Moves what is due: what the member gets, or has to pay (negative). */
function pay(batch: Batch, memberId: number, orderNo: string | null, amount: number): void {
  const out = amount < 0;
  const move = { from: out ? "owing" : "unsettled", to: out ? "clearing" : "available", amount: Math.abs(amount) } as const;
  batch.ledger.post({ memberId, kind: "settle", orderNo, moves: [move] });
}

/** Tells the member about dividends that are paid now: one message for each instrument. */
function tellPaid(batch: Batch, memberId: number, rows: readonly Row[]): void {
  const paid = new Map<string, number>();
  for (const { kind, code, amount_cents: amount } of rows) if (kind === "dividend") paid.set(code, (paid.get(code) ?? 0) + amount);
  for (const [code, amount] of paid) {
    batch.deferWrite((tx) => leaveNotice(tx, memberId, batch.at, { about: "dividendPaid", values: { code, amount: formatMoney(amount) } }));
  }
}

/** Settles what a member has due, through the sequencer's queue. */
async function settleMember(sequencer: SettlementDeps["sequencer"], memberId: number): Promise<void> {
  let due: Row[] = [];
  await sequencer.submit({
    memberIds: [memberId],
    // Read under the member's lock, so that nothing is settled twice.
    prepare: async (tx, batch) => {
      due = await query<Row>(tx, DUE, [memberId, batch.at]);
    },
    decide: (batch) => {
      const rows = due.filter(({ id }) => isFirst(batch, `settlement ${id}`));
      for (const { order_no: orderNo, amount_cents: amount, nets } of rows) if (!nets) pay(batch, memberId, orderNo, amount);
      // Of the trades of a day only the difference moves, as decided so far in this batch.
      const mornings = [...new Set(rows.flatMap(({ nets, due_at: dueAt }) => (nets ? [dueAt] : [])))];
      for (const dueAt of mornings) {
        pay(batch, memberId, null, settlementsIn(batch).net(memberId, dueAt));
        settlementsIn(batch).settled(memberId, dueAt);
      }
      if (rows.length === 0) return;
      batch.emit(memberId, { type: "money.settled", settlements: rows.map(toSettlement) });
      tellPaid(batch, memberId, rows);
      const ids = rows.map(({ id }) => id);
      batch.deferWrite(async (tx) => {
        await query(tx, SETTLED, [batch.at, ids, memberId, mornings]);
      });
    },
  });
}

/** Settles everything that is due. */
export async function settleDue({ db, sequencer, now, report }: SettlementDeps): Promise<void> {
  const members = await query<{ member_id: number }>(
    db.kysely,
    "SELECT DISTINCT member_id FROM settlement WHERE settled_at IS NULL AND due_at <= $1",
    [now()],
  );
  for (const { member_id } of members) await settleMember(sequencer, member_id).catch((error: unknown) => report?.(error));
}

/** Checks every minute. @returns a function that stops it */
export async function startSettlement(deps: SettlementDeps): Promise<() => void> {
  await settleDue(deps);
  return every(LOOK_EVERY_MS, () => settleDue(deps), deps.report);
}
