/** The past of the indices, summed from their constituents: minute by minute for the latest sessions, at a few moments a day before. */
import type { DailyBarCache } from "#server/venue/simulator/daily-bar-cache.ts";
import { basketsOf, gather, levelOf } from "#server/venue/simulator/index-basket.ts";
import type { Basket, Baskets } from "#server/venue/simulator/index-basket.ts";
import type { Timed } from "./bar-aggregation.ts";
import { firstIndexSession } from "#server/venue/calendar/trading-calendar.ts";
import type { Live } from "./bar-history.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import { DailyProcessReader } from "#server/venue/simulator/seeded-market.ts";
import type { Market } from "#server/venue/simulator/seeded-market.ts";
import { coarseDayPath, coarseMarketPath } from "#server/venue/simulator/coarse-path.ts";

/** The sums of one session: market value at every minute border and lots of every minute, `count` groups a place. */
interface Sums {
  values: Float64Array;
  lots: Float64Array;
}

/** Where a day of long ago is looked at, besides its open and its close. */
const GLANCES = [0.12, 0.35, 0.6, 0.85];
const KEPT_SESSIONS = 12;
const HEAVY = 6;

export class IndexHistory {
  readonly #market: Market;
  readonly #dailyBars: DailyBarCache;
  readonly #baskets: Baskets;
  readonly #sessions = new Map<number, Sums>();
  /** Per session a whole day of every index, made from its minutes. */
  readonly #recent = new Map<number, Bar[]>();
  #old: { from: number; until: number; places: Float64Array; lots: Float64Array } | null = null;
  #work: Generator<undefined, void> | null = null;

  constructor(market: Market, dailyBars: DailyBarCache) {
    this.#market = market;
    this.#dailyBars = dailyBars;
    this.#baskets = basketsOf(market);
  }

