/** The withdrawal on its way, as all commands of a batch see it. */
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { WithdrawalRecord } from "#server/records/withdrawal.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";

const OPEN = "SELECT * FROM withdrawal WHERE member_id = $1 AND status IN ('requested', 'underReview', 'processing')";

/** The withdrawal on its way; null for none. */
export async function readOpenWithdrawal(on: Reader, memberId: number): Promise<WithdrawalRecord | null> {
  const [row] = await query<WithdrawalRecord>(on, OPEN, [memberId]);
  return row ?? null;
}

export const openWithdrawals = new SharedRows<{ open: WithdrawalRecord | null }>(async (tx, _batch, memberId) => ({
  open: await readOpenWithdrawal(tx, memberId),
}));
