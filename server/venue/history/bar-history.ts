/** Bars of the past, made on demand: days from an instrument's walk, minutes from its paths, joined with the live bar. */
import type { CandlePeriod } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { price } from "#contract/kernel/money.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { DailyBarCache } from "#server/venue/simulator/daily-bar-cache.ts";
import { MINUTES, bundle } from "./bar-aggregation.ts";
import type { Timed } from "./bar-aggregation.ts";
import { firstIndexSession, firstSession } from "#server/venue/calendar/trading-calendar.ts";
import { termsOf } from "#server/venue/simulator/corporate-actions.ts";
import type { ExEvent } from "#server/venue/simulator/corporate-actions.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import { IndexHistory } from "./index-history.ts";
import { DailyProcessReader } from "#server/venue/simulator/seeded-market.ts";
import type { Market } from "#server/venue/simulator/seeded-market.ts";

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

export interface BarsQuestion {
  row: number;
  period: CandlePeriod;
  before: number | null;
  limit: number;
  live: Live;
}

/** The highest and lowest price of some time. */
export interface Reach {
  high: number;
  low: number;
}

const YEAR_DAYS = 365;
/** Sessions before the current one that have minute bars. */
export const MINUTE_SESSIONS = 10;
const KEPT_SERIES = 48;

export class History {
  readonly #market: Market;
  readonly dailyBars: DailyBarCache;
  readonly indices: IndexHistory;
  /** Closed days by row, from `from` on, newest rows last. */
  readonly #series = new Map<number, { from: number; days: Bar[]; diary: DailyProcessReader }>();
  readonly #marks: Float64Array;
  readonly #traded: Int32Array;

  constructor(market: Market) {
    this.#market = market;
    this.dailyBars = new DailyBarCache(market);
    this.indices = new IndexHistory(market, this.dailyBars);
    this.#marks = new Float64Array(market.calendar.minutes + 1);
    this.#traded = new Int32Array(market.calendar.minutes + 1);
  }

