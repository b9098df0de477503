/** Bars of the past, made on demand: days from an instrument's walk, minutes from its paths, joined with the live bar. */
import type { CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { Path } from "./intraday.ts";
import type { Bar } from "./intraday.ts";
import { IndexHistory } from "./index-history.ts";
import { Diary } from "./market.ts";
import type { Market } from "./market.ts";

/** What the floor knows of one instrument at the moment of asking; the history ends where this begins. */
export interface Live {
  session: number;
  minute: number;
  /** The session so far; null before its first trade. */
  day: Bar | null;
  /** The current minute so far; null before its first trade. */
  bar: Bar | null;
  /** For an index, the extremes witnessed in each minute of the session (0: not witnessed). */
  seen: { high: Float64Array; low: Float64Array } | null;
}

export interface Question {
  row: number;
  period: CandlePeriod;
  before: number | null;
  limit: number;
  live: Live;
}

export interface Timed extends Bar {
  at: number;
}

export const HISTORY_DAYS = 1826;
/** Sessions before the current one that have minute bars. */
export const MINUTE_SESSIONS = 10;
const KEPT_SERIES = 48;
const MINUTES: Partial<Record<CandlePeriod, number>> = { minute: 1, minute5: 5, minute15: 15, minute30: 30 };

const bundle = (bars: readonly Timed[], startOf: (at: number) => number): Timed[] => {
  const out: Timed[] = [];
  let open: Timed | undefined;
  for (const bar of bars) {
    const at = startOf(bar.at);
    if (open?.at === at) {
      open.high = Math.max(open.high, bar.high);
      open.low = Math.min(open.low, bar.low);
      open.close = bar.close;
      open.volume += bar.volume;
    } else {
      open = { ...bar, at };
      out.push(open);
    }
  }
  return out;
};

/** Monday of the week a moment lies in; 1970 began on a Thursday. */
const weekOf = (at: number): number => {
  const day = taipeiDay(at);
  return taipeiMidnight(day - ((day + 3) % 7));
};
const monthOf = (at: number): number => {
  const date = new Date(taipeiDay(at) * DAY_MS);
  return taipeiMidnight(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS);
};

export class History {
  readonly #market: Market;
  readonly indices: IndexHistory;
  /** Closed days by row, from `from` on, newest rows last. */
  readonly #series = new Map<number, { from: number; days: Bar[]; diary: Diary }>();
  readonly #marks: Float64Array;
  readonly #traded: Int32Array;

  constructor(market: Market) {
    this.#market = market;
    this.indices = new IndexHistory(market);
    this.#marks = new Float64Array(market.calendar.minutes + 1);
    this.#traded = new Int32Array(market.calendar.minutes + 1);
  }

  /** The first session anyone can see from a session. */
  firstSession(session: number): number {
    const { calendar } = this.#market;
    return Math.max(1, calendar.sessionOn(calendar.dayOf(session) - HISTORY_DAYS) + 1);
  }

  answer(question: Question): { bars: number[]; more: boolean } {
    const { period, before, limit } = question;
    const minutes = MINUTES[period];
    const { bars, older } = minutes ? this.#minutes(question, minutes) : { bars: this.#days(question), older: false };
    const shown = before === null ? bars : bars.filter(({ at }) => at < before);
    const page = shown.slice(-limit);
    return {
      bars: page.flatMap((bar) => [bar.at, bar.open, bar.high, bar.low, bar.close, bar.volume]),
      more: older || shown.length > page.length,
    };
  }

  #days({ row, period, live }: Question): Timed[] {
    const { calendar } = this.#market;
    const from = this.firstSession(live.session);
    const closed = this.#market.walkers[row] ? this.#closedDays(row, from, live.session) : this.indices.days(row, from, live.session);
    const bars: Timed[] = closed.map((bar, nth) => ({ ...bar, at: taipeiMidnight(calendar.dayOf(from + nth)) }));
    if (live.day) bars.push({ ...live.day, at: taipeiMidnight(calendar.dayOf(live.session)) });
    return period === "day" ? bars : bundle(bars, period === "week" ? weekOf : monthOf);
  }

  /** Bars of the sessions from `from` up to, not including, `until`. */
  #closedDays(row: number, from: number, until: number): Bar[] {
    const who = this.#market.walkers[row];
    if (!who) return [];
    let series = this.#series.get(row);
    if (!series || series.from > from) series = { from, days: [], diary: new Diary(who, from) };
    this.#series.delete(row);
    this.#series.set(row, series);
    while (series.from + series.days.length < until) {
      const { open, high, low, close, volume } = series.diary.next();
      series.days.push({ open, high, low, close, volume });
    }
    const oldest = this.#series.keys().next().value;
    if (this.#series.size > KEPT_SERIES && oldest !== undefined) this.#series.delete(oldest);
    return series.days.slice(from - series.from, until - series.from);
  }

  #minutes({ row, before, limit, live }: Question, size: number): { bars: Timed[]; older: boolean } {
    const { calendar } = this.#market;
    const first = Math.max(this.firstSession(live.session), live.session - MINUTE_SESSIONS);
    const start = size * MINUTE_MS;
    const bars: Timed[][] = [];
    let count = 0;
    for (let session = live.session; session >= first; session -= 1) {
      if (before !== null && calendar.opensAt(session) >= before) continue;
      const today = session === live.session;
      const own = this.#session(row, session, today ? live.minute : calendar.minutes, today ? live.seen : null);
      if (today && live.bar) own.push({ ...live.bar, at: calendar.opensAt(session) + live.minute * MINUTE_MS });
      const bundled = bundle(own, (at) => Math.floor(at / start) * start);
      bars.unshift(bundled);
      count += before === null ? bundled.length : bundled.filter(({ at }) => at < before).length;
      if (count >= limit) return { bars: bars.flat(), older: session > first };
    }
    return { bars: bars.flat(), older: false };
  }

  /** The minutes of a session up to, not including, `until`, those without trades left out. */
  #session(row: number, session: number, until: number, seen: Live["seen"]): Timed[] {
    const { calendar, walkers } = this.#market;
    const who = walkers[row];
    const opensAt = calendar.opensAt(session);
    if (!who) return this.indices.minutes(row, session, Math.min(until, calendar.minutes), seen, opensAt);
    const path = new Path(who, new Diary(who, session).next(), this.#market.shape(session));
    const end = Math.min(until, calendar.minutes);
    const marks = this.#marks;
    const out: Timed[] = [];
    path.tape(marks, this.#traded, end);
    for (let minute = 0; minute < end; minute += 1) {
      const lots = this.#traded[minute] ?? 0;
      if (lots === 0) continue;
      const bar: Timed = { at: opensAt + minute * MINUTE_MS, open: 0, high: 0, low: 0, close: 0, volume: 0 };
      path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots, bar);
      out.push(bar);
    }
    return out;
  }
}
