/**
 * Members' effects on a simulated market as the database keeps them: those of the latest sessions for a start, those of earlier ones when they are
 * asked for, and what came since for one that follows.
 */
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { StoredUpTo } from "#server/venue/matching/member-effect.ts";
import type { MemberFill, MemberFills, MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { MemberDayDeps } from "./member-days.ts";
import { readDays, readMark, readNewest, sumDays } from "./member-days.ts";

const TRADES = "SELECT code, at, price, lots, side FROM member_trade WHERE universe = $1 AND opens_at >= $2 ORDER BY id";
const CALLS = "SELECT code, at, price, lots, side FROM member_trade WHERE universe = $1 AND opens_at = $2 AND side = 0 ORDER BY id";
/** In the order in which they moved the price. */
const FILLS = `
SELECT code, opens_at AS "opensAt", json_agg(json_build_array(at, lots) ORDER BY id) AS fills
FROM member_fill WHERE universe = $1 AND opens_at >= $2 GROUP BY code, opens_at`;
const TRADES_AFTER = "SELECT id::float8 AS id, code, at, price, lots, side FROM member_trade WHERE universe = $1 AND id > $2 ORDER BY id";
const FILLS_AFTER = "SELECT id::float8 AS id, code, at, lots FROM member_fill WHERE universe = $1 AND id > $2 ORDER BY id";

/** Effects that are in the database, and the newest of them. */
export interface StoredEffects {
  trades: MemberTrade[];
  fills: MemberFill[];
  stored: StoredUpTo;
}

/**
 * Gives a simulated market the members' trades from before the start; `past` reads the days of earlier sessions, later.
 * @returns the newest of them
 */
export async function restoreTrades(db: Reader, venue: Venue, at: number, past: Reader = db): Promise<StoredUpTo> {
  const state = venue.state(at);
  if (!state.simulated) return { tradeId: 0, fillId: 0 };
  const market = marketName(state);
  const rowOf = (code: string): number => venue.instrument(code)?.row ?? -1;
  // Exact only in one snapshot, which is how one that goes on from here reads it.
  const newest = await readNewest(db);
  const before = Math.min(venue.minutesSince?.(at) ?? state.opensAt, await readMark(db, market));
  const trades = await query<Omit<MemberTrade, "row"> & { code: string }>(db, TRADES, [market, before]);
  const fills = await query<Omit<MemberFills, "row"> & { code: string }>(db, FILLS, [market, before]);
  venue.restore({
    trades: trades.map(({ code, ...trade }) => ({ ...trade, row: rowOf(code) })).filter(({ row }) => row >= 0),
    fills: fills.map(({ code, ...each }) => ({ ...each, row: rowOf(code) })).filter(({ row }) => row >= 0),
    before,
    past: (code, since) => readDays(past, market, code, { since, before }),
  });
  return newest;
}

/** The same on the server that writes, which first sums the days that are over. Where it cannot, it reads more. */
export async function openTrades(deps: MemberDayDeps): Promise<void> {
  try {
    await sumDays(deps);
  } catch (error) {
    deps.report?.(error);
  }
  await restoreTrades(deps.db.kysely, deps.venue, deps.now());
}

/** The calls of the session that members were in, oldest first. */
export async function readCalls(db: Reader, venue: Venue, at: number): Promise<MemberTrade[]> {
  const state = venue.state(at);
  const calls = await query<Omit<MemberTrade, "row"> & { code: string }>(db, CALLS, [marketName(state), state.opensAt]);
  return calls.map(({ code, ...call }) => ({ ...call, row: venue.instrument(code)?.row ?? -1 })).filter(({ row }) => row >= 0);
}

/** What was stored after a trade and a fill, oldest first. */
export async function readEffectsAfter(db: Reader, venue: Venue, at: number, after: StoredUpTo): Promise<StoredEffects> {
  const market = marketName(venue.state(at));
  const rowOf = (code: string): number => venue.instrument(code)?.row ?? -1;
  type Coded<Effect> = Omit<Effect, "row"> & { code: string; id: number };
  const trades = await query<Coded<MemberTrade>>(db, TRADES_AFTER, [market, after.tradeId]);
  const fills = await query<Coded<MemberFill>>(db, FILLS_AFTER, [market, after.fillId]);
  const withRow = <Effect extends { code: string }>(all: readonly Effect[]) =>
    all.map((each) => ({ ...each, row: rowOf(each.code) })).filter(({ row }) => row >= 0);
  return {
    trades: withRow(trades).map(({ row, at: time, price, lots, side }) => ({ row, at: time, price, lots, side })),
    fills: withRow(fills).map(({ row, at: time, lots }) => ({ row, at: time, lots })),
    stored: { tradeId: trades.at(-1)?.id ?? after.tradeId, fillId: fills.at(-1)?.id ?? after.fillId },
  };
}
