/** The trades that a batch adds to the market, and what moves its prices: stored with its fills, and published after the commit. */
import { unitsPerWhole } from "#contract/instrument.ts";
import { queryAll } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { Statement } from "#server/db/statement.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { StoredUpTo } from "#server/venue/matching/member-effect.ts";
import { movesPrice } from "#server/venue/matching/member-trade.ts";
import type { MemberFill, MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Venue } from "#server/venue/venue.ts";
import { correctDays } from "./member-days.ts";

/** Whether the session of what is stored is summed up already. The mark is read once the table's lock is there, so none is overlooked. */
const RETURNING = `
RETURNING id, code, opens_at AS "opensAt",
  opens_at < coalesce((SELECT until FROM member_day_mark AS mark WHERE mark.universe = $2), 0) AS "isSummed"`;

const INSERT = `
INSERT INTO member_trade (universe, code, opens_at, at, price, lots, side)
SELECT universe, code, opens_at, at, price, lots, side FROM json_populate_recordset(NULL::member_trade, $1::json)
${RETURNING}`;

const INSERT_FILLS = `
INSERT INTO member_fill (universe, code, opens_at, at, lots)
SELECT universe, code, opens_at, at, lots FROM json_populate_recordset(NULL::member_fill, $1::json)
${RETURNING}`;

/** What a batch has stored. */
interface Stored {
  id: number;
  code: string;
  opensAt: number;
  isSummed: boolean;
}

export class MarketInBatch {
  readonly #venue: Venue;
  readonly #at: number;
  readonly #trades: MemberTrade[] = [];
  readonly #fills: MemberFill[] = [];
  /** Those that are published already. */
  readonly #known = new Set<MemberTrade>();
  /** The newest of them in the database; 0 for none. */
  #stored: StoredUpTo = { tradeId: 0, fillId: 0 };

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
    const universe = marketName(state);
    const insert = (sql: string, all: readonly (MemberTrade | MemberFill)[]): Statement[] => {
      // A call that is booked late may be of the session before.
      const rows = all.map(({ row, ...each }) => {
        const { opensAt } = this.#venue.state(each.at);
        return { ...each, universe, opens_at: opensAt, code: this.#venue.instruments[row]?.code };
      });
      return rows.length === 0 ? [] : [{ sql, parameters: [JSON.stringify(rows), universe] }];
    };
    const inserts = [insert(INSERT, this.#trades), insert(INSERT_FILLS, this.#fills)];
    const stored = (await queryAll(tx, inserts.flat())) as Stored[][];
    const [trades = [], fills = []] = inserts.map((one) => (one.length > 0 ? stored.shift() : []));
    const newest = (all: readonly Stored[]): number => Math.max(0, ...all.map(({ id }) => id));
    this.#stored = { tradeId: newest(trades), fillId: newest(fills) };
    const late = [...trades, ...fills].filter(({ isSummed }) => isSummed);
    for (const [opensAt, some] of Map.groupBy(late, (each) => each.opensAt))
      await correctDays(tx, universe, opensAt, [...new Set(some.map(({ code }) => code))]);
  }

  /** Publishes the trades, once they are committed. */
  commit(): void {
    const trades = this.#trades.filter((trade) => !this.#known.has(trade));
    if (trades.length === 0 && this.#fills.length === 0) return;
    const { tradeId, fillId } = this.#stored;
    // What takes back a call that was priced is stored nowhere: followers must not take it for something they know.
    this.#venue.report(trades, this.#fills, tradeId + fillId > 0 ? this.#stored : undefined);
  }
}
