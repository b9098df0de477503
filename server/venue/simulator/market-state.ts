/** The trading floor: the state of every instrument at one moment, moved on minute by minute and trade by trade. */
import { toTick } from "#contract/tick.ts";
import type { Position } from "#server/venue/calendar/trading-calendar.ts";
import { Columns, floats } from "#server/venue/market-data/quote-columns.ts";
import { unit } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Live } from "#server/venue/history/bar-history.ts";
import { MOST_TRADES, Path } from "./intraday-path.ts";
import type { Bar, Trades } from "./intraday-path.ts";
import { LiveIndices } from "./live-index.ts";
import { DailyProcessReader } from "./seeded-market.ts";
import type { Market } from "./seeded-market.ts";
import { TapeBackfill } from "./tape-backfill.ts";
import { faceOf, sideOf } from "./aggressor-side.ts";
import { NO_LIMITS } from "#server/venue/market-data/market-snapshot.ts";
import { Tape } from "#server/venue/market-data/trade-tape.ts";

/** Rows made ready for the next session with each beat. */
const AHEAD = 32;

export class MarketState extends Columns {
  readonly market: Market;
  readonly indices: LiveIndices;
  readonly tape: Tape;
  session = -1;
  minute = -1;
  readonly trades: Trades;
  /** How many of the minute's key trades have been printed. */
  readonly printed: Uint8Array;
  /** Rows whose pause began, and whose pause ended, with the current minute or, after a jump, one just before it. */
  readonly pausing: number[] = [];
  readonly resuming: number[] = [];
  readonly #paths: (Path | null)[];
  readonly #diaries: (DailyProcessReader | null)[];
  /** Paths of the session to come, made ahead a few at a time so that its first beat is not a long one. */
  #ahead: (Path | null)[] = [];
  readonly #mean: Float64Array;
  readonly #bars: Bar[];
  readonly #retelling = new TapeBackfill();
  /** Minutes of the session that were lived through at once. */
  #replayed = 0;
  /** When the current minute began. */
  #minuteAt = 0;

  constructor(market: Market) {
    super(market.referenceData.listings.length);
    const { count } = this;
    const places = count * MOST_TRADES;
    this.market = market;
    this.indices = new LiveIndices(market, this);
    this.tape = new Tape(count);
    this.trades = { count: new Uint8Array(count), offset: new Int32Array(places), price: floats(places), lots: new Int32Array(places) };
    this.printed = new Uint8Array(count);
    this.#paths = Array.from({ length: count }, () => null);
    this.#diaries = Array.from({ length: count }, () => null);
    this.#mean = floats(count);
    this.#bars = Array.from({ length: count }, () => ({ open: 0, high: 0, low: 0, close: 0, volume: 0 }));
  }

