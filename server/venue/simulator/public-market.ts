/**
 * The market as it is published: its own trades, which its path and members' impact tell, and those of members. What depends on money, such as
 * margin, triggers and settlement, reads the market without members instead, so that nobody can move it.
 */
import { PRICE_ONE } from "#contract/kernel/money.ts";
import type { Quote } from "#contract/quote.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import { withMembers } from "#server/venue/matching/member-trade.ts";
import type { MemberLog, MemberSpan, MemberTrade, TradeTimes } from "#server/venue/matching/member-trade.ts";
import type { MarketColumns } from "#server/venue/market-data/market-columns.ts";
import { Tape } from "#server/venue/market-data/trade-tape.ts";
import type { AggressorSide } from "#server/venue/market-data/trade-tape.ts";
import { LAG_MS } from "./impact.ts";
import { MAX_KEY_TRADES } from "./key-trades.ts";
import { liveBarsOf } from "./own-bars.ts";
import type { LiveBars } from "./live-bars.ts";
import type { MarketState } from "./market-state.ts";
import type { MemberPast, MemberTrades } from "./member-trades.ts";
import type { MovedMarket, OwnDay } from "./moved-market.ts";
import { clockOf, tradeTimes } from "./trade-times.ts";

/** The tape of a row that members have traded, and the number of the market's own trades in it. */
interface PublicTape {
  session: number;
  tape: Tape;
  own: number;
}

/** What members did to a row in a session. */
export interface MemberSession {
  row: number;
  minutes: MemberPast["minutes"];
  fills: readonly number[];
}

/** The columns that rankings sort by. */
type Columns = MarketColumns["columns"];

export class PublicMarket {
  readonly #state: MarketState;
  readonly #trades: MemberTrades;
  readonly #moved: MovedMarket;
  readonly #tapes = new Map<number, PublicTape>();
  /** The times of the market's own trades of a whole session, by row. */
  readonly #planned = new Map<number, { session: number; fills: number; times: TradeTimes }>();
  /** The columns of the table with members' trades, as of the last `refresh`. */
  columns: Columns;
  /** Sessions that opened before this are in the log alone. */
  #before = 0;

  constructor(state: MarketState, trades: MemberTrades, moved: MovedMarket) {
    this.#state = state;
    this.#trades = trades;
    this.#moved = moved;
    this.columns = state;
  }

  /** Replaces members' trades, and what moved prices, by those from before a restart. */
  restore({ trades, fills = [], before = 0 }: MemberLog): void {
    for (const known of [this.#tapes, this.#planned, this.#moved, this.#trades]) known.clear();
    this.#before = before;
    for (const trade of trades) this.#trades.add(trade);
    for (const each of fills) this.#trades.addFills(each);
  }

  /** Whether something belongs to a session that is read from the log when it is asked for. */
  isPast(at: number): boolean {
    return this.#before > 0 && this.#state.market.calendar.opensAt(this.#trades.placeOf({ at }).session) < this.#before;
  }

  /** Adds what members bought of the market, or sold as a negative number, once it is committed. */
  fill(row: number, at: number, lots: number): void {
    if (this.isPast(at)) return;
    // A commit that took so long that trades were printed without it: the tape is that of the log, as after a restart.
    if ((this.#state.at[row] ?? 0) >= at + LAG_MS) this.#tapes.delete(row);
    this.#moved.add(row, at, lots);
  }

  /** Adds a trade that has just been committed. */
  report(trade: MemberTrade): void {
    if (this.isPast(trade.at)) return;
    // The tape is opened before the trade is known, which then follows what is on it.
    // A call replaces a trade that may be on the tape already.
    if (trade.side === 0) this.#tapes.delete(trade.row);
    const isToday = trade.side !== 0 && this.#trades.placeOf(trade).session === this.#state.session;
    const shown = isToday ? this.#tapeOf(trade.row) : null;
    this.#trades.add(trade);
    shown?.tape.record(0, trade.at, trade.price, trade.lots, trade.side);
  }

  #today(row: number): MemberSpan | null {
    return this.#trades.day(row, this.#state.session);
  }

  /** The times of the market's own first trade of the session and of its latest one so far. */
  #times(row: number): TradeTimes {
    const state = this.#state;
    const path = this.#moved.path(row);
    const newest = state.readTape(row, 0, 1);
    if (!path || newest.length === 0) return null;
    const { calendar } = state.market;
    let planned = this.#planned.get(row);
    const fills = this.#moved.fillsOf(row);
    if (planned?.session !== state.session || planned.fills !== fills) {
      planned = { session: state.session, fills, times: tradeTimes(path, clockOf(calendar, state.session), 0, calendar.minutes) };
      this.#planned.set(row, planned);
    }
    const { firstAt = Infinity, rest = null } = planned.times ?? {};
    // Before the last minute the range of the day is still to come.
    return { firstAt, lastAt: tradeAt(newest, 0).at, rest: state.minute >= calendar.minutes - 1 ? rest : null };
  }

  /** The market's own day of a row so far, as it traded; last 0 before its first trade. */
  #ownDay(row: number): OwnDay {
    const { open, high, low, last, volume, turnover } = this.#state;
    const of = (column: Float64Array): number => column[row] ?? 0;
    const alone = { open: of(open), high: of(high), low: of(low), last: of(last), volume: of(volume), turnover: of(turnover) };
    return this.#moved.day(row) ?? alone;
  }

  /** The day of a row with members' trades; null before its first trade. */
  #dayOf(row: number, own: OwnDay): LiveBars["day"] {
    const span = this.#today(row);
    const { open, high, low, last, volume } = own;
    const alone = last > 0 ? { open, high, low, close: last, volume } : null;
    return span ? withMembers(alone, this.#times(row), span) : alone;
  }

  /** Whether members have done anything to a row in the session. */
  #isAlone(row: number): boolean {
    return !this.#today(row) && this.#moved.fillsOf(row) === 0;
  }

