/** The per-member row lock: the `tally` row that every order takes first, so that limits hold and facts stay in order. */
import { query } from "./database.ts";
import type { Tx } from "./database.ts";

/** Waits for other transactions of this member; the lock is held until the transaction ends. */
export async function lockMember(tx: Tx, memberId: number): Promise<void> {
  await query(tx, "SELECT FROM tally WHERE member_id = $1 FOR UPDATE", [memberId]);
}
