/** Computes the past of the indices from their constituents: every minute of the latest sessions, a few samples a day before that. */
import type { DailyBarCache } from "#server/venue/simulator/daily-bar-cache.ts";
import { memberSums } from "#server/venue/simulator/member-sums.ts";
import type { MemberSums } from "#server/venue/simulator/member-sums.ts";
import { basketsOf, sumGroups, levelOf } from "#server/venue/simulator/index-basket.ts";
import type { Basket, Baskets } from "#server/venue/simulator/index-basket.ts";
import type { TimedBar } from "./bar-aggregation.ts";
import type { KnownMembers, KnownSession } from "./sent-members.ts";
import { feeDayOf, firstIndexSession } from "#server/venue/calendar/trading-calendar.ts";
import type { LiveBars } from "#server/venue/simulator/live-bars.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import type { ExDividend } from "#server/venue/venue.ts";
import type { Day } from "#server/venue/simulator/daily-process.ts";
import { DailyProcessReader } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";
import { clockOf } from "#server/venue/simulator/day-clock.ts";
import { shapeOf } from "#server/venue/simulator/day-shape.ts";

/** The sums of one session: market value at every minute border and lots of every minute, `count` groups per entry. */
type Sums = MemberSums;

/** What members did to shares, by session; null: the market alone. */
type All = Pick<KnownMembers, "of"> | null;

/** The segments of an old day at whose ends it is sampled, besides its open and close. */
const SAMPLES = [1, 3, 5, 7] as const;
const CACHED_SESSIONS = 12;
const LARGEST_PER_GROUP = 6;
/** Other queries are answered between two steps, which take some milliseconds. */
const ROWS_PER_STEP = 16;

export class IndexHistory {
  readonly #market: SeededMarket;
  readonly #dailyBars: DailyBarCache;
  readonly #baskets: Baskets;
  readonly #sessions = new Map<number, Sums>();
  /** Per session the day bar of every index, made from its minutes. */
  readonly #recent = new Map<number, Bar[]>();
  #longHistory: { from: number; until: number; places: Float64Array; lots: Float64Array } | null = null;
  #work: Generator<undefined, void> | null = null;

  /** The latest sessions with what members did, and its version. */
  readonly #shown = new Map<number, { version: number; sums: Sums }>();

  constructor(market: SeededMarket, dailyBars: DailyBarCache) {
    this.#market = market;
    this.#dailyBars = dailyBars;
    this.#baskets = basketsOf(market);
  }

