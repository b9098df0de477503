/** Records every account's value every ten minutes when it changed (table `worth`), and thins old days to their last value. */
import { DAY_MS, MINUTE_MS, TAIPEI_OFFSET_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { valueAccounts } from "#server/trading/clearing/account-value.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface EquitySnapshotDeps {
  db: Database;
  venue: Venue;
  /** Epoch milliseconds. */
  now: () => number;
  /** Receives errors; the next run tries again. */
  report?: ((error: unknown) => void) | undefined;
}

/** Taipei's midnight is one of these times, so every day ends with a value. */
const EVERY_MS = 10 * MINUTE_MS;
/** Days that keep every value. */
const FULL_DETAIL_DAYS = 8;

const INSERT = `
INSERT INTO worth (member_id, at, total_cents, paid_in_cents)
SELECT fresh.* FROM json_to_recordset($1::json) AS fresh (member_id bigint, at bigint, total_cents bigint, paid_in_cents bigint)
LEFT JOIN LATERAL (
  SELECT total_cents, paid_in_cents FROM worth WHERE worth.member_id = fresh.member_id ORDER BY worth.at DESC LIMIT 1
) AS before ON true
WHERE (fresh.total_cents, fresh.paid_in_cents) IS DISTINCT FROM (coalesce(before.total_cents, 0), coalesce(before.paid_in_cents, 0))
ON CONFLICT (member_id, at) DO NOTHING`;

const THIN = `
DELETE FROM worth USING (
  SELECT member_id, at, row_number() OVER (PARTITION BY member_id, (at - 1 + ${TAIPEI_OFFSET_MS}) / ${DAY_MS} ORDER BY at DESC) AS place
  FROM worth WHERE at <= $1
) AS ranked
WHERE worth.member_id = ranked.member_id AND worth.at = ranked.at AND ranked.place > 1`;

/** Records every account's value, stamped with the last full interval. */
export async function takeEquitySnapshots({ db, venue, now }: EquitySnapshotDeps): Promise<void> {
  const at = Math.floor(now() / EVERY_MS) * EVERY_MS;
  const values = await db.transaction(async (tx) => {
    // One snapshot for all reads: otherwise a fill between two of them would be counted as both cash and position, or as neither.
    await query(tx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    return valueAccounts(tx, venue, null, at);
  });
  const rows = values.map((one) => ({ member_id: one.memberId, at, total_cents: one.totalCents, paid_in_cents: one.paidInCents }));
  await query(db.kysely, INSERT, [JSON.stringify(rows)]);
  await query(db.kysely, THIN, [taipeiMidnight(taipeiDay(at) - FULL_DETAIL_DAYS)]);
}

/** Takes a snapshot at every full interval. @returns a function that stops it */
export function startEquitySnapshots(deps: EquitySnapshotDeps): () => void {
  const { now } = deps;
  let timer: NodeJS.Timeout | null = null;
  const wait = (): void => {
    timer = setTimeout(
      () => {
        wait();
        void takeEquitySnapshots(deps).catch((error: unknown) => deps.report?.(error));
      },
      EVERY_MS - (now() % EVERY_MS),
    );
    timer.unref();
  };
  wait();
  return () => {
    if (timer) clearTimeout(timer);
  };
}