  /** Bring the floor to a moment. Says whether a new session began, so that everything changed. */
  move(position: Position, now: number): boolean {
    this.pausing.length = 0;
    this.resuming.length = 0;
    const began = position.session !== this.session;
    if (began) {
      // What a session that is over was is not news of this moment: it was so when the session closed.
      const at = Math.min(now, this.market.calendar.closesAt(position.session));
      this.#begin(position.session, at);
      this.#replay(position.minute);
      if (position.minute >= 0) this.indices.open((row) => this.#paths[row]?.day.open ?? 0, position.minute);
      this.#load(position.minute);
      for (let row = 0; row < this.count; row += 1) this.print(row, position.offsetMs, at);
      this.indices.print(this.minute, at);
      return true;
    }
    while (this.minute < position.minute) {
      this.#settle(now);
      if (this.minute < 0) this.indices.open((row) => this.#paths[row]?.day.open ?? 0, 0);
      this.#load(this.minute + 1);
    }
    return false;
  }

  /** The path of a row through a session; the diaries must stand before it, or be replaced. */
  #pathOf(row: number, session: number, follows: boolean): Path | null {
    const who = this.market.models[row];
    if (!who || session < who.listed) return null;
    const diary = (follows ? this.#diaries[row] : null) ?? new DailyProcessReader(who, session);
    this.#diaries[row] = diary;
    return new Path(who, diary.next(), this.market.shape(session));
  }

  /** While a session ends, make some more of the next one; call it with every beat. */
  anticipate(): void {
    if (this.minute < this.market.calendar.minutes - 1) return;
    const end = Math.min(this.count, this.#ahead.length + AHEAD);
    for (let row = this.#ahead.length; row < end; row += 1) this.#ahead.push(this.#pathOf(row, this.session + 1, true));
  }

  #begin(session: number, now: number): void {
    const follows = session === this.session + 1;
    // Diaries that have already gone ahead can only be used by the session they went to.
    const ready = follows ? this.#ahead : [];
    if (!follows) this.#diaries.fill(null);
    this.#ahead = [];
    this.clearSession(now);
    this.tape.clear();
    this.#replayed = 0;
    for (let row = 0; row < this.count; row += 1) {
      const path = row < ready.length ? (ready[row] ?? null) : this.#pathOf(row, session, follows);
      this.#paths[row] = path;
      this.reference[row] = path?.day.reference ?? 0;
    }
    this.indices.begin((row) => this.#paths[row]?.day ?? null);
    this.session = session;
    this.minute = -1;
  }

  /** Live through the minutes before one at once: where the day stands, and how high and low its indices went. */
  #replay(until: number): void {
    const { minutes } = this.market.calendar;
    const done = Math.min(until, minutes);
    if (done <= 0) return;
    this.#replayed = done;
    const marks = floats(minutes + 1);
    const traded = new Int32Array(minutes + 1);
    const moves = this.indices.track(done);
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    for (let row = 0; row < this.count; row += 1) {
      const path = this.#paths[row];
      const who = this.market.models[row];
      if (!path || !who) continue;
      path.tape(marks, traded, done);
      let price = path.day.reference;
      for (let minute = 0; minute < done; minute += 1) {
        const lots = traded[minute] ?? 0;
        if (lots === 0) continue;
        path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots, bar);
        this.#retelling.pass(this.tape, row, who, path, minute, marks[minute] ?? 0, bar);
        this.#absorb(row, bar);
        if (minute === 0) {
          this.indices.note(moves, row, 0, bar.open - price);
          price = bar.open;
        }
        this.indices.note(moves, row, minute + 1, bar.close - price);
        price = bar.close;
      }
    }
    this.indices.replay(moves);
    this.minute = done - 1;
  }

  /** Take a whole minute's bar into the day. */
  #absorb(row: number, bar: Bar): void {
    if (this.open[row] === 0) this.open[row] = bar.open;
    this.stretch(row, bar.high);
    this.stretch(row, bar.low);
    this.#setLast(row, bar.close);
    const lots = (this.lotsBefore[row] ?? 0) + bar.volume;
    const turnover = (this.turnoverBefore[row] ?? 0) + (bar.volume * (bar.open + bar.high + bar.low + bar.close)) / 4;
    this.lotsBefore[row] = lots;
    this.turnoverBefore[row] = turnover;
    this.#count(row, lots, turnover);
  }

  #setLast(row: number, price: number): void {
    this.indices.moved(row, price - (this.last[row] || this.reference[row] || 0));
    this.last[row] = price;
  }

