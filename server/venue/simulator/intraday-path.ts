/**
 * Generates the path within a day: it starts at the day's open, touches its high and low and ends at its close, and none of them draws it there.
 * Derives the bars of the minutes, which add up to the day's bar exactly, and the key trades of a minute, which add up to its bar.
 */
import type { Kind } from "#contract/instrument.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { fillSegment } from "./component.ts";
import type { Day, InstrumentModel } from "./daily-process.ts";
import { SEGMENTS, clockOf, furthestIn } from "./day-clock.ts";
import type { DayClock } from "./day-clock.ts";
import { logAtMark, logPrice, mirrored, shapeOf } from "./day-shape.ts";
import type { DayShape } from "./day-shape.ts";
import { closingOf } from "./delayed-close.ts";
import type { LateClosing } from "./delayed-close.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { keyTrades } from "./key-trades.ts";
import type { Trades } from "./key-trades.ts";
import { PeriodicCalls } from "./periodic-calls.ts";
import { TradedPrices } from "./traded-price.ts";
import { delayedOpen, moveHaltedLots, volatilityHalts } from "./volatility-halt.ts";
import type { VolatilityHalt } from "./volatility-halt.ts";
import { FLOWS } from "./session-profile.ts";
import type { SessionProfile } from "./session-profile.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";

/** A bar. When `volume` is 0 nothing was traded and the prices are meaningless. */
export interface Bar {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The lots reserved for a minute in which an extreme is touched: with fewer its trades could not show it. */
const TOUCH_LOTS = 4;

/**
 * Where paths compute their touches and halts, one after the other: with arrays of its own for each, a start leaves most of its garbage here. Nothing
 * that is called meanwhile may make another path.
 */
let work = { marks: new Float64Array(0), lots: new Int32Array(0) };

function workOf(minutes: number): typeof work {
  if (work.lots.length !== minutes + 1) work = { marks: new Float64Array(minutes + 1), lots: new Int32Array(minutes + 1) };
  return work;
}

/** The path of one instrument through one session. Marks are minute borders, 0 to `minutes`. */
export class Path {
  readonly day: Day;
  /** The calls of a day without continuous trading; null for any other. */
  readonly calls: PeriodicCalls | null;
  /** Set where the close is put off. */
  readonly closing: LateClosing | null;
  readonly #kind: Kind;
  readonly #key: Key;
  readonly #clock: DayClock;
  readonly #shape: DayShape;
  readonly #market: Float64Array;
  readonly #group: Float64Array;
  readonly #flow: Float64Array;
  readonly #flow2: Float64Array;
  readonly #minutes: number;
  readonly #auction: boolean;
  /** The marks that end the minutes in which the day's extremes are touched. */
  readonly #top: number;
  readonly #bottom: number;
  /** Both of them, in order. */
  readonly #touches: readonly number[];
  readonly #bounce: number;
  readonly #reserved: number;
  /** The tick size of all the day's prices; 0 when the day crosses into another price band. */
  readonly #tick: number;
  readonly #prices: TradedPrices;
  readonly #minuteMs: number;
  /** Up to which mark the price was followed from the open on, what traded there, and at the mark before. */
  #followed = 0;
  #traded = 0;
  #tradedBefore = 0;
  /** The prices of the calls, once asked for. */
  #callPrices: readonly number[] | null = null;
  /** The day's volatility halts; computed last because they depend on the rest of the path. */
  #halts: readonly VolatilityHalt[] = [];

