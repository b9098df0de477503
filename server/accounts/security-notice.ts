/** Notices of changes that a thief would make: of secrets, passkeys, bank cards and wallet addresses; written with the change. */
import type { SecurityNotice } from "#contract/notice.ts";
import type { Tx } from "#server/db/database.ts";

/** Puts a notice into the member's inbox. Its fact follows (`untold-messages.ts`). `values` name the thing, masked. */
export async function noteChange(
  tx: Tx,
  memberId: number,
  at: number,
  about: SecurityNotice,
  values: Record<string, string> = {},
): Promise<void> {
  const notice = JSON.stringify({ about, values });
  await tx
    .insertInto("message")
    .values({ member_id: memberId, at, kind: "notice", read: false, alert_id: null, notice, untold: true })
    .execute();
}