  #nth(row: number): number {
    return this.#baskets.indices.findIndex((basket) => basket.row === row);
  }

  /** Minute sums of a session; a fifth of a second's work, so the last ones are kept. */
  #sums(session: number): Sums {
    const kept = this.#sessions.get(session);
    if (kept) return kept;
    const { calendar, models } = this.#market;
    const { count, groupOf, shares } = this.#baskets;
    const { minutes } = calendar;
    const sums: Sums = { values: new Float64Array(count * (minutes + 1)), lots: new Float64Array(count * minutes) };
    const shape = this.#market.shape(session);
    const marks = new Float64Array(minutes + 1);
    const traded = new Int32Array(minutes + 1);
    for (let row = 0; row < models.length; row += 1) {
      const who = models[row];
      const group = groupOf[row] ?? -1;
      if (!who || group < 0) continue;
      const path = new Path(who, this.#dailyBars.day(row, session), shape);
      const weight = (shares[row] ?? 0) * path.day.shares;
      path.tape(marks, traded, minutes);
      let value = path.day.open;
      sums.values[group] = (sums.values[group] ?? 0) + value * weight;
      for (let minute = 0; minute < minutes; minute += 1) {
        const lots = traded[minute] ?? 0;
        if (lots === 0) continue;
        const place = minute * count + group;
        sums.lots[place] = (sums.lots[place] ?? 0) + lots;
        // A minute closes on the price at its end, whatever it did before.
        const close = marks[minute + 1] ?? 0;
        if (close === value) continue;
        sums.values[place + count] = (sums.values[place + count] ?? 0) + (close - value) * weight;
        value = close;
      }
    }
    for (let at = count; at < sums.values.length; at += 1) sums.values[at] = (sums.values[at] ?? 0) + (sums.values[at - count] ?? 0);
    this.#sessions.set(session, sums);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > KEPT_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    return sums;
  }

  /** The minutes of an index up to, not including, `until`, stretched to what was witnessed live. */
  minutes(row: number, session: number, until: number, seen: Live["seen"], opensAt: number): Timed[] {
    const basket = this.#baskets.indices[this.#nth(row)];
    if (!basket || until <= 0) return [];
    const { count } = this.#baskets;
    const { minuteMs } = this.#market.calendar;
    const { values, lots } = this.#sums(session);
    const out: Timed[] = [];
    let open = levelOf(basket, gather(basket, values));
    for (let minute = 0; minute < until; minute += 1) {
      const close = levelOf(basket, gather(basket, values, (minute + 1) * count));
      const volume = gather(basket, lots, minute * count);
      const high = Math.max(open, close, seen?.high[minute] ?? 0);
      const low = Math.min(open, close, seen?.low[minute] || open);
      if (volume > 0) out.push({ at: opensAt + minute * minuteMs, open, high, low, close, volume });
      open = close;
    }
    return out;
  }

  /** Every index through the minutes of a session before `until`, in the order of the baskets. */
  until(session: number, until: number): Bar[] {
    const { values, lots } = this.#sums(session);
    const { count, indices } = this.#baskets;
    return indices.map((basket): Bar => {
      const open = levelOf(basket, gather(basket, values));
      const bar: Bar = { open, high: open, low: open, close: open, volume: 0 };
      for (let mark = 1; mark <= until; mark += 1) {
        bar.close = levelOf(basket, gather(basket, values, mark * count));
        bar.high = Math.max(bar.high, bar.close);
        bar.low = Math.min(bar.low, bar.close);
        bar.volume += gather(basket, lots, (mark - 1) * count);
      }
      return bar;
    });
  }

  /** One whole session of every index, from its minutes. */
  #daysOf(session: number): Bar[] {
    const kept = this.#recent.get(session);
    if (kept) return kept;
    const bars = this.until(session, this.#market.calendar.minutes);
    this.#recent.set(session, bars);
    return bars;
  }

  /** Where every index closed before a session, in the order of the baskets. */
  references(session: number): number[] {
    const { count, groupOf, shares, indices } = this.#baskets;
    const closes = new Float64Array(count);
    for (let row = 0; row < groupOf.length; row += 1) {
      const group = groupOf[row] ?? -1;
      if (group < 0) continue;
      const day = this.#dailyBars.day(row, session);
      closes[group] = (closes[group] ?? 0) + day.previous * (shares[row] ?? 0) * day.shares;
    }
    return indices.map((basket) => levelOf(basket, gather(basket, closes)));
  }

  /** The largest constituents of every group: of the others the long past keeps the closes only. */
  #heavy(): Set<number> {
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
    const rows = [...groups.values()].flatMap((members) => members.toSorted((a, b) => b.value - a.value).slice(0, HEAVY));
    return new Set(rows.map(({ row }) => row));
  }

  /** Sum the long past, a few instruments at a time. */
  *#summing(from: number, until: number): Generator<undefined, void> {
    const { models, calendar, key } = this.#market;
    const { count, groupOf, shares } = this.#baskets;
    const stride = GLANCES.length + 2;
    const marks = GLANCES.map((place) => Math.floor(place * calendar.continuous));
    const places = new Float64Array(count * stride * (until - from));
    const lots = new Float64Array(count * (until - from));
    const glances = new Float64Array(GLANCES.length);
    const drift = coarseMarketPath(key, calendar, this.#market.factor, from, until, marks);
    const heavy = this.#heavy();
    const add = (into: Float64Array, at: number, amount: number): void => {
      into[at] = (into[at] ?? 0) + amount;
    };
    for (let row = 0; row < models.length; row += 1) {
      const who = models[row];
      const group = groupOf[row] ?? -1;
      if (!who || group < 0) continue;
      const issued = shares[row] ?? 0;
      const diary = new DailyProcessReader(who, from);
      for (let session = from; session < until; session += 1) {
        const place = (session - from) * count + group;
        const at = place * stride;
        if (heavy.has(row)) {
          const day = diary.next();
          const weight = issued * day.shares;
          coarseDayPath(who, day, marks, drift, (session - from) * marks.length, glances);
          add(places, at, day.open * weight);
          for (let nth = 0; nth < glances.length; nth += 1) add(places, at + 1 + nth, (glances[nth] ?? 0) * weight);
          add(places, at + stride - 1, day.close * weight);
          add(lots, place, day.volume);
        } else {
          const { reference, close, shares } = diary.skip();
          const weight = issued * shares;
          for (let nth = 0; nth < stride; nth += 1)
            add(places, at + nth, (reference + ((close - reference) * nth) / (stride - 1)) * weight);
          add(lots, place, who.parameters.baseLots * who.calendar.exchangeDays * shares);
        }
      }
      if (row % 16 === 0) yield;
    }
    this.#old = { from, until, places, lots };
  }

  *#preparing(from: number, session: number): Generator<undefined, void> {
    const until = Math.max(from, session - KEPT_SESSIONS + 2);
    for (let recent = session - 1; recent >= until; recent -= 1) {
      this.#daysOf(recent);
      yield;
    }
    yield* this.#summing(from, until);
  }

  /** Whether the long past is prepared. */
  get ready(): boolean {
    return this.#old !== null;
  }

  /** Do a little of the work that the first question about days will need, whatever it asks; false when there is nothing left to do. */
  warm(session: number): boolean {
    if (this.ready) return false;
    this.#work ??= this.#preparing(firstIndexSession(this.#market.calendar, session), session);
    return this.#work.next().done !== true;
  }

  #oldDay(basket: Basket, session: number): Bar {
    const old = this.#old;
    const { count } = this.#baskets;
    const stride = GLANCES.length + 2;
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    if (!old) return bar;
    for (let nth = 0; nth < stride; nth += 1) {
      let value = 0;
      for (const group of basket.groups) value += old.places[((session - old.from) * count + group) * stride + nth] ?? 0;
      const level = levelOf(basket, value);
      if (nth === 0) bar.open = bar.high = bar.low = level;
      bar.high = Math.max(bar.high, level);
      bar.low = Math.min(bar.low, level);
      bar.close = level;
    }
    // What is not sketched trades its ordinary lots, which are no whole number.
    bar.volume = Math.round(gather(basket, old.lots, (session - old.from) * count));
    return bar;
  }

  /** Days of an index from `from` up to, not including, `until`. */
  days(row: number, from: number, until: number): Bar[] {
    while (this.warm(until)) continue;
    const nth = this.#nth(row);
    const basket = this.#baskets.indices[nth];
    if (!basket) return [];
    const out: Bar[] = [];
    const old = this.#old;
    for (let session = from; session < until; session += 1) {
      const recent = old && session >= old.from && session < old.until ? null : this.#daysOf(session)[nth];
      out.push(recent ?? this.#oldDay(basket, session));
    }
    return out;
  }
}
