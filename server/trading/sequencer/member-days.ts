/**
 * Sums up members' trades and fills by day, once a session is over: a start reads the latest sessions only, and a chart the days of its instrument.
 * A sum counts once the market's mark is behind its session. What is stored before that is in the sum, what comes later writes the sum again.
 */
import { setTimeout } from "node:timers/promises";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader, Tx } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { StoredUpTo } from "#server/venue/matching/member-effect.ts";
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
/** About so many rows are summed by one statement, or those of an instrument in a session. */
const PART = 20_000;
/** How often the table's lock is asked for before it is left to the next run, and how long after another. */
const LOCK_TRIES = 10;
const LOCK_PAUSE_MS = 50;
/** SQLSTATE of a lock that was not granted at once. */
const LOCK_REFUSED = "55P03";

/** The sums of what is selected of a market ($1). The arrays order trades by time, those of one time as they were recorded. */
const sumOf = (selected: string): string => `
INSERT INTO member_day (universe, code, opens_at, span, fills)
SELECT $1::text, code, opens_at, span, coalesce(fills, '[]') FROM (
  SELECT code, opens_at, json_build_object(
    'firstAt', min(at), 'lastAt', max(at), 'high', max(price), 'low', min(price),
    'open', (min(ARRAY[at, id, price, side]))[3], 'close', (max(ARRAY[at, id, price, side]))[3],
    'lots', sum(lots), 'turnover', sum(lots * price), 'trades', count(*) FILTER (WHERE side <> 0),
    'opensPriced', (min(ARRAY[at, id, price, side]))[4] = 0, 'closesPriced', (max(ARRAY[at, id, price, side]))[4] = 0,
    'bought', coalesce(sum(lots) FILTER (WHERE side > 0), 0), 'sold', coalesce(sum(lots) FILTER (WHERE side < 0), 0)
  ) AS span
  FROM member_trade WHERE universe = $1 AND ${selected}
  GROUP BY code, opens_at
) AS traded FULL JOIN (
  SELECT code, opens_at, json_agg(json_build_array(at, lots) ORDER BY id) AS fills
  FROM member_fill WHERE universe = $1 AND ${selected}
  GROUP BY code, opens_at
) AS moved USING (code, opens_at)
ON CONFLICT (universe, code, opens_at) DO UPDATE SET span = excluded.span, fills = excluded.fills`;
const SUM_SESSIONS = sumOf("opens_at >= $2 AND opens_at < $3");
const SUM_GROUP = sumOf("opens_at = $2 AND code > $3 AND ($4::text IS NULL OR code <= $4)");
const SUM_CODES = sumOf("opens_at = $2 AND code = ANY ($3::text[])");
/** The instrument after some trades of a session, in their order in the index: counting a million of them takes too long. */
const GROUP_END = `
SELECT code AS end FROM member_trade WHERE universe = $1 AND opens_at = $2 AND code > $3 ORDER BY code OFFSET $4 LIMIT 1`;
/** What was stored after a trade and a fill in some sessions. */
const ADDED = `
SELECT opens_at AS "opensAt", code FROM member_trade WHERE universe = $1 AND id > $4 AND opens_at >= $2 AND opens_at < $3 UNION
SELECT opens_at, code FROM member_fill WHERE universe = $1 AND id > $5 AND opens_at >= $2 AND opens_at < $3`;
const NEWEST = `
SELECT coalesce((SELECT max(id) FROM member_trade), 0)::float8 AS "tradeId", coalesce((SELECT max(id) FROM member_fill), 0)::float8 AS "fillId"`;
/** Granted only while no batch is being stored, and never waited for: every later batch would wait behind it. */
const LOCK = "LOCK TABLE member_trade, member_fill IN SHARE MODE NOWAIT";
const MARK = "SELECT until FROM member_day_mark WHERE universe = $1";
const BEGIN_MARK = "INSERT INTO member_day_mark (universe, until) VALUES ($1, 0) ON CONFLICT DO NOTHING";
/** Held by the server that sums: one that has lost the lead cannot write its sum over one that was corrected since. */
const HOLD_MARK = `${MARK} AND until = $2 FOR UPDATE NOWAIT`;
const SET_MARK = "UPDATE member_day_mark SET until = $2 WHERE universe = $1";
const PART_ENDS = `
SELECT least(
    (SELECT min(opens_at) FROM member_trade WHERE universe = $1 AND opens_at >= $2),
    (SELECT min(opens_at) FROM member_fill WHERE universe = $1 AND opens_at >= $2)
  ) AS first,
  (SELECT opens_at FROM member_trade WHERE universe = $1 AND opens_at >= $2 ORDER BY opens_at OFFSET $3 LIMIT 1) AS beyond`;
const DAYS = `
SELECT opens_at AS "opensAt", span, fills FROM member_day
WHERE universe = $1 AND code = $2 AND opens_at >= $3 AND opens_at < $4 ORDER BY opens_at`;

/** The sessions of a market that opened before this moment are summed; 0 for none. */
export async function readMark(db: Reader, market: string): Promise<number> {
  return (await query<{ until: number }>(db, MARK, [market]))[0]?.until ?? 0;
}

