/** What every account is worth is written down on a calm rhythm, where it changed; of days long past only their last value stays. */
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
  /** Told of faults; the next round tries again. */
  report?: ((error: unknown) => void) | undefined;
}

/** Taipei's midnight is one of these moments: a day ends with a value of its own. */
const EVERY_MS = 10 * MINUTE_MS;
/** So many days keep every value. */
const FINE_DAYS = 8;

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

/** Write every account's value down as of the last moment of the rhythm. */
export async function takeEquitySnapshots({ db, venue, now }: EquitySnapshotDeps): Promise<void> {
  const at = Math.floor(now() / EVERY_MS) * EVERY_MS;
  const values = await db.transaction(async (tx) => {
    // One moment for all of it: between two reads an order would be counted in money and in lots, or in neither.
    await query(tx, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    return valueAccounts(tx, venue, null);
  });
  const rows = values.map((one) => ({ member_id: one.memberId, at, total_cents: one.totalCents, paid_in_cents: one.paidInCents }));
  await query(db.kysely, INSERT, [JSON.stringify(rows)]);
  await query(db.kysely, THIN, [taipeiMidnight(taipeiDay(at) - FINE_DAYS)]);
}

/** Note down with every moment of the rhythm. @returns how to stop */
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
