/**
 * Generates the path within a day: it starts at the day's open, touches its high and low and ends at its close. Derives the bars of
 * the minutes, which add up to the day's bar exactly, and the key trades of a minute, which add up to its bar.
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

/** A bar. When `volume` is 0 nothing was traded and the prices are meaningless. */
export interface Bar {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

const SQUARE_ROOTS: number[] = Array.from({ length: 1500 }, (_, length) => Math.sqrt(length));
const squareRoot = (length: number): number => SQUARE_ROOTS[length] ?? Math.sqrt(length);

/** The mark at which an extreme is touched; 0 when the open or the close is the extreme. Early and late marks are likelier. */
export function extremeMark(key: Key, day: Day, price: number, nth: number, to: number): number {
  if (price === day.open || price === day.close) return 0;
  const place = (1 - Math.cos(Math.PI * unit(key.draw(PURPOSE.path, day.session, -nth)))) / 2;
  return Math.min(to, 2 + Math.floor(place * (to - 2)));
}

/** The mark from which a day that closes at its limit is locked there, after its other extreme; `Infinity` on any other day. */
function lockMark(key: Key, day: Day, after: number, to: number): number {
  if (day.close < day.up && day.close > day.down) return Infinity;
  // Squared, so that early locks are likelier.
  return after + 2 + Math.floor(unit(key.draw(PURPOSE.path, day.session, -5)) ** 2 * (to - after));
}

/** The path of one instrument through one session. Marks are minute borders, 0 to `minutes`. */
export class Path {
  readonly day: Day;
  readonly #kind: Kind;
  readonly #key: Key;
  readonly #beta: number;
  readonly #noise: number;
  readonly #profile: SessionProfile;
  readonly #flow: Float64Array;
  readonly #flow2: Float64Array;
  readonly #minutes: number;
  readonly #auction: boolean;
  readonly #marks: number[];
  readonly #prices: number[];
  readonly #bounce: number;
  readonly #reserved: number;
  /** From this mark on a day that closes at its limit stays there; beyond the session on any other day. */
  readonly #lock: number;
  /** The tick size of all the day's prices; 0 when the day crosses into another price band. */
  readonly #tick: number;
  readonly #minuteMs: number;
  /** The day's volatility halts; computed last because they depend on the rest of the path. */
  #halts: readonly VolatilityHalt[] = [];

  constructor(model: InstrumentModel, day: Day, profile: SessionProfile) {
    const { minutes, continuous } = model.calendar;
    this.day = day;
    this.#kind = model.kind;
    this.#key = model.parameters.key;
    this.#beta = model.parameters.beta * day.reference;
    this.#noise = (0.45 * day.deviation * day.reference) / 2 / Math.sqrt(minutes);
    this.#profile = profile;
    this.#flow = profile.flows[this.#key.draw(PURPOSE.path, day.session, -1) & (FLOWS - 1)] ?? profile.market;
    this.#flow2 = profile.flows[this.#key.draw(PURPOSE.path, day.session, -2) & (FLOWS - 1)] ?? profile.market;
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
    const tick = tickSize(model.kind, day.low);
    this.#tick = tickSize(model.kind, day.high) === tick ? tick : 0;
    const minuteMove = (day.deviation * day.reference) / Math.sqrt(minutes) / tickSize(model.kind, day.reference);
    this.#bounce = 2.2 * minuteMove;
    this.#minuteMs = model.calendar.minuteMs;
    this.#halts = this.#findHalts(model.calendar);
  }

  /** The day's volatility halts; none on a day whose range is within the rule's limit. */
  #findHalts({ hours, continuous, minutes }: Calendar): readonly VolatilityHalt[] {
    const rule = VENUE_RULES[hours].stability;
    const { day } = this;
    if (day.up === Number.MAX_SAFE_INTEGER || (day.high - day.low) * 1000 <= day.low * rule.perMille) return [];
    const marks = new Float64Array(minutes + 1);
    const traded = new Int32Array(minutes + 1);
    this.tape(marks, traded, minutes);
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    const rangeOf = (minute: number, from: number, lots: number): { high: number; low: number; mean: number } => {
      const to = traded[minute] === 0 ? this.#raw(minute + 1) : (marks[minute + 1] ?? 0);
      this.bar(minute, from, to, lots, bar);
      return { high: bar.high, low: bar.low, mean: (bar.open + bar.high + bar.low + bar.close) / 4 };
    };
    return volatilityHalts(
      { marks, traded, continuous, range: rangeOf, turningMarks: this.#marks, priceAt: (mark) => this.#raw(mark) },
      rule,
    );
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
    return this.#auction && (minute === 0 || minute === this.#minutes - 1) ? true : this.resumesAt(minute) !== null;
  }

  /** The segment between control points that contains a mark. */
  #segment(mark: number): number {
    let at = 0;
    while (at < this.#marks.length - 2 && mark >= (this.#marks[at + 1] ?? 0)) at += 1;
    return at;
  }

  /**
   * Adds the market's move, mirrors what overshoots the day's range back inside (so that an extreme is touched, not stuck to), and
   * rounds to the tick.
   */
  #toDayPrice(raw: number, mark: number, segment: number): number {
    const { high, low } = this.day;
    const { market } = this.#profile;
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

