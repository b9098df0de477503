/** The trades that a batch adds to the market: stored with its fills, and published after the commit. */
import { unitsPerWhole } from "#contract/instrument.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { MemberSpan, MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Venue } from "#server/venue/venue.ts";

const INSERT = `
INSERT INTO member_trade (universe, code, opens_at, at, price, lots, side)
SELECT universe, code, opens_at, at, price, lots, side FROM json_populate_recordset(NULL::member_trade, $1::json)`;

/** Trades of sessions that opened so long ago are read summed up by session: minutes are shown of the latest sessions only. */
const SUMMED_AFTER_MS = 40 * DAY_MS;

const DAYS = `
SELECT code, opens_at AS "opensAt", min(at) AS "firstAt", max(at) AS "lastAt", max(price) AS high, min(price) AS low,
  (array_agg(price ORDER BY at, id))[1] AS open, (array_agg(price ORDER BY at DESC, id DESC))[1] AS close,
  sum(lots)::float8 AS lots, sum(lots * price)::float8 AS turnover,
  count(*) FILTER (WHERE side <> 0)::float8 AS trades,
  (array_agg(side ORDER BY at, id))[1] = 0 AS "opensPriced", (array_agg(side ORDER BY at DESC, id DESC))[1] = 0 AS "closesPriced",
  coalesce(sum(lots) FILTER (WHERE side > 0), 0)::float8 AS bought, coalesce(sum(lots) FILTER (WHERE side < 0), 0)::float8 AS sold
FROM member_trade WHERE universe = $1 AND opens_at < $2 GROUP BY code, opens_at`;
const TRADES = "SELECT code, at, price, lots, side FROM member_trade WHERE universe = $1 AND opens_at >= $2 ORDER BY id";

export class MarketInBatch {
  readonly #venue: Venue;
  readonly #trades: MemberTrade[] = [];
  /** Those that are published already. */
  readonly #known = new Set<MemberTrade>();

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  /** Adds a trade in the units of orders. The market counts whole coins: what is less than one is not shown. */
  add(trade: MemberTrade): void {
    const instrument = this.#venue.instruments[trade.row];
    const lots = Math.floor(trade.lots / (instrument ? unitsPerWhole(instrument) : 1));
    if (lots > 0) this.#trades.push({ ...trade, lots });
  }

  /** Adds a call, in what the market counts; `isKnown` where it was published when it was priced. */
  addCall(trade: MemberTrade, isKnown: boolean): void {
    this.#trades.push(trade);
    if (isKnown) this.#known.add(trade);
  }

  /** Stores the trades. Members never move a real market. */
  async write(tx: Tx, at: number): Promise<void> {
    const state = this.#venue.state(at);
    if (this.#trades.length === 0 || !state.simulated) return;
    const rows = this.#trades.map(({ row, ...trade }) => ({
      ...trade,
      universe: marketName(state),
      code: this.#venue.instruments[row]?.code,
      opens_at: state.opensAt,
    }));
    await query(tx, INSERT, [JSON.stringify(rows)]);
  }

  /** Publishes the trades, once they are committed. */
  commit(): void {
    const trades = this.#trades.filter((trade) => !this.#known.has(trade));
    if (trades.length > 0) this.#venue.report(trades);
  }
}

/** Gives a simulated market the members' trades from before the start. */
export async function restoreTrades(db: Reader, venue: Venue, at: number): Promise<void> {
  const state = venue.state(at);
  if (!state.simulated) return;
  const since = [marketName(state), state.opensAt - SUMMED_AFTER_MS];
  const rowOf = (code: string): number => venue.instrument(code)?.row ?? -1;
  const days = await query<MemberSpan & { code: string; opensAt: number }>(db, DAYS, since);
  const trades = await query<Omit<MemberTrade, "row"> & { code: string }>(db, TRADES, since);
  venue.restore(
    days.map(({ code, opensAt, ...span }) => ({ row: rowOf(code), opensAt, span })).filter(({ row }) => row >= 0),
    trades.map(({ code, ...trade }) => ({ ...trade, row: rowOf(code) })).filter(({ row }) => row >= 0),
  );
}
