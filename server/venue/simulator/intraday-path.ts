/**
 * Inside a day: a path through the minutes that starts at the day's open, touches its high and its low, and ends at its
 * close; the minutes' bars, which add up to the day's bar exactly; and the key trades of a minute, which add up to its bar.
 */
import type { Kind } from "#contract/instrument.ts";
import { tickSize, toTick } from "#contract/tick.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import type { Day, InstrumentModel } from "./daily-process.ts";
import { normal, mix, unit } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { volatilityHalts } from "./volatility-halt.ts";
import type { VolatilityHalt } from "./volatility-halt.ts";
import { FLOWS, bridge } from "./session-profile.ts";
import type { SessionProfile } from "./session-profile.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";

/** A bar of one minute. `volume` 0 means nothing was traded and the prices mean nothing. */
export interface Bar {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

const HALVING: number[] = Array.from({ length: 1500 }, (_, length) => Math.sqrt(length));
const root = (length: number): number => HALVING[length] ?? Math.sqrt(length);

/** The mark at which an extreme is touched; 0 when the open or the close is the extreme. Early and late are likelier. */
export function extremeMark(key: Key, day: Day, price: number, nth: number, to: number): number {
  if (price === day.open || price === day.close) return 0;
  const place = (1 - Math.cos(Math.PI * unit(key.draw(PURPOSE.path, day.session, -nth)))) / 2;
  return Math.min(to, 2 + Math.floor(place * (to - 2)));
}

/** The mark from which a day that closes at its limit is locked there, after its other extreme; `Infinity` on any other day. */
function lockMark(key: Key, day: Day, after: number, to: number): number {
  if (day.close < day.up && day.close > day.down) return Infinity;
  // Rather early than late.
  return after + 2 + Math.floor(unit(key.draw(PURPOSE.path, day.session, -5)) ** 2 * (to - after));
}

/** The path of one instrument through one session. Marks are minute borders, 0 to `minutes`. */
export class Path {
  readonly day: Day;
  readonly #kind: Kind;
  readonly #key: Key;
  readonly #beta: number;
  readonly #push: number;
  readonly #shape: SessionProfile;
  readonly #flow: Float64Array;
  readonly #flow2: Float64Array;
  readonly #minutes: number;
  readonly #auction: boolean;
  readonly #marks: number[];
  readonly #prices: number[];
  readonly #bounce: number;
  readonly #reserved: number;
  /** From this mark on a day that closes at its limit stands there; beyond the session on any other day. */
  readonly #lock: number;
  /** The one tick of all the day's prices; 0 when the day reaches over a band's border. */
  readonly #tick: number;
  readonly #minuteMs: number;
  /** Where the day's leaps interrupt it; found once the rest of it is made. */
  #pauses: readonly VolatilityHalt[] = [];

