/** Tells the members who booked a reminder that an offering has opened. */
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Notice } from "#contract/notice.ts";
import { putNotice } from "#server/accounts/notice.ts";
import { query } from "#server/db/database.ts";
import type { OfferingRecord } from "#server/records/offering.ts";
import type { EachDeps } from "./each-member.ts";

const TOGETHER = 32;
const WAITING = `SELECT member_id FROM offering_booking WHERE offering_no = $1 AND told_at IS NULL AND member_id > $2
ORDER BY member_id LIMIT ${TOGETHER}`;
/** Told in the same transaction, so that each is told once. */
const TOLD = `UPDATE offering_booking SET told_at = $3 WHERE offering_no = $1 AND member_id = ANY ($2::bigint[]) AND told_at IS NULL
RETURNING member_id`;
const NUMBERS = "SELECT nextval('message_no') AS id FROM generate_series(1, $1::integer)";

/** Sends what was not sent yet. One that fails is reported and does not stop the others. */
export async function sendReminders({ db, sequencer, report }: EachDeps, row: OfferingRecord): Promise<void> {
  const { offering_no: offeringNo, code, closes_at } = row;
  const notice: Notice = { about: "offeringOpened", values: { code, until: formatDateTime(closes_at) } };
  for (let after = 0; ;) {
    const memberIds = (await query<{ member_id: number }>(db.kysely, WAITING, [offeringNo, after])).map(({ member_id }) => member_id);
    const last = memberIds.at(-1);
    if (last === undefined) return;
    after = last;
    let told: number[] = [];
    let numbers: number[] = [];
    const command = {
      memberIds,
      prepare: async (tx: Parameters<typeof query>[0], batch: { at: number }) => {
        told = (await query<{ member_id: number }>(tx, TOLD, [offeringNo, memberIds, batch.at])).map(({ member_id }) => member_id);
        numbers = (await query<{ id: number }>(tx, NUMBERS, [told.length])).map(({ id }) => id);
      },
      decide: (batch: Parameters<typeof putNotice>[0]) => {
        for (const [nth, memberId] of told.entries()) {
          const message = putNotice(batch, memberId, numbers[nth] ?? 0, notice);
          batch.emit(memberId, { type: "offering.opened", offeringNo, message });
        }
      },
    };
    await sequencer.submit(command).catch((error: unknown) => report?.(error));
  }
}