  /** The price at a mark. During a halt it stands still; at the end of the halt it is the auction price. */
  mark(mark: number): number {
    const halt = this.#halts.find(({ from, until }) => mark > from && mark <= until);
    return halt ? (mark === halt.until ? halt.price : this.#raw(halt.from)) : this.#raw(mark);
  }

  /** The price at a mark, ignoring halts. */
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
      const middle = (below + above) / 2 + this.#noise * squareRoot(hi - lo) * normal(this.#key.draw(PURPOSE.path, this.day.session, mid));
      if (mid === mark) return this.#toDayPrice(middle, mark, segment);
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
   * The prices at all marks up to `until` and the lots of the minutes before it, in one pass: much cheaper than one by one, with
   * the same result. Marks without trades on either side are left unrounded, since nothing reads them.
   */
  tape(marks: Float64Array, traded: Int32Array, until: number): void {
    const end = Math.min(this.#minutes, until + 1);
    const spread = this.day.volume - this.#reserved;
    let before = 0;
    let reservedLots = 2;
    for (let mark = 1, control = 1; mark <= end; mark += 1) {
      if (mark >= (this.#marks[control] ?? Infinity)) {
        reservedLots += 1;
        control += 1;
      }
      const lots = Math.floor((spread * ((this.#flow[mark] ?? 1) + (this.#flow2[mark] ?? 1))) / 2) + reservedLots;
      traded[mark - 1] = lots - before;
      before = lots;
    }
    this.#moveHaltedLots(traded, end);
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
      bridge(marks, a, b, this.#key, this.day.session, this.#noise);
      const last = Math.min(b - 1, until);
      for (let mark = a + 1; mark <= last; mark += 1) {
        if (traded[mark] !== 0 || traded[mark - 1] !== 0) marks[mark] = this.#toDayPrice(marks[mark] ?? 0, mark, segment);
      }
    }
    for (const halt of this.#halts) marks[halt.until] = halt.price;
  }

  /** Moves the lots of halted minutes to the minute that resumes, if that comes before `end`. */
  #moveHaltedLots(traded: Int32Array, end: number): void {
    for (const { from, until } of this.#halts) {
      for (let minute = from; minute < Math.min(until, end); minute += 1) {
        if (until < end) traded[until] = (traded[until] ?? 0) + (traded[minute] ?? 0);
        traded[minute] = 0;
      }
    }
  }

  /** Lots traded up to a mark. One lot each is reserved for the trades that must exist (both ends and the extremes). */
  lots(mark: number): number {
    if (mark <= 0) return 0;
    const halt = this.#halts.find(({ from, until }) => mark > from && mark <= until);
    if (halt) return this.lots(halt.from);
    let reservedLots = 2;
    for (let at = 1; at < this.#marks.length; at += 1) if (mark >= (this.#marks[at] ?? 0)) reservedLots += 1;
    return Math.floor(((this.day.volume - this.#reserved) * ((this.#flow[mark] ?? 1) + (this.#flow2[mark] ?? 1))) / 2) + reservedLots;
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
    const single = volume === 1 || (this.#auction && minute === this.#minutes - 1);
    bar.open = single ? to : from;
    bar.close = to;
    bar.high = single || from < to ? to : from;
    bar.low = single || from > to ? to : from;
    if (single || volume < 3 || minute >= this.#lock) return;
    const hash = this.#key.draw(PURPOSE.minuteBar, this.day.session, minute);
    const tick = this.#tick || tickSize(this.#kind, bar.low);
    const upward = (hash & 1) === 0;
    const distance = 1 + Math.floor(unit(mix(hash, 1)) * unit(mix(hash, 4)) * this.#bounce);
    const extension = unit(mix(hash, 2)) < 0.6 ? distance : 0;
    const opposite = volume >= 4 && unit(mix(hash, 3)) < 0.25 ? 1 : 0;
    const above = upward ? extension : opposite;
    const under = upward ? opposite : extension;
    if (above > 0) bar.high = Math.min(this.day.high, toTick(this.#kind, bar.high + above * tick));
    if (under > 0) bar.low = Math.max(this.day.low, toTick(this.#kind, bar.low - under * tick));
  }

  /** The key trades of a minute: time within the minute, price, and cumulative lots. */
  trades(minute: number, bar: Bar, into: Trades, row: number): void {
    const at = row * MAX_KEY_TRADES;
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
    const onTime = minute === 0 || this.startsWithAuction(minute);
    for (let nth = 0; nth < count; nth += 1) {
      // An auction, like the first trade of a day, is on time; trades are more than one update interval apart.
      into.offset[at + nth] = nth === 0 && onTime ? 0 : Math.floor(slot * (nth + 0.55 * unit(mix(hash, nth))));
      into.lots[at + nth] = nth === count - 1 ? volume : Math.max(nth + 1, Math.floor((volume * (nth + 1)) / count) - 1);
      into.price[at + nth] =
        nth === count - 1 ? bar.close : nth === 0 ? bar.open : nth === 1 ? first : nth === 2 ? second : nth === 3 ? first : second;
    }
    // With three lots there is one trade between the ends: it shows the extreme that is not already an end.
    if (count === 3) into.price[at + 1] = bar.high > Math.max(bar.open, bar.close) ? bar.high : bar.low;
  }
}

/** The maximum number of key trades in a minute. */
export const MAX_KEY_TRADES = 6;

/** Key trades of the current minute, `MAX_KEY_TRADES` entries per row. */
export interface Trades {
  count: Uint8Array;
  offset: Int32Array;
  price: Float64Array;
  lots: Int32Array;
}
