/**
 * Sums up members' trades and fills by day, once a session is over: a start reads the latest sessions only, and a chart the days of its instrument.
 * A sum is written with the mark that it is there, and whatever is stored in a day later writes the sum again, so the two are never apart.
 */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader, Tx } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { MemberDay } from "#server/venue/matching/member-trade.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface MemberDayDeps {
  db: Database;
  venue: Venue;
  /** Epoch milliseconds. */
  now: () => number;
  /** Receives errors; the next run tries again. */
  report?: ((error: unknown) => void) | undefined;
}

const EVERY_MS = MINUTE_MS;
/** A session is summed when another one has been open to orders for so long. */
const AFTER_MS = MINUTE_MS;
/** About so many trades are summed in one transaction, which keeps others from being stored meanwhile. */
const PART = 20_000;

/** The sums of the sessions of a market that opened from $2 on and before $3, of some codes or (null) all. */
const SUM = `
INSERT INTO member_day (universe, code, opens_at, span, fills)
SELECT $1::text, code, opens_at, span, coalesce(fills, '[]') FROM (
  SELECT code, opens_at, json_build_object(
    'firstAt', min(at), 'lastAt', max(at), 'high', max(price), 'low', min(price),
    'open', (array_agg(price ORDER BY at, id))[1], 'close', (array_agg(price ORDER BY at DESC, id DESC))[1],
    'lots', sum(lots), 'turnover', sum(lots * price), 'trades', count(*) FILTER (WHERE side <> 0),
    'opensPriced', (array_agg(side ORDER BY at, id))[1] = 0, 'closesPriced', (array_agg(side ORDER BY at DESC, id DESC))[1] = 0,
    'bought', coalesce(sum(lots) FILTER (WHERE side > 0), 0), 'sold', coalesce(sum(lots) FILTER (WHERE side < 0), 0)
  ) AS span
  FROM member_trade WHERE universe = $1 AND opens_at >= $2 AND opens_at < $3 AND ($4::text[] IS NULL OR code = ANY ($4))
  GROUP BY code, opens_at
) AS traded FULL JOIN (
  SELECT code, opens_at, json_agg(json_build_array(at, lots) ORDER BY id) AS fills
  FROM member_fill WHERE universe = $1 AND opens_at >= $2 AND opens_at < $3 AND ($4::text[] IS NULL OR code = ANY ($4))
  GROUP BY code, opens_at
) AS moved USING (code, opens_at)
ON CONFLICT (universe, code, opens_at) DO UPDATE SET span = excluded.span, fills = excluded.fills`;
/** Waits for what is being stored, which then counts; what comes later finds the mark. */
const LOCK = "LOCK TABLE member_trade, member_fill IN SHARE MODE";
const MARK = "SELECT until FROM member_day_mark WHERE universe = $1";
const SET_MARK = `
INSERT INTO member_day_mark (universe, until) VALUES ($1, $2)
ON CONFLICT (universe) DO UPDATE SET until = greatest(member_day_mark.until, excluded.until)`;
const PART_END = "SELECT opens_at + 1 AS end FROM member_trade WHERE universe = $1 AND opens_at >= $2 ORDER BY opens_at OFFSET $3 LIMIT 1";
const DAYS = `SELECT opens_at AS "opensAt", span, fills FROM member_day WHERE universe = $1 AND code = $2 AND opens_at < $3 ORDER BY opens_at`;

/** The sessions of a market that opened before this moment are summed; 0 for none. */
export async function readMark(db: Reader, market: string): Promise<number> {
  return (await query<{ until: number }>(db, MARK, [market]))[0]?.until ?? 0;
}

/** The days of an instrument with what members did, of sessions that opened before a moment; oldest first. */
export const readDays = (db: Reader, market: string, code: string, before: number): Promise<MemberDay[]> =>
  query<MemberDay>(db, DAYS, [market, code, before]);

/** Sums some instruments of a session again, in the transaction that added to it. */
export async function correctDays(tx: Tx, market: string, opensAt: number, codes: readonly string[]): Promise<void> {
  await query(tx, SUM, [market, opensAt, opensAt + 1, codes]);
}

/** Sums the next part of the sessions that opened before a moment. @returns up to where all are summed */
const sumPart = (db: Database, market: string, before: number): Promise<number> =>
  db.transaction(async (tx) => {
    await query(tx, LOCK);
    const mark = await readMark(tx, market);
    const [part] = await query<{ end: number }>(tx, PART_END, [market, mark, PART]);
    const until = Math.max(mark, Math.min(before, part?.end ?? before));
    await query(tx, SUM, [market, mark, until, null]);
    await query(tx, SET_MARK, [market, until]);
    return until;
  });

/** Sums all sessions that are over and not summed yet. */
export async function sumDays({ db, venue, now }: Pick<MemberDayDeps, "db" | "venue" | "now">): Promise<void> {
  const state = venue.state(now() - AFTER_MS);
  if (!state.simulated) return;
  const market = marketName(state);
  let mark = await readMark(db.kysely, market);
  while (mark < state.opensAt) mark = await sumPart(db, market, state.opensAt);
}

/** Sums each session once the next one has begun. @returns a function that stops it */
export function startMemberDays(deps: MemberDayDeps): () => Promise<void> {
  return every(EVERY_MS, () => sumDays(deps), deps.report);
}
