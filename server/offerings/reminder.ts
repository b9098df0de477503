/** Tells members that an offering has opened: those who booked a reminder, and in a capital increase those who have a right. */
import { formatPrice, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Notice } from "#contract/notice.ts";
import { putNotice } from "#server/accounts/notice.ts";
import { query } from "#server/db/database.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { EachDeps } from "./each-member.ts";

const TOGETHER = 32;
const NUMBERS = "SELECT nextval('message_no') AS id FROM generate_series(1, $1::integer)";

/** Who waits to be told, in a table with `told_at`. */
interface Waiting {
  table: "offering_booking" | "entitlement";
  /** What else the notice needs of a row. */
  shares: "0" | "shares";
  notice: (shares: number) => Notice;
}

/** Tells those who were not told yet. One that fails is reported and does not stop the others. */
async function tellWaiting({ db, sequencer, report }: EachDeps, offeringNo: string, { table, shares, notice }: Waiting): Promise<void> {
  const waiting = `SELECT member_id FROM ${table} WHERE offering_no = $1 AND told_at IS NULL AND member_id > $2
ORDER BY member_id LIMIT ${TOGETHER}`;
  // Told in the same transaction, so that each is told once.
  const tell = `UPDATE ${table} SET told_at = $3 WHERE offering_no = $1 AND member_id = ANY ($2::bigint[]) AND told_at IS NULL
RETURNING member_id, ${shares}::bigint AS shares`;
  for (let after = 0; ;) {
    const memberIds = (await query<{ member_id: number }>(db.kysely, waiting, [offeringNo, after])).map(({ member_id }) => member_id);
    const last = memberIds.at(-1);
    if (last === undefined) return;
    after = last;
    let told: { member_id: number; shares: number }[] = [];
    let numbers: number[] = [];
    const command: QueuedCommand<void> = {
      memberIds,
      prepare: async (tx, batch) => {
        told = await query(tx, tell, [offeringNo, memberIds, batch.at]);
        numbers = (await query<{ id: number }>(tx, NUMBERS, [told.length])).map(({ id }) => id);
      },
      decide: (batch) => {
        for (const [nth, one] of told.entries()) {
          const message = putNotice(batch, one.member_id, numbers[nth] ?? 0, notice(one.shares));
          batch.emit(one.member_id, { type: "offering.opened", offeringNo, message });
        }
      },
    };
    await sequencer.submit(command).catch((error: unknown) => report?.(error));
  }
}

/** Sends what was not sent yet. */
export async function sendReminders(deps: EachDeps, row: OfferingRecord): Promise<void> {
  const { offering_no: offeringNo, code, closes_at, kind, price } = row;
  const until = formatDateTime(closes_at);
  await tellWaiting(deps, offeringNo, {
    table: "offering_booking",
    shares: "0",
    notice: () => ({ about: "offeringOpened", values: { code, until } }),
  });
  if (kind !== "increase") return;
  await tellWaiting(deps, offeringNo, {
    table: "entitlement",
    shares: "shares",
    notice: (shares) => ({
      about: "rightGranted",
      values: { code, shares: grouped(String(shares)), price: formatPrice(price ?? 0), until },
    }),
  });
}
