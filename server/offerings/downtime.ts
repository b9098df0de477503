/** Moves the deadlines of members' payments by the time that the server was off, once. */
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";

/** How often a clock notes that it runs, and from when on it was off. */
const STAMP_MS = 15 * SECOND_MS;
const OFF_MS = MINUTE_MS;

const LAST = "SELECT at FROM clock_stamp WHERE clock = $1 FOR UPDATE";
const STAMP = "INSERT INTO clock_stamp (clock, at) VALUES ($1, $2) ON CONFLICT (clock) DO UPDATE SET at = excluded.at";

/** Moves deadlines that were to come at `from`, when the clock last said that it runs, by the time until `until`. */
export type Extend = (tx: Tx, from: number, until: number) => Promise<unknown>;

/**
 * Notes now and then that a clock runs, and at the start moves deadlines by the time since the last note, in one transaction with it. Call it
 * before each tick. @returns what is to be called
 */
export function afterDowntime({ db, now }: { db: Database; now: () => number }, clock: string, extend: Extend): () => Promise<void> {
  let stamped: number | null = null;
  return async () => {
    const at = now();
    if (stamped !== null && Math.abs(at - stamped) < STAMP_MS) return;
    const isStart = stamped === null;
    await db.transaction(async (tx) => {
      const [last] = isStart ? await query<{ at: number }>(tx, LAST, [clock]) : [];
      if (last && at - last.at > OFF_MS) await extend(tx, last.at, at);
      await query(tx, STAMP, [clock, at]);
    });
    stamped = at;
  };
}

/** Never behind the listing: from then on everybody sees what a win is worth. */
const EXTEND = `UPDATE offering SET payable_until = moved.payable_until, allotted_at = greatest(allotted_at, moved.payable_until)
FROM (SELECT offering_no AS no, greatest(offering.payable_until, least(offering.payable_until + $2::bigint - greatest($1::bigint, result_at), trades_from)) AS payable_until
  FROM offering WHERE phase = 'drawn' AND applications > 0 AND offering.payable_until > $1) AS moved
WHERE offering_no = no`;

/** Of the offerings that are drawn and to be paid for. */
export const extendPayments = (deps: { db: Database; now: () => number }): (() => Promise<void>) =>
  afterDowntime(deps, "offering", (tx, from, until) => query(tx, EXTEND, [from, until]));
