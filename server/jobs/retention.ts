/** Deletes expired data: old searches, all but a member's last messages, and ended alerts that no message refers to. */
import { DAY_MS, HOUR_MS } from "#contract/kernel/time.ts";
import { HOT_DAYS, SEARCHES_KEPT } from "#contract/search.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";

export interface RetentionDeps {
  db: Database;
  /** Epoch milliseconds. */
  now: () => number;
  /** Receives errors; the next run tries again. */
  report?: ((error: unknown) => void) | undefined;
}

const EVERY_MS = HOUR_MS;
/** Messages kept per member: so many execution reports, and so many others, which no number of fills may push out. */
export const MESSAGES_KEPT = 1_000;
/** How long an ended alert without a message is kept: its client may still repeat the request that set it. */
export const ALERTS_KEPT_MS = DAY_MS;

const SEARCHES = `
DELETE FROM search USING (
  SELECT member_id, code, row_number() OVER (PARTITION BY member_id ORDER BY at DESC, code) AS place FROM search
) AS ranked
WHERE search.member_id = ranked.member_id AND search.code = ranked.code AND search.at <= $1 AND ranked.place > $2`;

const MESSAGES = `
DELETE FROM message USING (
  SELECT id, row_number() OVER (PARTITION BY member_id, kind = 'executionReport' ORDER BY id DESC) AS place FROM message
) AS ranked
WHERE message.id = ranked.id AND ranked.place > $1`;

const ALERTS = `
DELETE FROM alert WHERE status <> 'waiting' AND set_at <= $1
AND NOT EXISTS (SELECT FROM message WHERE message.member_id = alert.member_id AND message.alert_id = alert.id)`;

/** Runs one deletion pass. */
export async function deleteExpired({ db: { kysely }, now }: RetentionDeps): Promise<void> {
  await query(kysely, SEARCHES, [now() - HOT_DAYS * DAY_MS, SEARCHES_KEPT]);
  await query(kysely, MESSAGES, [MESSAGES_KEPT]);
  await query(kysely, ALERTS, [now() - ALERTS_KEPT_MS]);
}

/** Deletes expired data now and every hour. @returns a function that stops it */
export async function startRetention(deps: RetentionDeps): Promise<() => void> {
  await deleteExpired(deps).catch((error: unknown) => deps.report?.(error));
  return every(EVERY_MS, () => deleteExpired(deps), deps.report);
}