  /** A quote with members' trades in it; `lotShares`: shares of a lot. */
  quote(own: Quote, lotShares: number): Quote {
    const { row } = own;
    if (this.#isAlone(row)) return own;
    const traded = this.#ownDay(row);
    const day = this.#dayOf(row, traded);
    if (!day) return own;
    const { open, high, low, close, volume } = day;
    const span = this.#today(row);
    const turnover = Math.round(((traded.turnover + (span?.turnover ?? 0)) * lotShares) / PRICE_ONE);
    return { ...own, at: Math.max(own.at, span?.lastAt ?? 0), open, high, low, last: close, volume, turnover };
  }

  /** The day's lots that sellers and buyers came for. */
  sides(row: number): { atBid: number; atAsk: number } {
    const tape = this.#state.tapeOf(row);
    const { sold = 0, bought = 0 } = this.#today(row) ?? {};
    return { atBid: (tape.atBid[row] ?? 0) + sold, atAsk: (tape.atAsk[row] ?? 0) + bought };
  }

  /** The newest trades of a row numbered above `after`, at most `limit`, flat TAPE_FIELDS, oldest first. */
  tape(row: number, after: number, limit: number): number[] {
    return this.#today(row) ? this.#tapeOf(row).tape.read(0, after, limit) : this.#moved.tape(row, after, limit);
  }

  /** The tape of a row that members trade, up to date with the market's own trades. */
  #tapeOf(row: number): PublicTape {
    const state = this.#state;
    const known = this.#tapes.get(row);
    if (known?.session === state.session) {
      this.#follow(row, known);
      return known;
    }
    const opened = { session: state.session, tape: new Tape(1), own: state.tapeOf(row).count[row] ?? 0 };
    const own = this.#ownTrades(row, 0);
    const trades = [...own, ...this.#trades.newest(row, state.session)].toSorted((a, b) => a.at - b.at).slice(-MAX_TRADES);
    const all = opened.own + (this.#today(row)?.trades ?? 0);
    opened.tape.countOnly(0, all - trades.length, 0, 0);
    for (const { at, price, lots, side } of trades) opened.tape.record(0, at, price, lots, side);
    this.#tapes.set(row, opened);
    return opened;
  }

  #ownTrades(row: number, after: number): MemberTrade[] {
    const flat = this.#moved.tape(row, after, MAX_TRADES);
    return Array.from({ length: flat.length / TAPE_STRIDE }, (_, nth) => {
      const { at, price, lots, side } = tradeAt(flat, nth * TAPE_STRIDE);
      const call = side === 0 ? this.#trades.call(row, at) : null;
      return call ? { ...call, lots: lots + call.lots } : { row, at, price, lots, side: side as AggressorSide };
    });
  }

  /** Adds the market's own trades since the last time. */
  #follow(row: number, shown: PublicTape): void {
    const count = this.#state.tapeOf(row).count[row] ?? 0;
    if (count === shown.own) return;
    const trades = this.#ownTrades(row, shown.own);
    const lost = count - shown.own - trades.length;
    if (lost > 0) shown.tape.countOnly(0, lost, 0, 0);
    for (const { at, price, lots, side } of trades) shown.tape.record(0, at, price, lots, side);
    shown.own = count;
  }