  constructor(model: InstrumentModel, day: Day, profile: SessionProfile) {
    const { minutes, continuous, minuteMs } = model.calendar;
    const { market, group } = day.moves;
    this.day = day;
    this.#kind = model.kind;
    this.#key = model.parameters.key;
    this.#clock = clockOf(model.calendar);
    this.#shape = shapeOf(day.moves, this.#key, this.#clock);
    this.#market = market.path(day.session);
    this.#group = group.path(day.session);
    this.#flow = profile.flows[this.#key.draw(PURPOSE.path, day.session, -1) & (FLOWS - 1)] ?? new Float64Array(0);
    this.#flow2 = profile.flows[this.#key.draw(PURPOSE.path, day.session, -2) & (FLOWS - 1)] ?? new Float64Array(0);
    this.#minutes = minutes;
    this.#auction = continuous < minutes;
    this.calls = day.watch.everyMinutes > 0 ? new PeriodicCalls(day.watch.everyMinutes, model.calendar) : null;
    const { top, bottom } = this.#findTouches();
    this.#top = top;
    this.#bottom = bottom;
    this.#touches = [Math.min(top, bottom), Math.max(top, bottom)];
    this.#reserved = 3 + TOUCH_LOTS * this.#touches.length;
    const tick = tickSize(model.kind, day.low);
    // The range of a day of calls is known from its prices, not the other way round.
    this.#tick = !this.calls && tickSize(model.kind, day.high) === tick ? tick : 0;
    this.#prices = new TradedPrices(model.kind, day, this.#shape, this.#clock, this.#tick);
    const minuteMove = (day.deviation * day.reference) / Math.sqrt(minutes) / tickSize(model.kind, day.reference);
    this.#bounce = 2.2 * minuteMove;
    this.#minuteMs = minuteMs;
    this.#halts = this.#findHalts(model.calendar);
    this.closing = closingOf(this, model);
  }