  #count(row: number, lots: number, turnover: number): void {
    this.indices.traded(row, lots - (this.volume[row] ?? 0), turnover - (this.turnover[row] ?? 0));
    this.volume[row] = lots;
    this.turnover[row] = turnover;
  }

  /** End the current minute: whatever of it was not printed yet counts now. */
  #settle(now: number): void {
    if (this.minute < 0 || this.minute >= this.market.calendar.minutes) return;
    for (let row = 0; row < this.count; row += 1) {
      const bar = this.#bars[row];
      if (!bar || bar.volume === 0) continue;
      if ((this.printed[row] ?? 0) < (this.trades.count[row] ?? 0)) {
        this.#printKeys(row, this.market.calendar.minuteMs);
        this.touch(row, now);
      }
      this.#absorb(row, bar);
    }
  }

  #load(minute: number): void {
    this.minute = minute;
    this.#minuteAt = this.market.calendar.opensAt(this.session) + minute * this.market.calendar.minuteMs;
    this.printed.fill(0);
    this.minuteOpen.fill(0);
    this.trades.count.fill(0);
    this.indices.turn();
    for (const bar of this.#bars) bar.volume = 0;
    if (minute < 0 || minute >= this.market.calendar.minutes) return;
    for (let row = 0; row < this.count; row += 1) {
      const path = this.#paths[row];
      const bar = this.#bars[row];
      if (!path || !bar) continue;
      if (path.pauses) {
        if (path.pauseAt(minute)?.from === minute) this.pausing.push(row);
        if (path.resumesAt(minute)) this.resuming.push(row);
      }
      const lots = path.lots(minute + 1) - path.lots(minute);
      if (lots === 0) continue;
      path.bar(minute, path.mark(minute), path.mark(minute + 1), lots, bar);
      path.trades(minute, bar, this.trades, row);
      this.#mean[row] = (bar.open + bar.high + bar.low + bar.close) / 4;
    }
  }

  /** One trade: at a price, up to so many lots of the current minute, maybe a call's. */
  #trade(row: number, at: number, price: number, traded: number, called: boolean): void {
    const who = this.market.models[row];
    const before = this.last[row] || this.reference[row] || 0;
    const lots = (this.lotsBefore[row] ?? 0) + traded;
    const side = called || !who ? 0 : sideOf(price, before, this.limits(row), faceOf(who.parameters.key, this.book[row] ?? 0));
    this.tape.note(row, at, price, lots - (this.volume[row] ?? 0), side);
    this.#setLast(row, price);
    this.reach(row, price);
    this.#count(row, lots, (this.turnoverBefore[row] ?? 0) + traded * (this.#mean[row] ?? 0));
  }

  /** Print the key trades of the current minute that are due by then; gives how many of them have been printed in all. */
  #printKeys(row: number, offsetMs: number): number {
    const { count, offset, price, lots } = this.trades;
    const total = count[row] ?? 0;
    const from = row * MOST_TRADES;
    const calls = this.#paths[row]?.calls(this.minute) ?? false;
    let done = this.printed[row] ?? 0;
    for (; done < total && (offset[from + done] ?? 0) <= offsetMs; done += 1) {
      this.#trade(row, this.#minuteAt + (offset[from + done] ?? 0), price[from + done] ?? 0, lots[from + done] ?? 0, calls && done === 0);
    }
    this.printed[row] = done;
    return done;
  }

  /**
   * Bring one instrument to a moment of the current minute: print the key trades that are due, or, between two of them,
   * a lesser one that stays between their prices, where that much has been traded. Either way its book changes.
   */
  print(row: number, offsetMs: number, now: number): void {
    const before = this.printed[row] ?? 0;
    const done = this.#printKeys(row, offsetMs);
    if (done === before && done > 0 && done < (this.trades.count[row] ?? 0)) this.#printBetween(row, done, offsetMs, now);
    this.touch(row, now);
  }

  /** Between two key trades: as much of the next one's lots as time has gone by, if that is a lot more by now. */
  #printBetween(row: number, done: number, offsetMs: number, now: number): void {
    const { offset, price, lots } = this.trades;
    const next = row * MOST_TRADES + done;
    const start = offset[next - 1] ?? 0;
    const share = (offsetMs - start) / Math.max(1, (offset[next] ?? 0) - start);
    const already = lots[next - 1] ?? 0;
    const traded = already + Math.floor(((lots[next] ?? 0) - already) * share * 0.999);
    if ((this.lotsBefore[row] ?? 0) + traded <= (this.volume[row] ?? 0)) return;
    this.#trade(row, now, this.#between(row, price[next - 1] ?? 0, price[next] ?? 0, share), traded, false);
  }

  #between(row: number, one: number, other: number, share: number): number {
    const who = this.market.models[row];
    if (!who || one === other) return one;
    const roll = unit(who.parameters.key.draw(PURPOSE.between, this.book[row] ?? 0));
    const price = toTick(who.kind, one + (other - one) * Math.min(1, Math.max(0, share * 0.5 + roll * 0.7 - 0.1)));
    return Math.min(Math.max(one, other), Math.max(Math.min(one, other), price));
  }

  /** Where one instrument stands, for its history to end at. */
  live(row: number): Live {
    const close = this.last[row] ?? 0;
    const volume = this.volume[row] ?? 0;
    const traded = volume - (this.lotsBefore[row] ?? 0);
    const day: Bar = { open: this.open[row] ?? 0, high: this.high[row] ?? 0, low: this.low[row] ?? 0, close, volume };
    const bar: Bar = {
      open: this.minuteOpen[row] ?? 0,
      high: this.minuteHigh[row] ?? 0,
      low: this.minuteLow[row] ?? 0,
      close,
      volume: traded,
    };
    const running = this.minute >= 0 && this.minute < this.market.calendar.minutes && bar.open > 0 && traded > 0;
    return {
      session: this.session,
      minute: this.minute,
      day: close > 0 ? day : null,
      bar: running ? bar : null,
      seen: this.indices.seen(row),
    };
  }

  /** A row's way through the session; null where it has none. */
  path(row: number): Path | null {
    return this.#paths[row] ?? null;
  }

  /** The day's limits of a row; where there are none, so far away that no price reaches them. */
  limits(row: number): { up: number; down: number } {
    return this.#paths[row]?.day ?? NO_LIMITS;
  }

  /** The close before a row's session, in shares of the session; 0 for an index. */
  previous(row: number): number {
    return this.#paths[row]?.day.previous ?? 0;
  }

  /** The newest trades of a row numbered above `after`, at most `limit`, flat TAPE_FIELDS, oldest first. */
  told(row: number, after: number, limit: number): number[] {
    const path = this.#paths[row];
    const who = this.market.models[row];
    if (path && who) this.#retelling.recall(this.tape, row, who, path, this.#replayed, this.market.calendar.opensAt(this.session));
    return this.tape.read(row, after, limit);
  }
}