  constructor(who: InstrumentModel, day: Day, shape: SessionProfile) {
    const { minutes, continuous } = who.calendar;
    this.day = day;
    this.#kind = who.kind;
    this.#key = who.parameters.key;
    this.#beta = who.parameters.beta * day.reference;
    this.#push = (0.45 * day.deviation * day.reference) / 2 / Math.sqrt(minutes);
    this.#shape = shape;
    this.#flow = shape.flows[this.#key.draw(PURPOSE.path, day.session, -1) & (FLOWS - 1)] ?? shape.market;
    this.#flow2 = shape.flows[this.#key.draw(PURPOSE.path, day.session, -2) & (FLOWS - 1)] ?? shape.market;
    this.#minutes = minutes;
    this.#auction = continuous < minutes;
    const controls: [number, number][] = [[0, day.open]];
    const top = extremeMark(this.#key, day, day.high, 3, continuous - 2);
    const bottom = extremeMark(this.#key, day, day.low, 4, continuous - 2);
    if (top > 0) controls.push([top, day.high]);
    if (bottom > 0) controls.push([bottom === top ? bottom + 1 : bottom, day.low]);
    this.#lock = lockMark(this.#key, day, Math.max(top, bottom), continuous - 2);
    if (this.#lock < minutes) controls.push([this.#lock, day.close]);
    controls.push([minutes, day.close]);
    controls.sort((a, b) => a[0] - b[0]);
    this.#marks = controls.map(([mark]) => mark);
    this.#prices = controls.map(([, price]) => price);
    this.#reserved = controls.length + 1;
    const tick = tickSize(who.kind, day.low);
    this.#tick = tickSize(who.kind, day.high) === tick ? tick : 0;
    const minuteMove = (day.deviation * day.reference) / Math.sqrt(minutes) / tickSize(who.kind, day.reference);
    this.#bounce = 2.2 * minuteMove;
    this.#minuteMs = who.calendar.minuteMs;
    this.#pauses = this.#leaps(who.calendar);
  }

  /** The day's pauses. Within a day that does not go as far as the rule allows there is none. */
  #leaps({ hours, continuous, minutes }: Calendar): readonly VolatilityHalt[] {
    const rule = VENUE_RULES[hours].stability;
    const { day } = this;
    if (day.up === Number.MAX_SAFE_INTEGER || (day.high - day.low) * 1000 <= day.low * rule.perMille) return [];
    const marks = new Float64Array(minutes + 1);
    const traded = new Int32Array(minutes + 1);
    this.tape(marks, traded, minutes);
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    const reach = (minute: number, from: number, lots: number): { high: number; low: number; mean: number } => {
      const to = traded[minute] === 0 ? this.#raw(minute + 1) : (marks[minute + 1] ?? 0);
      this.bar(minute, from, to, lots, bar);
      return { high: bar.high, low: bar.low, mean: (bar.open + bar.high + bar.low + bar.close) / 4 };
    };
    return volatilityHalts({ marks, traded, continuous, reach, turns: this.#marks, priceAt: (mark) => this.#raw(mark) }, rule);
  }

  /** Whether the day has any pause. */
  get pauses(): boolean {
    return this.#pauses.length > 0;
  }

  /** The pause a minute lies in; null for none. */
  pauseAt(minute: number): VolatilityHalt | null {
    return this.#pauses.find(({ from, until }) => minute >= from && minute < until) ?? null;
  }

  /** The pause a minute lies in, or else the last one before it; null for none. */
  latestPause(minute: number): VolatilityHalt | null {
    return this.#pauses.findLast(({ from }) => minute >= from) ?? null;
  }

  /** The pause that ends with a call when a minute begins; null for none. */
  resumesAt(minute: number): VolatilityHalt | null {
    return this.#pauses.find(({ until }) => minute === until) ?? null;
  }

  /** Whether the first trade of a minute is a call's. */
  calls(minute: number): boolean {
    return this.#auction && (minute === 0 || minute === this.#minutes - 1) ? true : this.resumesAt(minute) !== null;
  }

  /** The segment of control points a mark lies in. */
  #segment(mark: number): number {
    let at = 0;
    while (at < this.#marks.length - 2 && mark >= (this.#marks[at + 1] ?? 0)) at += 1;
    return at;
  }

  /** Onto the tick and back inside the day: what overshoots is mirrored, so that a limit is touched and not stuck to. */
  #settle(raw: number, mark: number, segment: number): number {
    const { high, low } = this.day;
    const { market } = this.#shape;
    const a = this.#marks[segment] ?? 0;
    const b = this.#marks[segment + 1] ?? this.#minutes;
    const fromMarket = market[a] ?? 0;
    const straight = fromMarket + (((market[b] ?? 0) - fromMarket) * (mark - a)) / (b - a);
    let value = raw + this.#beta * ((market[mark] ?? 0) - straight);
    if (value > high) value = Math.max(low, 2 * high - value);
    else if (value < low) value = Math.min(high, 2 * low - value);
    const tick = this.#tick;
    return Math.min(high, Math.max(low, tick > 0 ? Math.round(value / tick) * tick : toTick(this.#kind, value)));
  }

  /** The price at a mark. While the instrument is paused it stands still, and then it is what the call strikes. */
  mark(mark: number): number {
    const pause = this.#pauses.find(({ from, until }) => mark > from && mark <= until);
    return pause ? (mark === pause.until ? pause.price : this.#raw(pause.from)) : this.#raw(mark);
  }

  /** The price at a mark, whatever pauses there are. */
  #raw(mark: number): number {
    const segment = this.#segment(mark);
    let lo = this.#marks[segment] ?? 0;
    let hi = this.#marks[segment + 1] ?? this.#minutes;
    let below = this.#prices[segment] ?? 0;
    let above = this.#prices[segment + 1] ?? 0;
    if (mark === lo || lo === this.#lock) return below;
    if (mark === hi) return above;
    while (true) {
      const mid = (lo + hi) >> 1;
      const middle = (below + above) / 2 + this.#push * root(hi - lo) * normal(this.#key.draw(PURPOSE.path, this.day.session, mid));
      if (mid === mark) return this.#settle(middle, mark, segment);
      if (mark < mid) {
        hi = mid;
        above = middle;
      } else {
        lo = mid;
        below = middle;
      }
    }
  }

  /**
   * The prices at all marks up to one, and the lots of the minutes before it, at once: much cheaper than one by one,
   * and the same. Marks that border on no minute with trades are left rough, since nobody asks for them.
   */
  tape(marks: Float64Array, traded: Int32Array, until: number): void {
    const end = Math.min(this.#minutes, until + 1);
    const spread = this.day.volume - this.#reserved;
    let before = 0;
    let kept = 2;
    for (let mark = 1, control = 1; mark <= end; mark += 1) {
      if (mark >= (this.#marks[control] ?? Infinity)) {
        kept += 1;
        control += 1;
      }
      const lots = Math.floor((spread * ((this.#flow[mark] ?? 1) + (this.#flow2[mark] ?? 1))) / 2) + kept;
      traded[mark - 1] = lots - before;
      before = lots;
    }
    this.#hold(traded, end);
    for (let segment = 0; segment + 1 < this.#marks.length; segment += 1) {
      const a = this.#marks[segment] ?? 0;
      const b = this.#marks[segment + 1] ?? 0;
      if (a > until) break;
      marks[a] = this.#prices[segment] ?? 0;
      marks[b] = this.#prices[segment + 1] ?? 0;
      if (a === this.#lock) {
        marks.fill(this.day.close, a, b);
        continue;
      }
      bridge(marks, a, b, this.#key, this.day.session, this.#push);
      const last = Math.min(b - 1, until);
      for (let mark = a + 1; mark <= last; mark += 1) {
        if (traded[mark] !== 0 || traded[mark - 1] !== 0) marks[mark] = this.#settle(marks[mark] ?? 0, mark, segment);
      }
    }
    for (const pause of this.#pauses) marks[pause.until] = pause.price;
  }

  /** Move the lots of silent minutes to those that resume, as far as they come before `end`. */
  #hold(traded: Int32Array, end: number): void {
    for (const { from, until } of this.#pauses) {
      for (let minute = from; minute < Math.min(until, end); minute += 1) {
        if (until < end) traded[until] = (traded[until] ?? 0) + (traded[minute] ?? 0);
        traded[minute] = 0;
      }
    }
  }

  /** Lots traded up to a mark. The trades that must exist (both ends, the extremes) have their lots set aside. */
  lots(mark: number): number {
    if (mark <= 0) return 0;
    const pause = this.#pauses.find(({ from, until }) => mark > from && mark <= until);
    if (pause) return this.lots(pause.from);
    let kept = 2;
    for (let at = 1; at < this.#marks.length; at += 1) if (mark >= (this.#marks[at] ?? 0)) kept += 1;
    return Math.floor(((this.day.volume - this.#reserved) * ((this.#flow[mark] ?? 1) + (this.#flow2[mark] ?? 1))) / 2) + kept;
  }

  /** The bar of a minute, from the prices at its borders and its lots. Without trades `bar.volume` is 0. */
  bar(minute: number, from: number, to: number, volume: number, bar: Bar): void {
    bar.volume = volume;
    if (volume === 0) return;
    this.#shapeBar(minute, from, to, volume, bar);
    const pause = this.resumesAt(minute);
    if (!pause) return;
    bar.high = Math.max(bar.high, pause.high);
    bar.low = Math.min(bar.low, pause.low);
  }

  #shapeBar(minute: number, from: number, to: number, volume: number, bar: Bar): void {
    const single = volume === 1 || (this.#auction && minute === this.#minutes - 1);
    bar.open = single ? to : from;
    bar.close = to;
    bar.high = single || from < to ? to : from;
    bar.low = single || from > to ? to : from;
    if (single || volume < 3 || minute >= this.#lock) return;
    const hash = this.#key.draw(PURPOSE.minuteBar, this.day.session, minute);
    const tick = this.#tick || tickSize(this.#kind, bar.low);
    const upward = (hash & 1) === 0;
    const far = 1 + Math.floor(unit(mix(hash, 1)) * unit(mix(hash, 4)) * this.#bounce);
    const reach = unit(mix(hash, 2)) < 0.6 ? far : 0;
    const other = volume >= 4 && unit(mix(hash, 3)) < 0.25 ? 1 : 0;
    const above = upward ? reach : other;
    const under = upward ? other : reach;
    if (above > 0) bar.high = Math.min(this.day.high, toTick(this.#kind, bar.high + above * tick));
    if (under > 0) bar.low = Math.max(this.day.low, toTick(this.#kind, bar.low - under * tick));
  }

  /** The key trades of a minute: when (within the minute), at what price, and how many of its lots are done by then. */
  trades(minute: number, bar: Bar, into: Trades, row: number): void {
    const at = row * MOST_TRADES;
    const { volume } = bar;
    if (volume === 0) {
      into.count[row] = 0;
      return;
    }
    const hash = this.#key.draw(PURPOSE.trades, this.day.session, minute);
    const auction = this.#auction && minute === this.#minutes - 1;
    const count = auction ? 1 : volume >= 12 ? 6 : Math.min(4, volume);
    into.count[row] = count;
    const highFirst = (hash & 1) === 0;
    const first = highFirst ? bar.high : bar.low;
    const second = highFirst ? bar.low : bar.high;
    const slot = (this.#minuteMs * 29) / 30 / count;
    const punctual = minute === 0 || this.calls(minute);
    for (let nth = 0; nth < count; nth += 1) {
      // A call is punctual, and so is the first trade of a day; between trades lies more than a beat.
      into.offset[at + nth] = nth === 0 && punctual ? 0 : Math.floor(slot * (nth + 0.55 * unit(mix(hash, nth))));
      into.lots[at + nth] = nth === count - 1 ? volume : Math.max(nth + 1, Math.floor((volume * (nth + 1)) / count) - 1);
      into.price[at + nth] =
        nth === count - 1 ? bar.close : nth === 0 ? bar.open : nth === 1 ? first : nth === 2 ? second : nth === 3 ? first : second;
    }
    // Three lots have one trade between the ends: it shows whichever extreme is not already an end.
    if (count === 3) into.price[at + 1] = bar.high > Math.max(bar.open, bar.close) ? bar.high : bar.low;
  }
}

/** The most key trades a minute has. */
export const MOST_TRADES = 6;

/** Key trades of the current minute, `MOST_TRADES` places a row. */
export interface Trades {
  count: Uint8Array;
  offset: Int32Array;
  price: Float64Array;
  lots: Int32Array;
}
