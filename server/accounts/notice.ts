/** Puts a notice into a member's inbox, in the batch of what it tells about. */
import type { Message } from "#contract/message.ts";
import type { Notice } from "#contract/notice.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import { toMessage } from "#server/records/message.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** Takes a number for a message that a decision may write. */
export async function takeMessageNo(tx: Tx): Promise<number> {
  const [row] = await query<{ n: number }>(tx, "SELECT nextval('message_no') AS n");
  if (!row) throw new Error("no number for a message");
  return row.n;
}

/** Writes the notice with the batch. @returns it as its fact carries it */
export function putNotice(batch: Batch, memberId: number, messageNo: number, notice: Notice): Message {
  const row = { id: messageNo, at: batch.at, kind: "notice" as const, read: false };
  batch.deferWrite(async (tx) => {
    const values = { ...row, notice: JSON.stringify(notice), member_id: memberId, alert_id: null };
    await tx.insertInto("message").values(values).execute();
  });
  return toMessage({ ...row, notice }, null);
}