  /** The first session of an instrument that anyone can see from a session. */
  #firstOf(row: number, session: number): number {
    const { calendar, models } = this.#market;
    const who = models[row];
    return who ? Math.max(firstSession(calendar, session), who.listed) : firstIndexSession(calendar, session);
  }

  /** An ex-event with its exact terms, which the close before it decides. */
  #action(row: number, event: ExEvent, closeBefore: number): CorporateAction {
    const { kind, freeMillionths, rightsMillionths } = event;
    const { cash, rightsPrice, reference } = termsOf(event, this.#market.models[row]?.kind ?? "stock", closeBefore);
    return {
      at: taipeiMidnight(this.#market.calendar.dayOf(event.session)),
      kind,
      cash: price(cash),
      freeMillionths,
      rightsMillionths,
      rightsPrice: price(rightsPrice),
      closeBefore: price(closeBefore),
      reference: price(reference),
    };
  }

  /** The ex-events of an instrument within what can be seen from a session, that session's own with them, oldest first. */
  actions(row: number, session: number): CorporateAction[] {
    const from = this.#firstOf(row, session);
    const events = (this.#market.models[row]?.events ?? []).filter((event) => event.session > from && event.session <= session);
    if (events.length === 0) return [];
    const days = this.#closedDays(row, from, session);
    return events.map((event) => this.#action(row, event, days[event.session - 1 - from]?.close ?? 0));
  }

  /** The ex-event of an instrument in one of the last sessions; null for none. */
  actionIn(row: number, session: number): CorporateAction | null {
    const event = this.#market.models[row]?.events.find((one) => one.session === session);
    return event ? this.#action(row, event, this.dailyBars.day(row, session - 1).close) : null;
  }

  /** How far an instrument went in the year before a session; null when it has no closed session in it. */
  reach(row: number, session: number): Reach | null {
    const { calendar, models } = this.#market;
    const first = Math.max(this.#firstOf(row, session), calendar.sessionOn(calendar.dayOf(session) - YEAR_DAYS));
    const days = models[row] ? this.#closedDays(row, first, session) : this.indices.days(row, first, session);
    if (days.length === 0) return null;
    return { high: Math.max(...days.map(({ high }) => high)), low: Math.min(...days.map(({ low }) => low)) };
  }

  bars(question: BarsQuestion): { bars: number[]; more: boolean } {
    const { period, before, limit } = question;
    const { bars, older } = MINUTES[period] ? this.#minutes(question) : { bars: this.#days(question), older: false };
    const shown = before === null ? bars : bars.filter(({ at }) => at < before);
    const page = shown.slice(-limit);
    return {
      bars: page.flatMap((bar) => [bar.at, bar.open, bar.high, bar.low, bar.close, bar.volume]),
      more: older || shown.length > page.length,
    };
  }

  #days({ row, period, live }: BarsQuestion): Timed[] {
    const { calendar } = this.#market;
    const from = this.#firstOf(row, live.session);
    const closed = this.#market.models[row] ? this.#closedDays(row, from, live.session) : this.indices.days(row, from, live.session);
    const bars: Timed[] = closed.map((bar, nth) => ({ ...bar, at: taipeiMidnight(calendar.dayOf(from + nth)) }));
    if (live.day) bars.push({ ...live.day, at: taipeiMidnight(calendar.dayOf(live.session)) });
    // Where a day is compressed many sessions are one day.
    return period === "day" && calendar.hours !== "compressed" ? bars : bundle(bars, period);
  }

  /** Bars of the sessions from `from` up to, not including, `until`. */
  #closedDays(row: number, from: number, until: number): Bar[] {
    const who = this.#market.models[row];
    if (!who) return [];
    let series = this.#series.get(row);
    if (!series || series.from > from) series = { from, days: [], diary: new DailyProcessReader(who, from) };
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

  #minutes({ row, period, before, limit, live }: BarsQuestion): { bars: Timed[]; older: boolean } {
    const { calendar } = this.#market;
    const first = Math.max(this.#firstOf(row, live.session), live.session - MINUTE_SESSIONS);
    const bars: Timed[][] = [];
    let count = 0;
    for (let session = live.session; session >= first; session -= 1) {
      if (before !== null && calendar.opensAt(session) >= before) continue;
      const today = session === live.session;
      const own = this.#session(row, session, today ? live.minute : calendar.minutes, today ? live.seen : null);
      if (today && live.bar) own.push({ ...live.bar, at: calendar.opensAt(session) + live.minute * calendar.minuteMs });
      const bundled = bundle(own, period);
      bars.unshift(bundled);
      count += before === null ? bundled.length : bundled.filter(({ at }) => at < before).length;
      if (count >= limit) return { bars: bars.flat(), older: session > first };
    }
    return { bars: bars.flat(), older: false };
  }

  /** The minutes of a session up to, not including, `until`, those without trades left out. */
  #session(row: number, session: number, until: number, seen: Live["seen"]): Timed[] {
    const { calendar, models } = this.#market;
    const who = models[row];
    const opensAt = calendar.opensAt(session);
    if (!who) return this.indices.minutes(row, session, Math.min(until, calendar.minutes), seen, opensAt);
    const path = new Path(who, new DailyProcessReader(who, session).next(), this.#market.shape(session));
    const end = Math.min(until, calendar.minutes);
    const marks = this.#marks;
    const out: Timed[] = [];
    path.tape(marks, this.#traded, end);
    for (let minute = 0; minute < end; minute += 1) {
      const lots = this.#traded[minute] ?? 0;
      if (lots === 0) continue;
      const bar: Timed = { at: opensAt + minute * calendar.minuteMs, open: 0, high: 0, low: 0, close: 0, volume: 0 };
      path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots, bar);
      out.push(bar);
    }
    return out;
  }
}