  /** The live bars of one instrument, with which its history ends. */
  liveBars(row: number): LiveBars {
    const state = this.#state;
    const own = liveBarsOf(state, row);
    if (this.#isAlone(row)) return own;
    const minute = this.#trades.minute(row, own.session, own.minute);
    const day = this.#dayOf(row, this.#ownDay(row));
    const bar = this.#moved.minuteBar(row, own.bar);
    return { ...own, day, bar: minute ? withMembers(bar, this.#minuteTimes(row, own), minute) : bar };
  }

  /** The times of the market's own first and latest trades of the current minute. */
  #minuteTimes(row: number, { session, minute, bar }: LiveBars): TradeTimes {
    const { calendar } = this.#state.market;
    const lastAt = this.#times(row)?.lastAt;
    if (!bar || lastAt === undefined) return null;
    const firstAt = calendar.opensAt(session) + minute * calendar.minuteMs + (this.#state.trades.offset[row * MAX_KEY_TRADES] ?? 0);
    return { firstAt, lastAt, rest: null };
  }

  /** The rows that members have done anything to in the session. */
  get touched(): number[] {
    return this.#trades.rowsOf(this.#state.session);
  }

  /** What members add to a row's price, lots and turnover (price units times lots) so far. */
  added(row: number): { price: number; lots: number; turnover: number } {
    const { last, reference, turnover } = this.#state;
    const own = this.#ownDay(row);
    const [day, span] = [this.#dayOf(row, own), this.#today(row)];
    return {
      price: day ? day.close - (last[row] || (reference[row] ?? 0)) : 0,
      lots: span?.lots ?? 0,
      turnover: own.turnover + (span?.turnover ?? 0) - (turnover[row] ?? 0),
    };
  }

  /** The official close of a row once its session is over, or the latest price before; 0 without trades. */
  close(row: number): number {
    return this.#dayOf(row, this.#ownDay(row))?.close ?? 0;
  }

  /** What the history of a row needs of members' trades; null where there are none. */
  past(row: number): MemberPast | null {
    return this.#trades.past(row);
  }

  /** The rows that members did something to in a session. */
  memberRows(session: number): number[] {
    return this.#trades.rowsOf(session);
  }

  /** By what a change of a row in a session is noticed: another span, or more fills. */
  memberState(row: number, session: number): { span: MemberSpan | null; fills: number } {
    return { span: this.#trades.day(row, session), fills: this.#trades.fills(row, session).length };
  }

  /** Members' minutes of a row in a session, and what moved its price. */
  sessionOf(row: number, session: number): MemberSession {
    return { row, minutes: this.#trades.minutesOf(row, session), fills: this.#trades.fills(row, session) };
  }

  /** The same of all rows. */
  sessionMinutes(session: number): MemberSession[] {
    return this.memberRows(session).map((row) => this.sessionOf(row, session));
  }

  /** Brings the columns that rankings read up to date. */
  refresh(): void {
    const state = this.#state;
    const rows = this.#trades.rowsOf(state.session);
    if (rows.length === 0) {
      this.columns = state;
      return;
    }
    const { reference } = state;
    const [last, open, high, low] = [state.last.slice(), state.open.slice(), state.high.slice(), state.low.slice()];
    const [volume, turnover] = [state.volume.slice(), state.turnover.slice()];
    for (const row of rows) {
      const own = this.#ownDay(row);
      const day = this.#dayOf(row, own);
      if (!day) continue;
      [last[row], open[row], high[row], low[row]] = [day.close, day.open, day.high, day.low];
      [volume[row], turnover[row]] = [day.volume, own.turnover + (this.#today(row)?.turnover ?? 0)];
    }
    this.columns = { last, open, high, low, reference, volume, turnover };
  }
}
