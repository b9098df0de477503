/** The state of every instrument of the simulated market at one moment, advanced minute by minute and trade by trade. */
import type { Position } from "#server/venue/calendar/trading-calendar.ts";
import { Columns, floats } from "#server/venue/market-data/quote-columns.ts";
import type { InstrumentModel } from "./daily-process.ts";
import type { Path } from "./intraday-path.ts";
import type { Bar } from "./intraday-path.ts";
import { MAX_KEY_TRADES } from "./key-trades.ts";
import type { Trades } from "./key-trades.ts";
import { lateCloseAt } from "./delayed-close.ts";
import { LateCloses } from "./late-closes.ts";
import { FinalCloses } from "./final-closes.ts";
import { LiveIndices } from "./live-index.ts";
import { MinorTrades } from "./minor-trades.ts";
import { MinutesReplay } from "./minutes-replay.ts";
import { MinuteEvents } from "./minute-events.ts";
import type { SeededMarket } from "./seeded-market.ts";
import { SessionPaths } from "./session-paths.ts";
import { QuoteBand } from "./quote-band.ts";
import { NO_LIMITS } from "#server/venue/market-data/market-columns.ts";
import { Tape } from "#server/venue/market-data/trade-tape.ts";
import type { AggressorSide } from "#server/venue/market-data/trade-tape.ts";

/** From so many minutes on they are replayed at once instead of one after the other. */
const SLEPT_MINUTES = 5;

export class MarketState extends Columns {
  readonly market: SeededMarket;
  readonly indices: LiveIndices;
  /** Without the minutes that were replayed as the session was entered: `tapeOf` counts those. */
  readonly tape: Tape;
  /** The best bid and ask of every row, before members took anything. */
  readonly quotes: QuoteBand;
  session = -1;
  minute = -1;
  /** How many rows the venue shows: all but those of issues that are not announced yet. */
  shown: number;
  readonly trades: Trades;
  /** How many of the minute's key trades have been printed. */
  readonly printed: Uint8Array;
  /** How many minor trades before the next key trade have been printed. */
  readonly #printedMinor: Uint8Array;
  readonly #minor = new MinorTrades();
  readonly events = new MinuteEvents();
  readonly late: LateCloses;
  readonly paths: SessionPaths;
  readonly #bars: Bar[];
  readonly #finalCloses: FinalCloses;
  readonly #replay: MinutesReplay;
  /** When the current minute began. */
  #minuteAt = 0;

  constructor(market: SeededMarket) {
    super(market.referenceData.listings.length);
    const { count } = this;
    const places = count * MAX_KEY_TRADES;
    this.market = market;
    this.shown = count;
    this.indices = new LiveIndices(market, this);
    this.tape = new Tape(count);
    this.quotes = new QuoteBand(count);
    this.late = new LateCloses(market.calendar.minutes);
    this.#finalCloses = new FinalCloses(market);
    this.trades = { count: new Uint8Array(count), offset: new Int32Array(places), price: floats(places), lots: new Int32Array(places) };
    this.printed = new Uint8Array(count);
    this.#printedMinor = new Uint8Array(count);
    this.paths = new SessionPaths(market, count);
    this.#replay = new MinutesReplay(this, (row, bar) => this.#addBar(row, bar));
    this.#bars = Array.from({ length: count }, () => ({ open: 0, high: 0, low: 0, close: 0, volume: 0 }));
  }

  /**
   * Advances to a moment. `finish` is called before each minute ends that a market which ran all the time would have shown; a session
   * that is entered in the middle begins `earlier` minutes before. Returns whether a new session began, so that everything changed.
   */
  advance(position: Position, now: number, earlier = 0, finish = (): void => undefined): boolean {
    this.events.clear();
    const began = position.session !== this.session;
    if (began) this.#enter(position, now, earlier);
    else this.#catchUp(Math.min(position.minute, this.market.calendar.minutes) - earlier);
    while (this.minute < position.minute) {
      if (began || this.minute >= position.minute - earlier) finish();
      this.#endMinute();
      // Of a session that is entered only the present minute's events are news.
      if (began) this.events.clear();
      if (this.minute < 0) this.#openIndices(0);
      this.#loadMinute(this.minute + 1, this.late.rows.size > 0 && this.minute + 1 === this.market.calendar.minutes);
    }
    this.#closeLate(now);
    if (began) this.events.closedLate.length = 0;
    return began;
  }

