/** Reminds members who booked an auction that bidding has begun. */
import type { AuctionStatus } from "#contract/auction.ts";
import type { AuctionNotice } from "#contract/bid.ts";
import type { Code } from "#contract/kernel/id.ts";
import { price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { toMessage } from "#server/records/message.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { isFirst } from "#server/trading/sequencer/once-in-batch.ts";

interface Row {
  code: string;
  status: AuctionStatus;
  closes_at: number;
  minimum_price: number;
}

const READ = `SELECT code, status, closes_at, minimum_price FROM auction_booking JOIN auction ON auction.id = auction_id
WHERE auction_booking.id = $1 AND told_at IS NULL`;
const TELL = "UPDATE auction_booking SET told_at = $2 WHERE id = $1";

/** Tells one member, once; nothing where bidding has ended meanwhile. */
export function reminder(memberId: number, id: number): QueuedCommand<void> {
  let row: Row | undefined;
  let messageNo = 0;
  return {
    memberIds: [memberId],
    prepare: async (tx) => {
      [row] = await query<Row>(tx, READ, [id]);
      const [number] = await query<{ id: number }>(tx, "SELECT nextval('message_no') AS id", []);
      messageNo = number?.id ?? 0;
    },
    decide: (batch) => {
      if (!row || !isFirst(batch, `reminder ${id}`)) return;
      const { code, status, closes_at, minimum_price } = row;
      batch.deferWrite(async (tx) => {
        await query(tx, TELL, [id, batch.at]);
      });
      if (status !== "bidding" || batch.at >= closes_at) return;
      const notice: AuctionNotice = {
        event: "auction.started",
        code: code as Code,
        closesAt: epochMs(closes_at),
        minimumPrice: price(minimum_price),
      };
      const message = { id: messageNo, at: batch.at, kind: "auction" as const, read: false, auction: notice };
      batch.emit(memberId, { type: "auction.started", code: notice.code, message: toMessage(message, null) });
      batch.deferWrite(async (tx) => {
        await tx
          .insertInto("message")
          .values({ ...message, auction: JSON.stringify(notice), member_id: memberId, alert_id: null })
          .execute();
      });
    },
  };
}
