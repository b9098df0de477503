/** The deposit on its way, as all commands of a batch see it. */
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { DepositRecord } from "#server/records/deposit.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";

const OPEN = "SELECT * FROM deposit WHERE member_id = $1 AND status IN ('pending', 'processing')";

/** The deposit on its way; null for none. */
export async function readOpenDeposit(on: Reader, memberId: number): Promise<DepositRecord | null> {
  const [row] = await query<DepositRecord>(on, OPEN, [memberId]);
  return row ?? null;
}

export const openDeposits = new SharedRows<{ open: DepositRecord | null }>(async (tx, _batch, memberId) => ({
  open: await readOpenDeposit(tx, memberId),
}));