  #nth(row: number): number {
    return this.#baskets.indices.findIndex((basket) => basket.row === row);
  }

  /** The minute sums of a session. They cost a fifth of a second, and seconds for the first one, so the latest ones are cached. */
  #sums(session: number): Sums {
    const kept = this.#sessions.get(session);
    if (kept) return kept;
    const work = this.#sumSession(session);
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
    }
  }

  /** Sums a session, a few instruments per step. */
  *#sumSession(session: number): Generator<undefined, Sums> {
    const { calendar, models } = this.#market;
    const { count, groupOf, shares } = this.#baskets;
    const { minutes } = calendar;
    const sums: Sums = { values: new Float64Array(count * (minutes + 1)), lots: new Float64Array(count * minutes) };
    const profile = this.#market.sessionProfile(session);
    const marks = new Float64Array(minutes + 1);
    const traded = new Int32Array(minutes + 1);
    for (let row = 0; row < models.length; row += 1) {
      if (row % ROWS_PER_STEP === 0) yield;
      const model = models[row];
      const group = groupOf[row] ?? -1;
      if (!model || group < 0) continue;
      const path = new Path(model, this.#dailyBars.day(row, session), profile);
      const weight = (shares[row] ?? 0) * path.day.shares;
      path.tape(marks, traded, minutes);
      let value = path.levelAtOpen;
      sums.values[group] = (sums.values[group] ?? 0) + value * weight;
      for (let minute = 0; minute < minutes; minute += 1) {
        const lots = traded[minute] ?? 0;
        if (lots === 0) continue;
        const place = minute * count + group;
        sums.lots[place] = (sums.lots[place] ?? 0) + lots;
        // A minute closes at the price at its end, whatever happened within it.
        const close = marks[minute + 1] ?? 0;
        if (close === value) continue;
        sums.values[place + count] = (sums.values[place + count] ?? 0) + (close - value) * weight;
        value = close;
      }
    }
    for (let at = count; at < sums.values.length; at += 1) sums.values[at] = (sums.values[at] ?? 0) + (sums.values[at - count] ?? 0);
    this.#sessions.set(session, sums);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > CACHED_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return sums;
  }

  /** The same with what members did; the sums of the market alone where they did nothing. */
  #shownSums(session: number, known: KnownSession | null): Sums {
    const own = this.#sums(session);
    if (!known) return own;
    const { version, members } = known;
    const kept = this.#shown.get(session);
    if (kept && kept.version === version) return kept.sums;
    const { minutes } = this.#market.calendar;
    const dayOf = (row: number): Day => this.#dailyBars.day(row, session);
    const added = memberSums(this.#market, this.#baskets, { members, until: minutes, dayOf });
    const plus = (one: Float64Array, more: Float64Array): Float64Array => one.map((value, at) => value + (more[at] ?? 0));
    const sums = added ? { values: plus(own.values, added.values), lots: plus(own.lots, added.lots) } : own;
    if (version === null) return sums;
    this.#shown.delete(session);
    this.#shown.set(session, { version, sums });
    const oldest = this.#shown.keys().next().value;
    if (this.#shown.size > CACHED_SESSIONS && oldest !== undefined) this.#shown.delete(oldest);
    return sums;
  }

  /** The minutes of an index up to, not including, `until`, widened to the extremes observed live; `all`: what members did. */
  minutes(row: number, session: number, until: number, observed: LiveBars["observed"], all: All): TimedBar[] {
    const basket = this.#baskets.indices[this.#nth(row)];
    if (!basket || until <= 0) return [];
    const { count } = this.#baskets;
    const { calendar } = this.#market;
    const { minuteMs } = calendar;
    const opensAt = calendar.opensAt(session);
    const { values, lots } = this.#shownSums(session, all?.of(session) ?? null);
    const out: TimedBar[] = [];
    let open = levelOf(basket, sumGroups(basket, values));
    for (let minute = 0; minute < until; minute += 1) {
      const close = levelOf(basket, sumGroups(basket, values, (minute + 1) * count));
      const volume = sumGroups(basket, lots, minute * count);
      const high = Math.max(open, close, observed?.high[minute] ?? 0);
      const low = Math.min(open, close, observed?.low[minute] || open);
      if (volume > 0) out.push({ at: opensAt + minute * minuteMs, open, high, low, close, volume });
      open = close;
    }
    return out;
  }

  /** The bar of every index over the minutes of a session before `until`, in basket order, with what members did. */
  until(session: number, until: number, known: KnownSession | null = null): Bar[] {
    const { values, lots } = this.#shownSums(session, known);
    const { count, indices } = this.#baskets;
    return indices.map((basket): Bar => {
      const open = levelOf(basket, sumGroups(basket, values));
      const bar: Bar = { open, high: open, low: open, close: open, volume: 0 };
      for (let mark = 1; mark <= until; mark += 1) {
        bar.close = levelOf(basket, sumGroups(basket, values, mark * count));
        bar.high = Math.max(bar.high, bar.close);
        bar.low = Math.min(bar.low, bar.close);
        bar.volume += sumGroups(basket, lots, (mark - 1) * count);
      }
      return bar;
    });
  }

  /** The day bar of every index for one whole session. */
  #daysOf(session: number): Bar[] {
    const kept = this.#recent.get(session);
    if (kept) return kept;
    const bars = this.until(session, this.#market.calendar.minutes);
    this.#recent.set(session, bars);
    return bars;
  }

  /** The level of every index at one price of its shares in a session, in basket order. */
  #levels(session: number, priceOf: (day: Day) => number): number[] {
    const { count, groupOf, shares, indices } = this.#baskets;
    const sums = new Float64Array(count);
    for (let row = 0; row < groupOf.length; row += 1) {
      const group = groupOf[row] ?? -1;
      if (group < 0) continue;
      const day = this.#dailyBars.day(row, session);
      sums[group] = (sums[group] ?? 0) + priceOf(day) * (shares[row] ?? 0) * day.shares;
    }
    return indices.map((basket) => levelOf(basket, sumGroups(basket, sums)));
  }

  /** The previous close of every index before a session, in basket order. */
  references(session: number): number[] {
    return this.#levels(session, ({ previous }) => previous);
  }

  /** What an index lost to dividends on the fee days after one and before another. */
  exDividends(row: number, after: number, before: number): ExDividend[] {
    const { calendar, models } = this.#market;
    const nth = this.#nth(row);
    const lost: ExDividend[] = [];
    const own = models.filter((_, share) => (this.#baskets.groupOf[share] ?? -1) >= 0);
    const sessions = new Set(own.flatMap((model) => model?.events.map(({ session }) => session) ?? []));
    // In order: the cache of days only goes on.
    for (const session of [...sessions].toSorted((a, b) => a - b)) {
      const day = feeDayOf(calendar, session);
      if (day <= after || day >= before) continue;
      const closed = this.references(session)[nth] ?? 0;
      const began = this.#levels(session, ({ reference }) => reference)[nth] ?? 0;
      if (closed > began) lost.push({ day, lost: closed - began });
    }
    return lost;
  }

  /** The largest constituents of every group; for the others the long history keeps only closes. */
  #large(): Set<number> {
    const { groupOf, shares } = this.#baskets;
    const groups = new Map<number, { row: number; value: number }[]>();
    for (const { instrument, anchor } of this.#market.referenceData.listings) {
      const { row } = instrument;
      const group = groupOf[row] ?? -1;
      if (group < 0) continue;
      const members = groups.get(group) ?? [];
      members.push({ row, value: anchor * (shares[row] ?? 0) });
      groups.set(group, members);
    }
    const rows = [...groups.values()].flatMap((members) => members.toSorted((a, b) => b.value - a.value).slice(0, LARGEST_PER_GROUP));
    return new Set(rows.map(({ row }) => row));
  }

  /** Sums the long history, a few instruments per step. */
  *#sumLongHistory(from: number, until: number): Generator<undefined, void> {
    const { models, calendar } = this.#market;
    const { count, groupOf, shares } = this.#baskets;
    const stride = SAMPLES.length + 2;
    const places = new Float64Array(count * stride * (until - from));
    const lots = new Float64Array(count * (until - from));
    const large = this.#large();
    const add = (into: Float64Array, at: number, amount: number): void => {
      into[at] = (into[at] ?? 0) + amount;
    };
    for (let row = 0; row < models.length; row += 1) {
      const model = models[row];
      const group = groupOf[row] ?? -1;
      if (!model || group < 0) continue;
      const thousands = shares[row] ?? 0;
      const reader = new DailyProcessReader(model, from);
      for (let session = from; session < until; session += 1) {
        const place = (session - from) * count + group;
        const at = place * stride;
        if (large.has(row)) {
          const day = reader.next();
          const weight = thousands * day.shares;
          const shape = shapeOf(day.moves, model.parameters.key, clockOf(calendar));
          add(places, at, day.open * weight);
          SAMPLES.forEach((segment, nth) => {
            const price = day.base * Math.exp(shape.at[segment] ?? 0);
            add(places, at + 1 + nth, Math.min(day.up, Math.max(day.down, price)) * weight);
          });
          add(places, at + stride - 1, day.close * weight);
          add(lots, place, day.volume);
        } else {
          const { reference, close, shares } = reader.skip();
          const weight = thousands * shares;
          for (let nth = 0; nth < stride; nth += 1)
            add(places, at + nth, (reference + ((close - reference) * nth) / (stride - 1)) * weight);
          add(lots, place, model.parameters.baseLots * model.calendar.exchangeDays * shares);
        }
      }
      if (row % ROWS_PER_STEP === 0) yield;
    }
    this.#longHistory = { from, until, places, lots };
  }

  *#prepare(from: number, session: number): Generator<undefined, void> {
    const until = Math.max(from, session - CACHED_SESSIONS + 2);
    for (let recent = session - 1; recent >= until; recent -= 1) {
      if (!this.#sessions.has(recent)) yield* this.#sumSession(recent);
      this.#daysOf(recent);
      yield;
    }
    yield* this.#sumLongHistory(from, until);
  }

  /** Whether the long history is ready. */
  get ready(): boolean {
    return this.#longHistory !== null;
  }

  /** Does one step of the work that the first query for days needs; false when nothing is left to do. */
  prepareStep(session: number): boolean {
    if (this.ready) return false;
    this.#work ??= this.#prepare(firstIndexSession(this.#market.calendar, session), session);
    return this.#work.next().done !== true;
  }

  #longHistoryDay(basket: Basket, session: number): Bar {
    const history = this.#longHistory;
    const { count } = this.#baskets;
    const stride = SAMPLES.length + 2;
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    if (!history) return bar;
    for (let nth = 0; nth < stride; nth += 1) {
      let value = 0;
      for (const group of basket.groups) value += history.places[((session - history.from) * count + group) * stride + nth] ?? 0;
      const level = levelOf(basket, value);
      if (nth === 0) bar.open = bar.high = bar.low = level;
      bar.high = Math.max(bar.high, level);
      bar.low = Math.min(bar.low, level);
      bar.close = level;
    }
    // Instruments that are not sampled count with their average lots, which are no whole number.
    bar.volume = Math.round(sumGroups(basket, history.lots, (session - history.from) * count));
    return bar;
  }

  /** Day bars of an index from session `from` up to, not including, `until`; with what members did in the sessions of which it is known. */
  days(row: number, from: number, until: number, all: All = null): Bar[] {
    while (this.prepareStep(until)) continue;
    const nth = this.#nth(row);
    const basket = this.#baskets.indices[nth];
    if (!basket) return [];
    const out: Bar[] = [];
    const history = this.#longHistory;
    for (let session = from; session < until; session += 1) {
      const isLong = history && session >= history.from && session < history.until;
      const known = all?.of(session) ?? null;
      const whole = known ? () => this.until(session, this.#market.calendar.minutes, known) : () => this.#daysOf(session);
      out.push((isLong ? null : whole()[nth]) ?? this.#longHistoryDay(basket, session));
    }
    return out;
  }
}
