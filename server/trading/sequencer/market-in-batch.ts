/** The trades that a batch adds to the market, and what moves its prices: stored with its fills, and published after the commit. */
import { unitsPerWhole } from "#contract/instrument.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { marketName } from "#server/venue/market-name.ts";
import { movesPrice } from "#server/venue/matching/member-trade.ts";
import type { MemberFill, MemberFills, MemberSpan, MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Venue } from "#server/venue/venue.ts";

const INSERT = `
INSERT INTO member_trade (universe, code, opens_at, at, price, lots, side)
SELECT universe, code, opens_at, at, price, lots, side FROM json_populate_recordset(NULL::member_trade, $1::json)`;

const INSERT_FILLS = `
INSERT INTO member_fill (universe, code, opens_at, at, lots)
SELECT universe, code, opens_at, at, lots FROM json_populate_recordset(NULL::member_fill, $1::json)`;

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
/** In the order in which they moved the price. */
const FILLS = `
SELECT code, opens_at AS "opensAt", json_agg(json_build_array(at, lots) ORDER BY id) AS fills
FROM member_fill WHERE universe = $1 GROUP BY code, opens_at`;

export class MarketInBatch {
  readonly #venue: Venue;
  readonly #at: number;
  readonly #trades: MemberTrade[] = [];
  readonly #fills: MemberFill[] = [];
  /** Those that are published already. */
  readonly #known = new Set<MemberTrade>();

  constructor(venue: Venue, at: number) {
    this.#venue = venue;
    this.#at = at;
  }

  /** Adds what a member bought of the market's own lots in continuous trading, or sold, if it moves the price. */
  addFill(row: number, side: "buy" | "sell", price: number, lots: number): void {
    const instrument = this.#venue.instruments[row];
    const limits = this.#venue.limits(row, this.#at);
    if (!instrument || unitsPerWhole(instrument) > 1 || !limits) return;
    if (!movesPrice(price, limits, this.#venue.quote(row))) return;
    this.#fills.push({ row, at: this.#at, lots: side === "buy" ? lots : -lots });
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

  /**
   * Stores the trades, at `now`. A fill counts from here on, not from when its batch was opened: by the time it does it is committed, so that
   * nothing was printed without it. Members never move a real market.
   */
  async write(tx: Tx, now: number): Promise<void> {
    const state = this.#venue.state(this.#at);
    if (!state.simulated) return;
    for (const fill of this.#fills) fill.at = Math.max(fill.at, Math.min(now, state.closesAt - 1));
    const market = { universe: marketName(state), opens_at: state.opensAt };
    const rowsOf = (all: readonly (MemberTrade | MemberFill)[]): string =>
      JSON.stringify(all.map(({ row, ...each }) => ({ ...each, ...market, code: this.#venue.instruments[row]?.code })));
    if (this.#trades.length > 0) await query(tx, INSERT, [rowsOf(this.#trades)]);
    if (this.#fills.length > 0) await query(tx, INSERT_FILLS, [rowsOf(this.#fills)]);
  }

  /** Publishes the trades, once they are committed. */
  commit(): void {
    const trades = this.#trades.filter((trade) => !this.#known.has(trade));
    if (trades.length > 0 || this.#fills.length > 0) this.#venue.report(trades, this.#fills);
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
  const fills = await query<Omit<MemberFills, "row"> & { code: string }>(db, FILLS, since.slice(0, 1));
  venue.restore(
    days.map(({ code, opensAt, ...span }) => ({ row: rowOf(code), opensAt, span })).filter(({ row }) => row >= 0),
    trades.map(({ code, ...trade }) => ({ ...trade, row: rowOf(code) })).filter(({ row }) => row >= 0),
    fills.map(({ code, ...each }) => ({ ...each, row: rowOf(code) })).filter(({ row }) => row >= 0),
  );
}