  /** Enters a session, at a moment or some minutes earlier. */
  #enter({ session, minute: present, offsetMs }: Position, now: number, earlier: number): void {
    const { calendar } = this.market;
    this.paths.begin(session);
    this.late.begin(
      this.rowsWhere(({ closing }) => closing !== null),
      lateCloseAt(calendar, session),
    );
    // What is left of a session with closes that are put off begins before its last minute.
    const minute = this.late.rows.size > 0 ? Math.min(present, calendar.minutes - 1) : present;
    // A market that is open all day has nothing before its first minute.
    const lowest = calendar.continuous < calendar.minutes ? -1 : 0;
    const first = minute > lowest && minute < calendar.minutes ? Math.max(lowest, minute - earlier) : minute;
    // The state of a session that is over dates from its close, not from now.
    const startsAt = earlier > 0 ? calendar.opensAt(session) + Math.max(0, first) * calendar.minuteMs : now;
    const at = Math.min(now, calendar.closesAt(session), startsAt);
    this.#beginSession(session, at);
    this.#replay.begin(Math.max(0, Math.min(first, calendar.minutes)));
    if (first >= 0) this.#openIndices(first);
    this.#loadMinute(first);
    this.#printAll(earlier > 0 ? 0 : offsetMs, at);
  }

  /** While a session ends, builds some more paths of the next one; call it with every update. */
  prepareNextSession(): void {
    if (this.minute >= this.market.calendar.minutes - 1) this.paths.prepare();
  }

  #beginSession(session: number, now: number): void {
    this.clearSession(now);
    this.tape.clear();
    this.quotes.clear();
    for (let row = 0; row < this.count; row += 1) {
      this.reference[row] = this.path(row)?.day.reference ?? this.#finalCloses.of(row, session);
    }
    this.indices.begin((row) => this.paths.of(row)?.day ?? null);
    this.session = session;
    this.minute = -1;
  }

  /** The rows whose path of the session is of some kind. */
  rowsWhere(is: (path: Path) => boolean): number[] {
    return this.paths.all().flatMap((path, row) => (path && is(path) ? [row] : []));
  }

  /** Goes on to a later minute of the session at once if it is far: the process has slept. What happened in between is news. */
  #catchUp(until: number): void {
    const from = this.minute + 1;
    if (until - from < SLEPT_MINUTES) return;
    this.#endMinute();
    for (const [row, path] of this.paths.all().entries()) if (path) this.events.noteAll(row, path, from, until);
    this.#replay.goOn(Math.max(0, from), Math.min(until, this.market.calendar.minutes));
    if (from === 0) this.#openIndices(until);
    this.#loadMinute(until);
    this.#printAll(0, this.#minuteAt);
    this.events.slept = true;
  }

  #openIndices(minute: number): void {
    this.indices.open((row) => this.paths.of(row)?.levelAtOpen ?? 0, minute);
  }

  /** Shows every row, and the indices, as they are at a moment of the current minute. */
  #printAll(offsetMs: number, at: number): void {
    for (let row = 0; row < this.count; row += 1) this.print(row, offsetMs, at);
    this.indices.publish(this.minute, at);
  }

  /** Adds a whole minute's bar to the day. */
  #addBar(row: number, bar: Bar): void {
    if (this.open[row] === 0) this.open[row] = bar.open;
    this.extendDay(row, bar.high);
    this.extendDay(row, bar.low);
    this.#setLast(row, bar.close, true);
    const lots = (this.lotsBefore[row] ?? 0) + bar.volume;
    const turnover = (this.turnoverBefore[row] ?? 0) + (bar.volume * (bar.open + bar.high + bar.low + bar.close)) / 4;
    this.lotsBefore[row] = lots;
    this.turnoverBefore[row] = turnover;
    this.#setTotals(row, lots, turnover);
  }

  #setLast(row: number, price: number, ends: boolean): void {
    this.indices.moved(row, price, ends);
    this.last[row] = price;
  }

  #setTotals(row: number, lots: number, turnover: number): void {
    this.indices.traded(row, lots - (this.volume[row] ?? 0), turnover - (this.turnover[row] ?? 0));
    this.volume[row] = lots;
    this.turnover[row] = turnover;
  }

  /** Ends the current minute: trades not printed yet are counted now. */
  #endMinute(): void {
    if (this.minute < 0 || this.minute >= this.market.calendar.minutes) return;
    for (let row = 0; row < this.count; row += 1) {
      const bar = this.#bars[row];
      if (!bar || bar.volume === 0) continue;
      if ((this.printed[row] ?? 0) < (this.trades.count[row] ?? 0)) {
        this.#printTrades(row, this.market.calendar.minuteMs);
        this.touch(row, this.#minuteAt + this.market.calendar.minuteMs);
      }
      this.#addBar(row, bar);
    }
  }

  /** `isLast`: the last minute goes on, because closes are put off. */
  #loadMinute(minute: number, isLast = false): void {
    this.minute = minute;
    this.#minuteAt = this.market.calendar.opensAt(this.session) + minute * this.market.calendar.minuteMs;
    this.printed.fill(0);
    this.#printedMinor.fill(0);
    this.trades.count.fill(0);
    if (!isLast) {
      this.minuteOpen.fill(0);
      this.indices.startMinute(minute);
    }
    for (const bar of this.#bars) bar.volume = 0;
    if (minute < 0 || minute >= this.market.calendar.minutes) return;
    for (let row = 0; row < this.count; row += 1) {
      const path = this.paths.of(row);
      const bar = this.#bars[row];
      if (!path || !bar || this.late.over(row, minute + 1) <= minute) continue;
      this.events.note(row, path, minute);
      const lots = path.lots(minute + 1) - path.lots(minute);
      if (lots === 0) continue;
      path.bar(minute, path.mark(minute), path.mark(minute + 1), lots, bar);
      path.trades(minute, bar, this.trades, row);
    }
  }

  /** Holds the closing calls that were put off, once they are due. */
  #closeLate(now: number): void {
    const { session, late } = this;
    const minute = this.market.calendar.minutes - 1;
    const rows = late.take(now);
    for (const row of rows) {
      const [path, model, bar] = [this.paths.of(row), this.market.models[row], this.#bars[row]];
      if (!path || !model || !bar) continue;
      path.bar(minute, path.mark(minute), path.mark(minute + 1), path.lots(minute + 1) - path.lots(minute), bar);
      const side = this.quotes.trade(row, model, bar.close, this.limits(row), { session, minute, nth: 0, byAuction: true });
      this.#recordTrade(row, late.heldAt, bar.close, bar.volume, side);
      this.#addBar(row, bar);
      bar.volume = 0;
      this.touch(row, late.heldAt);
      this.events.closedLate.push(row);
    }
    if (rows.length > 0) this.indices.publish(this.minute, late.heldAt);
  }

  /** One trade: at a price, up to `traded` lots of the current minute, on a side of the book or (0) in an auction, which counts like the last one. */
  #recordTrade(row: number, at: number, price: number, traded: number, side: AggressorSide): void {
    const lots = (this.lotsBefore[row] ?? 0) + traded;
    this.tape.record(row, at, price, lots - (this.volume[row] ?? 0), side);
    this.#setLast(row, price, side === 0 || traded === this.#bars[row]?.volume);
    this.recordPrice(row, price);
    this.#setTotals(row, lots, this.#turnoverAt(row, price, traded));
  }

  /**
   * The day's turnover with some lots of the current minute. Their mean price is that of the minute's bar so far: at its end that of its
   * bar, and before it nothing of what is to come.
   */
  #turnoverAt(row: number, last: number, traded: number): number {
    const mean = ((this.minuteOpen[row] ?? 0) + (this.minuteHigh[row] ?? 0) + (this.minuteLow[row] ?? 0) + last) / 4;
    return Math.max(this.turnover[row] ?? 0, (this.turnoverBefore[row] ?? 0) + traded * mean);
  }

  /** Prints the trades of the current minute that are due: key trades, and the minor ones between them. */
  #printTrades(row: number, offsetMs: number): void {
    const { count, offset, price, lots } = this.trades;
    const model = this.market.models[row];
    const total = count[row] ?? 0;
    const from = row * MAX_KEY_TRADES;
    const startsWithAuction = this.paths.of(row)?.startsWithAuction(this.minute) ?? false;
    const { session, minute } = this;
    if (!model) return;
    for (let done = this.printed[row] ?? 0; done < total; done += 1) {
      this.#printMinorTrades(row, model, done, offsetMs);
      if ((offset[from + done] ?? 0) > offsetMs) return;
      const byAuction = startsWithAuction && done === 0;
      const moment = { session, minute, nth: done, byAuction };
      const side = this.quotes.trade(row, model, price[from + done] ?? 0, this.limits(row), moment);
      this.#recordTrade(row, this.#minuteAt + (offset[from + done] ?? 0), price[from + done] ?? 0, lots[from + done] ?? 0, side);
      this.printed[row] = done + 1;
      this.#printedMinor[row] = 0;
    }
  }

  /** Prints the minor trades that are due before a key trade. */
  #printMinorTrades(row: number, model: InstrumentModel, nth: number, offsetMs: number): void {
    const minor = this.minorTrades(row, model, nth);
    const before = this.trades.price[row * MAX_KEY_TRADES + nth - 1] ?? 0;
    let done = this.#printedMinor[row] ?? 0;
    for (; done < minor.count && minor.offset(done) <= offsetMs; done += 1) {
      const side = minor.side(done, this.quotes, row, { before, low: this.minuteLow[row] ?? 0, high: this.minuteHigh[row] ?? 0 });
      const price = side > 0 ? this.quotes.ask(row) : this.quotes.bid(row);
      this.#recordTrade(row, this.#minuteAt + minor.offset(done), price, minor.lots(done), side);
    }
    this.#printedMinor[row] = done;
  }

  /** The minor trades of the current minute before a key trade; the result changes with the next call. */
  minorTrades(row: number, model: InstrumentModel, nth: number): MinorTrades {
    this.#minor.enter(model, this.trades, row, { session: this.session, minute: this.minute, nth });
    return this.#minor;
  }

  /** Advances one instrument to a moment of the current minute: prints the trades that are due. With or without any its book changes. */
  print(row: number, offsetMs: number, now: number): void {
    this.#printTrades(row, offsetMs);
    this.touch(row, now);
  }

  /** A row's path through the session; null where it has none. */
  path(row: number): Path | null {
    return this.paths.of(row);
  }

  /** The day's price limits of a row; `NO_LIMITS` where there are none. */
  limits(row: number): { up: number; down: number } {
    return this.paths.of(row)?.day ?? NO_LIMITS;
  }

  /** The session of a row; null for an index. */
  dayOf(row: number): Path["day"] | null {
    return this.paths.of(row)?.day ?? null;
  }

  /** The tape with all trades of a row counted. */
  tapeOf(row: number): Tape {
    return this.#replay.tapeOf(row);
  }

  /** The newest trades of a row numbered above `after`, at most `limit`, flat TAPE_FIELDS, oldest first. */
  readTape(row: number, after: number, limit: number): number[] {
    return this.#replay.filledTape(row).read(row, after, limit);
  }
}