/** The days of an instrument with what members did, of sessions that opened from one moment on and before another; oldest first. */
export const readDays = (
  db: Reader,
  market: string,
  code: string,
  { since, before }: { since: number; before: number },
): Promise<MemberDay[]> => query<MemberDay>(db, DAYS, [market, code, since, before]);

/** The newest trade and fill that are stored. */
export async function readNewest(db: Reader): Promise<StoredUpTo> {
  const [newest = { tradeId: 0, fillId: 0 }] = await query<StoredUpTo>(db, NEWEST);
  return newest;
}

/** Sums some instruments of a session again, in the transaction that added to it. */
export async function correctDays(tx: Tx, market: string, opensAt: number, codes: readonly string[]): Promise<void> {
  await query(tx, SUM_CODES, [market, opensAt, codes]);
}

/** The sessions of a market from a mark up to, not including, a moment. */
interface Part {
  market: string;
  mark: number;
  until: number;
}

/** A lock was refused, or another server has moved the mark. */
class Refused extends Error {}

/** Runs a transaction of who sums, unless another one does. */
async function hold<Result>(db: Database, { market, mark }: Part, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  try {
    return await db.transaction(async (tx) => {
      if ((await query(tx, HOLD_MARK, [market, mark])).length === 0) throw new Refused("the mark has moved");
      return work(tx);
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === LOCK_REFUSED) throw new Refused("a lock is held", { cause: error });
    throw error;
  }
}

/** Runs a short transaction in which everything that was stored before is committed, and nothing else is stored meanwhile. */
async function settle<Result>(db: Database, part: Part, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await hold(db, part, async (tx) => {
        await query(tx, LOCK);
        return work(tx);
      });
    } catch (error) {
      if (!(error instanceof Refused) || tries >= LOCK_TRIES) throw error;
    }
    await setTimeout(LOCK_PAUSE_MS);
  }
}

/** The next sessions to sum: some that have few trades together, or one that has many. */
async function nextPart(db: Reader, market: string, mark: number, before: number): Promise<Part & { isLarge: boolean }> {
  const [ends] = await query<{ first: number | null; beyond: number | null }>(db, PART_ENDS, [market, mark, PART]);
  const [first, beyond] = [ends?.first ?? before, ends?.beyond ?? before];
  return { market, mark, until: Math.min(before, Math.max(beyond, first + 1)), isLarge: beyond === first && first < before };
}

/** Sums a session that has many trades, some instruments at a time. */
async function sumLarge(db: Database, part: Part): Promise<void> {
  const session = [part.market, part.until - 1];
  for (let after: string | null = ""; after !== null;) {
    const [group]: { end: string }[] = await query(db.kysely, GROUP_END, [...session, after, PART]);
    const range: (string | null)[] = [after, group?.end ?? null];
    await hold(db, part, (tx) => query(tx, SUM_GROUP, [...session, ...range]));
    after = group?.end ?? null;
  }
}

/**
 * Sums a part while batches are stored, and marks it when nothing was added to it meanwhile.
 * @throws Refused when batches leave no moment for it; what is summed then has no mark, and nobody reads it
 */
async function sumPart(db: Database, part: Part & { isLarge: boolean }): Promise<void> {
  const { market, mark, until, isLarge } = part;
  // Whatever has no greater number is in the sums: without the lock one of a smaller number could be committed later.
  let seen = await settle(db, part, readNewest);
  if (isLarge) await sumLarge(db, part);
  else await hold(db, part, (tx) => query(tx, SUM_SESSIONS, [market, mark, until]));
  for (;;) {
    const range = [market, mark, until, seen.tradeId, seen.fillId];
    const { added, newest } = await settle(db, part, async (tx) => {
      const found = await query<{ opensAt: number; code: string }>(tx, ADDED, range);
      if (found.length === 0) await query(tx, SET_MARK, [market, until]);
      return { added: found, newest: await readNewest(tx) };
    });
    if (added.length === 0) return;
    for (const { opensAt, code } of added) await hold(db, part, (tx) => correctDays(tx, market, opensAt, [code]));
    seen = newest;
  }
}

/** Sums all sessions that are over and not summed yet; those that it has no moment for are left to the next run. */
export async function sumDays({ db, venue, now }: Pick<MemberDayDeps, "db" | "venue" | "now">): Promise<void> {
  const state = venue.state(now() - AFTER_MS);
  if (!state.simulated) return;
  const market = marketName(state);
  let mark = await readMark(db.kysely, market);
  if (mark === 0) await query(db.kysely, BEGIN_MARK, [market]);
  try {
    while (mark < state.opensAt) {
      const part = await nextPart(db.kysely, market, mark, state.opensAt);
      await sumPart(db, part);
      mark = part.until;
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** Sums each session once the next one has begun. @returns a function that stops it */
export function startMemberDays(deps: MemberDayDeps): () => Promise<void> {
  return every(EVERY_MS, () => sumDays(deps), deps.report);
}
