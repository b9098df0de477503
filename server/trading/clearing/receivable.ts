/** Cash of an ex-event that is paid later: owed to its holder from the ex-date on, and told about with its amount and day. */
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { leaveNotice } from "#server/records/notice.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";

/** What a member is told about once per batch, instrument and pay date, however many orders hold it. */
interface Entitlement {
  memberId: number;
  code: string;
  paysAt: number;
  cents: number;
}

const told = new WeakMap<Batch, Map<string, Entitlement>>();

async function writeNotices(tx: Tx, at: number, entitled: Iterable<Entitlement>): Promise<void> {
  for (const { memberId, code, paysAt, cents } of entitled) {
    await leaveNotice(tx, memberId, at, { about: "dividendDue", values: { code, amount: formatMoney(cents), day: formatDate(paysAt) } });
  }
}

/** Adds to what the member is told when the batch is written. */
function tell(batch: Batch, { member_id: memberId, code }: OrderRecord, paysAt: number, cents: number): void {
  let entitled = told.get(batch);
  if (!entitled) {
    const all = new Map<string, Entitlement>();
    entitled = all;
    told.set(batch, all);
    batch.deferWrite((tx) => writeNotices(tx, batch.at, all.values()));
  }
  const key = `${memberId} ${code} ${paysAt}`;
  entitled.set(key, { memberId, code, paysAt, cents: (entitled.get(key)?.cents ?? 0) + cents });
}

/** Records what a position is paid on a later day; its money is in `unsettled` until then. */
export function receiveLater(batch: Batch, order: OrderRecord, { at, paysAt }: { at: number; paysAt: number }, cents: number): void {
  if (cents === 0) return;
  const values = [order.member_id, order.order_no, at, paysAt, cents];
  batch.deferWrite(async (tx) => {
    await query(
      tx,
      "INSERT INTO settlement (member_id, order_no, traded_at, due_at, amount_cents, kind, nets) VALUES ($1, $2, $3, $4, $5, 'dividend', false)",
      values,
    );
  });
  tell(batch, order, paysAt, cents);
}
