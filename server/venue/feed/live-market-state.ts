/** Where a live market stands: the columns of its quotes, books, tape and minute bars, moved on by what a feed tells. */
import type { Instrument } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { MINUTE_MS, SECOND_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import type { DayLimits } from "#contract/tick.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { Columns, floats } from "#server/venue/market-data/quote-columns.ts";
import { Tape } from "#server/venue/market-data/trade-tape.ts";
import type { Side } from "#server/venue/market-data/trade-tape.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";
import { MinuteBars } from "./minute-bars.ts";
import type { BookTick, DayTick, Latest, Listing, TradeTick } from "./port.ts";

/** A moment further ahead than this is no moment of this market: it would make everything after it look late. */
const AHEAD_MS = 60 * SECOND_MS;

interface Shown {
  bids: readonly Level[];
  asks: readonly Level[];
  /** An auction is being tried out: nothing can be traded. */
  trial: boolean;
}
/** What a feed says of a day's limits: that there are none, what they are, or nothing. */
export type ToldLimits = "none" | DayLimits | null;

const EMPTY: Shown = { bids: [], asks: [], trial: false };

const same = (one: readonly Level[], other: readonly Level[]): boolean =>
  one.length === other.length && one.every(([price, lots], at) => price === other[at]?.[0] && lots === other[at][1]);

export class LiveMarketState extends Columns {
  readonly tape: Tape;
  readonly bars: MinuteBars;
  session = -1;
  /** When the session's day begins, and the next one's. */
  #from = 0;
  #until = 0;
  readonly #calendar: Calendar;
  readonly #instruments: readonly Instrument[];
  readonly #latest: Listing["latest"];
  readonly #books: Shown[];
  /** When, by our clock, a row was last spoken of. */
  readonly #heard: Float64Array;
  /** Whether the day's lots of a row are known, so that more of them are a trade. */
  readonly #counted: Uint8Array;
  readonly #dayAt: Float64Array;
  readonly #tradeAt: Float64Array;
  readonly #bookAt: Float64Array;
  readonly #side: Int8Array;
  /** The day's limits of a row as the feed says them; null while it does not. */
  readonly #limits: ToldLimits[];

  constructor(listing: Listing, calendar: Calendar) {
    const rows = listing.instruments.length;
    super(rows);
    this.tape = new Tape(rows);
    this.bars = new MinuteBars(rows);
    this.#calendar = calendar;
    this.#instruments = listing.instruments;
    this.#latest = listing.latest;
    this.#books = Array.from({ length: rows }, () => EMPTY);
    this.#heard = floats(rows).fill(Number.NEGATIVE_INFINITY);
    this.#counted = new Uint8Array(rows);
    this.#dayAt = floats(rows);
    this.#tradeAt = floats(rows);
    this.#bookAt = floats(rows);
    this.#side = new Int8Array(rows).fill(1);
    this.#limits = Array.from({ length: rows }, () => null);
  }

  /** Move to the session of a moment of the market; says whether another one began. */
  move(clock: number): boolean {
    const { session } = this.#calendar.at(clock);
    if (session === this.session) return false;
    const follows = this.session >= 0;
    const closes = this.last.slice();
    const opensAt = this.#calendar.opensAt(session);
    this.#from = taipeiMidnight(this.#calendar.dayOf(session));
    this.#until = taipeiMidnight(this.#calendar.dayOf(session + 1));
    this.clearSession(Math.min(clock, opensAt));
    this.tape.clear();
    this.bars.begin(opensAt);
    for (const array of [this.#dayAt, this.#tradeAt, this.#bookAt]) array.fill(0);
    for (const row of this.#books.keys()) this.#books[row] = EMPTY;
    this.#heard.fill(Number.NEGATIVE_INFINITY);
    this.#limits.fill(null);
    // Whoever was here when it opened misses no trade of the day.
    this.#counted.fill(follows && clock < opensAt + MINUTE_MS ? 1 : 0);
    for (let row = 0; row < this.count; row += 1) {
      if (follows) this.reference[row] = (closes[row] ?? 0) || (this.reference[row] ?? 0);
      else this.#recall(row, this.#latest[row] ?? null);
    }
    this.session = session;
    return true;
  }

  /** Start from the latest whole day one knows: it is the day before, or this one, which has ended already. */
  #recall(row: number, latest: Latest | null): void {
    if (!latest) return;
    const over = latest.at >= this.#from;
    this.reference[row] = over ? latest.before : latest.close;
    if (!over) return;
    this.open[row] = latest.open;
    this.high[row] = latest.high;
    this.low[row] = latest.low;
    this.last[row] = latest.close;
  }

  /** When, by our clock, a row was last spoken of. */
  heard(row: number): number {
    return this.#heard[row] ?? Number.NEGATIVE_INFINITY;
  }

  /** The day's limits of a row as the feed says them. */
  limitsTold(row: number): ToldLimits {
    return this.#limits[row] ?? null;
  }

  /** A book as the feed shows it. */
  shown(row: number): Shown {
    return this.#books[row] ?? EMPTY;
  }

  /** The line is broken: forget the books. Gives the rows that had one. */
  forget(): number[] {
    const rows: number[] = [];
    for (const [row, { bids, asks }] of this.#books.entries()) {
      if (bids.length === 0 && asks.length === 0) continue;
      this.#books[row] = EMPTY;
      this.touch(row, this.at[row] ?? 0);
      rows.push(row);
    }
    this.#heard.fill(Number.NEGATIVE_INFINITY);
    return rows;
  }

  /** Take in what was told of a row at a moment of ours, when the market's clock shows `clock`; says whether that changed anything. */
  take(row: number, tick: DayTick | TradeTick | BookTick, clock: number, now: number): boolean {
    // What belongs to another session, or to no time at all, is not of this day.
    if (tick.at < this.#from || tick.at >= this.#until || tick.at > clock + AHEAD_MS) return false;
    this.#heard[row] = now;
    if (tick.kind === "day") return this.#day(row, tick);
    return tick.kind === "trade" ? this.#trade(row, tick) : this.#book(row, tick);
  }

  #changed(row: number, at: number): true {
    this.seq[row] = (this.seq[row] ?? 0) + 1;
    this.at[row] = Math.max(at, this.at[row] ?? 0);
    return true;
  }

  #day(row: number, tick: DayTick): boolean {
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
    // A price of 0 is none, and no reference would be no limits.
    put(this.reference, tick.reference || null);
    if (tick.limits) this.#limits[row] = tick.limits;
    put(this.open, tick.open || null);
    put(this.high, tick.high || null);
    put(this.low, tick.low || null);
    if (first || index) put(this.last, tick.last || null);
    if (index) put(this.volume, tick.volume);
    else if (first && tick.volume !== null) {
      this.#counted[row] = 1;
      put(this.volume, tick.volume);
      if (tick.turnover === null) put(this.turnover, this.#estimate(row, tick.volume));
      this.#standFor(row, tick.volume);
    }
    if (tick.turnover !== null) put(this.turnover, (tick.turnover * PRICE_ONE) / (this.#instruments[row]?.lotShares ?? 1));
    // An index has no trades, its levels are what bars are made of.
    if (printed) this.bars.add(row, this.#minuteOf(tick.at), tick.last ?? 0, 0);
    return changed && this.#changed(row, tick.at);
  }

  /** What lots cost that traded before we listened: about the middle of what is known of the day. */
  #estimate(row: number, lots: number): number {
    const known = [this.open, this.high, this.low, this.last].map((column) => column[row] ?? 0).filter((price) => price > 0);
    return known.length === 0 ? 0 : Math.round((lots * known.reduce((sum, price) => sum + price, 0)) / known.length);
  }

  /** What traded before we listened is one bar at the open: so the day's bars add up to the day, and nobody draws it into this minute. */
  #standFor(row: number, lots: number): void {
    const close = this.last[row] || this.open[row] || 0;
    if (lots === 0 || close === 0) return;
    for (const price of [this.open[row] || close, this.high[row] || close, this.low[row] || close]) this.bars.add(row, 0, price, 0);
    this.bars.add(row, 0, close, lots);
  }

  #trade(row: number, { price, volume, side, at: told }: TradeTick): boolean {
    if (price <= 0) return false;
    if (this.#counted[row] === 0) {
      this.#counted[row] = 1;
      this.last[row] = price;
      this.stretch(row, price);
      this.volume[row] = volume;
      this.turnover[row] = this.#estimate(row, volume);
      this.#standFor(row, volume);
      return this.#changed(row, told);
    }
    const lots = volume - (this.volume[row] ?? 0);
    // Told twice, or after what came later.
    if (lots <= 0) return false;
    const at = Math.max(told, this.#tradeAt[row] ?? 0);
    const minute = this.#minuteOf(at);
    const began = this.#auction(row, at, minute) ? 0 : (side ?? this.#infer(row, price));
    if (began !== 0) this.#side[row] = began;
    this.#tradeAt[row] = at;
    if (this.open[row] === 0) this.open[row] = price;
    this.stretch(row, price);
    this.last[row] = price;
    this.volume[row] = volume;
    this.turnover[row] = (this.turnover[row] ?? 0) + price * lots;
    this.tape.note(row, at, price, lots, began);
    this.bars.add(row, minute, price, lots);
    return this.#changed(row, at);
  }

  #book(row: number, { bids, asks, trial, at }: BookTick): boolean {
    if (at < (this.#bookAt[row] ?? 0)) return false;
    this.#bookAt[row] = at;
    const before = this.shown(row);
    if (before.trial === trial && same(before.bids, bids) && same(before.asks, asks)) return false;
    this.#books[row] = { bids, asks, trial };
    this.book[row] = (this.book[row] ?? 0) + 1;
    return this.#changed(row, at);
  }

  #minuteOf(at: number): number {
    const minute = Math.floor((at - this.#calendar.opensAt(this.session)) / MINUTE_MS);
    return Math.min(this.#calendar.minutes - 1, Math.max(0, minute));
  }

  /** The day's first match and the closing one are auctions, where the market sleeps at night. */
  #auction(row: number, at: number, minute: number): boolean {
    if (this.#calendar.hours === "always") return false;
    return (minute === 0 && this.tape.count[row] === 0) || this.#calendar.at(at).phase !== "open";
  }

  /** Who began a trade, from the book it met; between the sides, from where the price went; where it stood still, as before. */
  #infer(row: number, price: number): Side {
    const { bids, asks } = this.shown(row);
    if (asks[0] && price >= asks[0][0]) return 1;
    if (bids[0] && price <= bids[0][0]) return -1;
    const before = this.last[row] ?? 0;
    if (before > 0 && price !== before) return price > before ? 1 : -1;
    return (this.#side[row] ?? 1) > 0 ? 1 : -1;
  }
}