  /** Where the day's extremes are touched: where the path of their segments goes furthest anyway. */
  #findTouches(): { top: number; bottom: number } {
    const { highSegment, lowSegment } = this.#shape;
    const path = workOf(this.#minutes).marks;
    this.#fillSegment(path, highSegment);
    if (lowSegment !== highSegment) this.#fillSegment(path, lowSegment);
    return { top: furthestIn(this.#clock, path, highSegment, 1), bottom: furthestIn(this.#clock, path, lowSegment, -1) };
  }

  /** Fills in the logarithms of the prices of a segment, before they are mirrored. */
  #fillSegment(path: Float64Array, segment: number): void {
    const { nodes } = this.#clock;
    fillSegment(path, this.#clock, this.#key, this.day.moves.own, this.#shape.bare, segment);
    const { passed } = this.#clock;
    for (let mark = (nodes[segment] ?? 0) + 1; mark < (nodes[segment + 1] ?? 0); mark += 1)
      path[mark] = logPrice(this.day.moves, path[mark] ?? 0, this.#market[mark] ?? 0, this.#group[mark] ?? 0, passed[mark] ?? 0);
  }

  /** The day's volatility halts; none on a day whose range is within the rule's limit. */
  #findHalts({ hours, continuous, minutes }: Calendar): readonly VolatilityHalt[] {
    if (this.calls) return [];
    const rule = VENUE_RULES[hours].stability;
    const { day } = this;
    const delayed = delayedOpen(this.opensIn, day.open, this.#touches, (mark) => this.#touched(mark) ?? day.open);
    if (day.up === Number.MAX_SAFE_INTEGER || (day.high - day.low) * 1000 <= day.low * rule.perMille) return delayed ? [delayed] : [];
    const { marks, lots: traded } = workOf(minutes);
    this.tape(marks, traded, minutes);
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    const rangeOf = (minute: number, from: number, lots: number): { high: number; low: number; mean: number } => {
      const to = traded[minute] === 0 ? this.#raw(minute + 1) : (marks[minute + 1] ?? 0);
      this.bar(minute, from, to, lots, bar);
      return { high: bar.high, low: bar.low, mean: (bar.open + bar.high + bar.low + bar.close) / 4 };
    };
    return volatilityHalts(
      { marks, traded, continuous, range: rangeOf, turningMarks: this.#touches, priceAt: (mark) => this.#touched(mark) ?? this.#raw(mark) },
      rule,
      delayed,
    );
  }

  /** The minute that begins with the opening call: 0 where it is on time. */
  get opensIn(): number {
    return this.day.opening?.minute ?? 0;
  }

  /** What it counts with in the indices at the open: its reference until a call that is put off takes place. */
  get levelAtOpen(): number {
    return this.opensIn > 0 ? this.day.reference : this.day.open;
  }

  /** Whether the day has any halt. */
  get hasHalts(): boolean {
    return this.#halts.length > 0;
  }

  /** The halt that contains a minute; null for none. */
  haltAt(minute: number): VolatilityHalt | null {
    return this.#halts.find(({ from, until }) => minute >= from && minute < until) ?? null;
  }

  /** The halt that contains a minute, or otherwise the last one before it; null for none. */
  latestHalt(minute: number): VolatilityHalt | null {
    return this.#halts.findLast(({ from }) => minute >= from) ?? null;
  }

  /** The halt that ends with an auction when a minute begins; null for none. */
  resumesAt(minute: number): VolatilityHalt | null {
    return this.#halts.find(({ until }) => minute === until) ?? null;
  }

  /** Whether the first trade of a minute is that of a call auction. */
  startsWithAuction(minute: number): boolean {
    if (this.calls) return this.calls.isAt(minute);
    return this.#auction && (minute === 0 || minute === this.#minutes - 1) ? true : this.resumesAt(minute) !== null;
  }

  /** The price of a call of a day of calls. */
  #callPrice(nth: number): number {
    this.#callPrices ??= this.calls?.minutes.slice(0, -1).map((minute) => this.#raw(minute)) ?? [];
    return this.#callPrices[Math.max(0, nth)] ?? this.day.close;
  }

  /** The price at a mark: that of the latest trade before it. During a halt it stands still; at the end of the halt it is the auction price. */
  mark(mark: number): number {
    if (this.calls) return this.#callPrice(this.calls.latest(mark - 1));
    const halt = this.#halts.find(({ from, until }) => mark > from && mark <= until);
    return halt ? (mark === halt.until ? halt.price : this.#raw(halt.from)) : this.#raw(mark);
  }

  /** The price at a mark, ignoring halts. */
  #raw(mark: number): number {
    if (mark >= this.#minutes) return this.day.close;
    const until = Math.min(mark, this.#clock.continuous);
    if (until === this.#followed - 1) return this.#tradedBefore;
    if (until < this.#followed || this.#traded === 0) {
      this.#followed = 0;
      this.#traded = this.#prices.shown(this.#shape.at[0] ?? 0);
    }
    while (this.#followed < until) {
      this.#followed += 1;
      this.#tradedBefore = this.#traded;
      this.#traded = this.#prices.next(this.#followed, this.#traded, this.#logAt(this.#followed));
    }
    return this.#traded;
  }

  /** The logarithm of the price at a mark of continuous trading. */
  #logAt(mark: number): number {
    return logAtMark(this.day.moves, this.#key, this.#clock, this.#shape, mark);
  }

  /** The path's own price at a mark: on no tick, and within no limits, beyond which the next session goes on. */
  exact(mark: number): number {
    const value =
      mark >= this.#minutes ? this.#shape.at[SEGMENTS + 1] : mirrored(this.#shape, this.#logAt(Math.min(mark, this.#clock.continuous)));
    return this.day.base * Math.exp(value ?? 0);
  }

  /**
   * The prices at all marks up to `until` and the lots of the minutes before it, in one pass: much cheaper than one by one, with
   * the same result.
   */
  tape(marks: Float64Array, traded: Int32Array, until: number): void {
    const end = Math.min(this.#minutes, until + 1);
    if (this.calls) return this.#calledTape(marks, traded, end);
    const spread = this.day.volume - this.#reserved;
    let before = 0;
    for (let mark = 1; mark <= end; mark += 1) {
      const lots = Math.floor((spread * ((this.#flow[mark] ?? 1) + (this.#flow2[mark] ?? 1))) / 2) + this.#reservedBy(mark);
      traded[mark - 1] = lots - before;
      before = lots;
    }
    moveHaltedLots(this.#halts, traded, end);
    const { nodes, continuous } = this.#clock;
    for (let segment = 0; segment < SEGMENTS; segment += 1) {
      const [from, to] = [nodes[segment] ?? 0, nodes[segment + 1] ?? 0];
      if (from > until) break;
      const before = segment === 0 ? this.#prices.shown(this.#shape.at[0] ?? 0) : (marks[from] ?? 0);
      this.#fillSegment(marks, segment);
      marks[from] = before;
      marks[to] = this.#shape.at[segment + 1] ?? 0;
      for (let mark = from + 1; mark <= to; mark += 1) marks[mark] = this.#prices.next(mark, marks[mark - 1] ?? 0, marks[mark] ?? 0);
    }
    if (until < this.#minutes) this.#followFrom(marks, Math.min(until, continuous));
    if (continuous < this.#minutes) marks.fill(marks[continuous] ?? 0, continuous, this.#minutes);
    if (until >= this.#minutes) marks[this.#minutes] = this.day.close;
    for (const halt of this.#halts) marks[halt.until] = halt.price;
  }

  /** Lets `mark` go on from a tape that goes further: a market that opens within a session reads the tape first and then, mark after mark, the rest. */
  #followFrom(marks: Float64Array, mark: number): void {
    if (mark <= this.#followed) return;
    this.#followed = mark;
    this.#traded = marks[mark] ?? 0;
    this.#tradedBefore = marks[mark - 1] ?? 0;
  }

  /** The same on a day of calls. */
  #calledTape(marks: Float64Array, traded: Int32Array, end: number): void {
    for (let mark = 0; mark <= end; mark += 1) {
      marks[mark] = this.mark(mark);
      if (mark < end) traded[mark] = this.lots(mark + 1) - this.lots(mark);
    }
  }

  /** Lots traded up to a mark. */
  lots(mark: number): number {
    if (mark <= 0) return 0;
    if (this.calls) return this.calls.lots(mark, this.day.volume, (at) => ((this.#flow[at] ?? 1) + (this.#flow2[at] ?? 1)) / 2);
    const halt = this.#halts.find(({ from, until }) => mark > from && mark <= until);
    if (halt) return this.lots(halt.from);
    return (
      Math.floor(((this.day.volume - this.#reserved) * ((this.#flow[mark] ?? 1) + (this.#flow2[mark] ?? 1))) / 2) + this.#reservedBy(mark)
    );
  }

  /** The lots of the trades that must exist up to a mark: those of the open, the extremes and the close. */
  #reservedBy(mark: number): number {
    return 2 + (mark >= this.#minutes ? 1 : 0) + (mark >= this.#top ? TOUCH_LOTS : 0) + (mark >= this.#bottom ? TOUCH_LOTS : 0);
  }

  /** The extreme that is touched in the minute that ends at a mark; null for none. */
  #touched(mark: number): number | null {
    return mark === this.#top ? this.#prices.shown(this.#shape.high) : mark === this.#bottom ? this.#prices.shown(this.#shape.low) : null;
  }

  /** The bar of a minute, from the prices at its borders and its lots. Without trades `bar.volume` is 0. */
  bar(minute: number, from: number, to: number, volume: number, bar: Bar): void {
    bar.volume = volume;
    if (volume === 0) return;
    this.#baseBar(minute, from, to, volume, bar);
    const halt = this.resumesAt(minute);
    if (!halt) return;
    bar.high = Math.max(bar.high, halt.high);
    bar.low = Math.min(bar.low, halt.low);
  }

  #baseBar(minute: number, from: number, to: number, volume: number, bar: Bar): void {
    const single = volume === 1 || this.calls !== null || (this.#auction && minute === this.#minutes - 1);
    bar.open = single ? to : from;
    bar.close = to;
    bar.high = single || from < to ? to : from;
    bar.low = single || from > to ? to : from;
    const touched = this.calls ? null : this.#touched(minute + 1);
    if (touched !== null) {
      bar.high = Math.max(bar.high, touched);
      bar.low = Math.min(bar.low, touched);
      return;
    }
    // Locked at a limit it trades at no other price.
    if (single || volume < 3 || (from === to && (to === this.day.up || to === this.day.down))) return;
    const hash = this.#key.draw(PURPOSE.minuteBar, this.day.session, minute);
    const tick = this.#tick || tickSize(this.#kind, bar.low);
    const upward = (hash & 1) === 0;
    const extension = unit(mix(hash, 2)) < 0.6 ? 1 + Math.floor(unit(mix(hash, 1)) * unit(mix(hash, 4)) * this.#bounce) : 0;
    const opposite = volume >= 4 && unit(mix(hash, 3)) < 0.25 ? 1 : 0;
    const above = upward ? extension : opposite;
    const under = upward ? opposite : extension;
    if (above > 0) bar.high = Math.min(this.day.high, toTick(this.#kind, bar.high + above * tick));
    if (under > 0) bar.low = Math.max(this.day.low, toTick(this.#kind, bar.low - under * tick));
  }

  /** The key trades of a minute: time within the minute, price, and cumulative lots. */
  trades(minute: number, bar: Bar, into: Trades, row: number): void {
    const hash = this.#key.draw(PURPOSE.trades, this.day.session, minute);
    const isSingle = this.calls !== null || (this.#auction && minute === this.#minutes - 1);
    const onTime = minute === 0 || this.startsWithAuction(minute);
    keyTrades({ hash, isSingle, onTime, minuteMs: this.#minuteMs }, bar, into, row);
  }
}
