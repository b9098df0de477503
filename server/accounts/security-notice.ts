/** Notices of changes that a thief would make: of secrets, passkeys, bank cards and wallet addresses; written with the change. */
import type { SecurityNotice } from "#contract/notice.ts";
import type { Tx } from "#server/db/database.ts";
import { leaveNotice } from "#server/records/notice.ts";

/** Puts a notice into the member's inbox. `values` name the thing, masked. */
export async function noteChange(
  tx: Tx,
  memberId: number,
  at: number,
  about: SecurityNotice,
  values: Record<string, string> = {},
): Promise<void> {
  await leaveNotice(tx, memberId, at, { about, values });
}
