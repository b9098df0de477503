/** Writes a notice into a member's inbox, with the transaction of what it tells about; a fact follows (`accounts/untold-messages.ts`). */
import type { Notice } from "#contract/notice.ts";
import type { Tx } from "#server/db/database.ts";

export async function leaveNotice(tx: Tx, memberId: number, at: number, notice: Notice): Promise<void> {
  await tx
    .insertInto("message")
    .values({ member_id: memberId, at, kind: "notice", read: false, alert_id: null, notice: JSON.stringify(notice), untold: true })
    .execute();
}
