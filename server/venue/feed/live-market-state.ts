/** The state of a live market (quotes, books, tape and minute bars), updated by a feed's ticks. */
import type { Instrument } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { MINUTE_MS, SECOND_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import type { DayLimits } from "#contract/tick.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { Columns, floats } from "#server/venue/market-data/quote-columns.ts";
import { Tape } from "#server/venue/market-data/trade-tape.ts";
import type { AggressorSide } from "#server/venue/market-data/trade-tape.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";
import { MinuteBars } from "./minute-bars.ts";
import type { BookTick, DayTick, FeedMarket, Latest, TradeTick } from "./port.ts";

/** A tick further in the future than this is rejected: it would make every later tick look late. */
const MAX_AHEAD_MS = 60 * SECOND_MS;

interface ShownBook {
  bids: readonly Level[];
  asks: readonly Level[];
  /** The book is from a trial match of an auction: nothing can be traded. */
  trial: boolean;
  delayed?: BookTick["delayed"];
}
/** The day's limits as reported by a feed: that there are none, what they are, or nothing. */
export type FeedLimits = "none" | DayLimits | null;

const EMPTY: ShownBook = { bids: [], asks: [], trial: false };

const sameLevels = (one: readonly Level[], other: readonly Level[]): boolean =>
  one.length === other.length && one.every(([price, lots], at) => price === other[at]?.[0] && lots === other[at][1]);

export class LiveMarketState extends Columns {
  readonly tape: Tape;
  readonly bars: MinuteBars;
  session = -1;
  /** When the session's calendar day begins, and when the next session's does. */
  #from = 0;
  #until = 0;
  readonly #calendar: Calendar;
  readonly #instruments: readonly Instrument[];
  readonly #latest: FeedMarket["latest"];
  readonly #books: ShownBook[];
  /** When, by our clock, the last tick of a row arrived. */
  readonly #lastTickAt: Float64Array;
  /** Whether the day's lots of a row are known, so that an increase is a trade. */
  readonly #counted: Uint8Array;
  readonly #dayAt: Float64Array;
  readonly #tradeAt: Float64Array;
  readonly #bookAt: Float64Array;
  readonly #side: Int8Array;
  /** The day's limits of a row as reported by the feed; null until reported. */
  readonly #limits: FeedLimits[];
  /** Time between the calls of rows under disposition. */
  readonly #callsEvery = new Map<number, number>();

  constructor(feedMarket: FeedMarket, calendar: Calendar) {
    const rows = feedMarket.instruments.length;
    super(rows);
    this.tape = new Tape(rows);
    this.bars = new MinuteBars(rows);
    this.#calendar = calendar;
    this.#instruments = feedMarket.instruments;
    this.#latest = feedMarket.latest;
    this.#books = Array.from({ length: rows }, () => EMPTY);
    this.#lastTickAt = floats(rows).fill(Number.NEGATIVE_INFINITY);
    this.#counted = new Uint8Array(rows);
    this.#dayAt = floats(rows);
    this.#tradeAt = floats(rows);
    this.#bookAt = floats(rows);
    this.#side = new Int8Array(rows).fill(1);
    this.#limits = Array.from({ length: rows }, () => null);
  }

  /** Advances to the session of a market time; returns whether another one began. */
  advance(clock: number): boolean {
    const { session } = this.#calendar.at(clock);
    if (session === this.session) return false;
    const hadSession = this.session >= 0;
    const closes = this.last.slice();
    const opensAt = this.#calendar.opensAt(session);
    this.#from = taipeiMidnight(this.#calendar.dayOf(session));
    this.#until = taipeiMidnight(this.#calendar.dayOf(session + 1));
    this.clearSession(Math.min(clock, opensAt));
    this.tape.clear();
    this.bars.begin(opensAt);
    for (const array of [this.#dayAt, this.#tradeAt, this.#bookAt]) array.fill(0);
    for (const row of this.#books.keys()) this.#books[row] = EMPTY;
    this.#lastTickAt.fill(Number.NEGATIVE_INFINITY);
    this.#limits.fill(null);
    this.#callsEvery.clear();
    // If the server was running at the open, it has not missed any trade of the day.
    this.#counted.fill(hadSession && clock < opensAt + MINUTE_MS ? 1 : 0);
    for (let row = 0; row < this.count; row += 1) {
      if (hadSession) this.reference[row] = (closes[row] ?? 0) || (this.reference[row] ?? 0);
      else this.#startFrom(row, this.#latest[row] ?? null);
    }
    this.session = session;
    return true;
  }

  /** Starts from the latest known whole day: the day before, or the session's own day if that has ended. */
  #startFrom(row: number, latest: Latest | null): void {
    if (!latest) return;
    const ended = latest.at >= this.#from;
    this.reference[row] = ended ? latest.before : latest.close;
    if (!ended) return;
    this.open[row] = latest.open;
    this.high[row] = latest.high;
    this.low[row] = latest.low;
    this.last[row] = latest.close;
  }

  /** When, by our clock, the last tick of a row arrived. */
  lastTickAt(row: number): number {
    return this.#lastTickAt[row] ?? Number.NEGATIVE_INFINITY;
  }

  /** The day's limits of a row as reported by the feed. */
  feedLimits(row: number): FeedLimits {
    return this.#limits[row] ?? null;
  }

  /** The time between two calls of a row under disposition; null while it trades continuously. */
  callsEvery(row: number): number | null {
    return this.#callsEvery.get(row) ?? null;
  }

  /** The book as shown by the feed. */
  shown(row: number): ShownBook {
    return this.#books[row] ?? EMPTY;
  }

  /** Clears the books after the connection was lost. Returns the rows that had one. */
  clearBooks(): number[] {
    const rows: number[] = [];
    for (const [row, { bids, asks }] of this.#books.entries()) {
      if (bids.length === 0 && asks.length === 0) continue;
      this.#books[row] = EMPTY;
      this.touch(row, this.at[row] ?? 0);
      rows.push(row);
    }
    this.#lastTickAt.fill(Number.NEGATIVE_INFINITY);
    return rows;
  }

  /** Applies a tick to a row; `clock` is the market's time, `now` ours. Returns whether anything changed. */
  apply(row: number, tick: DayTick | TradeTick | BookTick, clock: number, now: number): boolean {
    // Ticks of another session, or with an impossible time, are ignored.
    if (tick.at < this.#from || tick.at >= this.#until || tick.at > clock + MAX_AHEAD_MS) return false;
    this.#lastTickAt[row] = now;
    if (tick.kind === "day") return this.#applyDay(row, tick);
    return tick.kind === "trade" ? this.#applyTrade(row, tick) : this.#applyBook(row, tick);
  }

  #changed(row: number, at: number): true {
    this.seq[row] = (this.seq[row] ?? 0) + 1;
    this.at[row] = Math.max(at, this.at[row] ?? 0);
    return true;
  }

  #applyDay(row: number, tick: DayTick): boolean {
    if (tick.at < (this.#dayAt[row] ?? 0)) return false;
    this.#dayAt[row] = tick.at;
    let changed = false;
    const put = (column: Float64Array, value: number | null): void => {
      if (value === null || value === column[row]) return;
      column[row] = value;
      changed = true;
    };
    const index = this.#instruments[row]?.kind === "index";
    const printed = index && tick.last !== null && tick.last > 0 && tick.last !== this.last[row];
    const first = this.#counted[row] === 0;
    // A price of 0 means none, and without a reference there would be no limits.
    put(this.reference, tick.reference || null);
    if (tick.limits) this.#limits[row] = tick.limits;
    if (tick.callsEveryMs !== undefined) {
      changed ||= this.callsEvery(row) !== tick.callsEveryMs;
      if (tick.callsEveryMs === null) this.#callsEvery.delete(row);
      else this.#callsEvery.set(row, tick.callsEveryMs);
    }
    put(this.open, tick.open || null);
    put(this.high, tick.high || null);
    put(this.low, tick.low || null);
    if (first || index) put(this.last, tick.last || null);
    if (index) put(this.volume, tick.volume);
    else if (first && tick.volume !== null) {
      this.#counted[row] = 1;
      put(this.volume, tick.volume);
      if (tick.turnover === null) put(this.turnover, this.#estimate(row, tick.volume));
      this.#addOpeningBar(row, tick.volume);
    }
    if (tick.turnover !== null) put(this.turnover, (tick.turnover * PRICE_ONE) / (this.#instruments[row]?.lotShares ?? 1));
    // An index has no trades; its bars are built from its levels.
    if (printed) this.bars.add(row, this.#minuteOf(tick.at), tick.last ?? 0, 0);
    return changed && this.#changed(row, tick.at);
  }

  /** Estimates the turnover of lots traded before we connected, from the average of the day's known prices. */
  #estimate(row: number, lots: number): number {
    const known = [this.open, this.high, this.low, this.last].map((column) => column[row] ?? 0).filter((price) => price > 0);
    return known.length === 0 ? 0 : Math.round((lots * known.reduce((sum, price) => sum + price, 0)) / known.length);
  }

  /**
   * Lots traded before we connected become one bar at the open, so that the day's bars add up and they do not appear in the current
   * minute.
   */
  #addOpeningBar(row: number, lots: number): void {
    const close = this.last[row] || this.open[row] || 0;
    if (lots === 0 || close === 0) return;
    for (const price of [this.open[row] || close, this.high[row] || close, this.low[row] || close]) this.bars.add(row, 0, price, 0);
    this.bars.add(row, 0, close, lots);
  }

  #applyTrade(row: number, { price, volume, side, at: tickAt }: TradeTick): boolean {
    if (price <= 0) return false;
    if (this.#counted[row] === 0) {
      this.#counted[row] = 1;
      this.last[row] = price;
      this.extendDay(row, price);
      this.volume[row] = volume;
      this.turnover[row] = this.#estimate(row, volume);
      this.#addOpeningBar(row, volume);
      return this.#changed(row, tickAt);
    }
    const lots = volume - (this.volume[row] ?? 0);
    // A duplicate, or older than a tick already applied.
    if (lots <= 0) return false;
    const at = Math.max(tickAt, this.#tradeAt[row] ?? 0);
    const minute = this.#minuteOf(at);
    const aggressor = this.#isAuction(row, at, minute) ? 0 : (side ?? this.#inferSide(row, price));
    if (aggressor !== 0) this.#side[row] = aggressor;
    this.#tradeAt[row] = at;
    if (this.open[row] === 0) this.open[row] = price;
    this.extendDay(row, price);
    this.last[row] = price;
    this.volume[row] = volume;
    this.turnover[row] = (this.turnover[row] ?? 0) + price * lots;
    this.tape.record(row, at, price, lots, aggressor);
    this.bars.add(row, minute, price, lots);
    return this.#changed(row, at);
  }

  #applyBook(row: number, { bids, asks, trial, delayed, at }: BookTick): boolean {
    if (at < (this.#bookAt[row] ?? 0)) return false;
    this.#bookAt[row] = at;
    const before = this.shown(row);
    if (before.trial === trial && before.delayed === delayed && sameLevels(before.bids, bids) && sameLevels(before.asks, asks))
      return false;
    this.#books[row] = { bids, asks, trial, delayed };
    this.book[row] = (this.book[row] ?? 0) + 1;
    return this.#changed(row, at);
  }

  #minuteOf(at: number): number {
    const minute = Math.floor((at - this.#calendar.opensAt(this.session)) / MINUTE_MS);
    return Math.min(this.#calendar.minutes - 1, Math.max(0, minute));
  }

  /** The day's first match and the closing one are auctions, except in a market around the clock. */
  #isAuction(row: number, at: number, minute: number): boolean {
    if (this.#calendar.hours === "always") return false;
    return (minute === 0 && this.tape.count[row] === 0) || this.#calendar.at(at).phase !== "open";
  }

  /** The aggressor side of a trade: from the book, between bid and ask from the price change, for an unchanged price as before. */
  #inferSide(row: number, price: number): AggressorSide {
    const { bids, asks } = this.shown(row);
    if (asks[0] && price >= asks[0][0]) return 1;
    if (bids[0] && price <= bids[0][0]) return -1;
    const before = this.last[row] ?? 0;
    if (before > 0 && price !== before) return price > before ? 1 : -1;
    return (this.#side[row] ?? 1) > 0 ? 1 : -1;
  }
}
