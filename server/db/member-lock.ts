/** The lock a member's own things are changed under: the same row every order takes first, so that counts hold and facts keep their order. */
import { query } from "./database.ts";
import type { Tx } from "./database.ts";

/** Wait for everything else that changes this member's things; held until the transaction ends. */
export async function lockMember(tx: Tx, memberId: number): Promise<void> {
  await query(tx, "SELECT FROM tally WHERE member_id = $1 FOR UPDATE", [memberId]);
}
