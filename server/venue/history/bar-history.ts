/** Computes past bars on demand: days from an instrument's daily process, minutes from its intraday paths, plus the live bar. */
import type { CandlePeriod } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { price } from "#contract/kernel/money.ts";
import { epochMs, taipeiMidnight } from "#contract/kernel/time.ts";
import { DailyBarCache } from "#server/venue/simulator/daily-bar-cache.ts";
import { MINUTES, aggregateBars } from "./bar-aggregation.ts";
import type { TimedBar } from "./bar-aggregation.ts";
import { firstIndexSession, firstSession } from "#server/venue/calendar/trading-calendar.ts";
import { minuteOnClock } from "#server/venue/simulator/delayed-close.ts";
import { termsOf } from "#server/venue/simulator/corporate-actions.ts";
import { payTime } from "#server/venue/simulator/pay-date.ts";
import type { ExEvent } from "#server/venue/simulator/corporate-actions.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import type { MemberPast } from "#server/venue/simulator/member-trades.ts";
import { withFills } from "#server/venue/simulator/moved-path.ts";
import { MemberDays, addToMinutes } from "./member-bars.ts";
import { IndexHistory } from "./index-history.ts";
import type { KnownMembers } from "./sent-members.ts";
import { DailyProcessReader } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";
import type { LiveBars } from "#server/venue/simulator/live-bars.ts";

export interface BarsQuery {
  row: number;
  period: CandlePeriod;
  before: number | null;
  limit: number;
  current: LiveBars;
  /** Members' trades; null where there are none. */
  members: MemberPast | null;
  /** Of an index, what members did to its shares in the latest sessions; null: the market alone. */
  all: Pick<KnownMembers, "of"> | null;
}

/** The highest and lowest price of a period. */
export interface HighLow {
  high: number;
  low: number;
}

const YEAR_DAYS = 365;
/** Number of sessions before the current one that have minute bars. */
export const MINUTE_SESSIONS = 10;
const MAX_CACHED_SERIES = 48;

export class History {
  readonly #market: SeededMarket;
  readonly dailyBars: DailyBarCache;
  readonly indices: IndexHistory;
  readonly #memberDays: MemberDays;
  /** Closed days by row, starting at session `from`; the most recently used row is last. */
  readonly #series = new Map<number, { from: number; days: Bar[]; reader: DailyProcessReader }>();
  readonly #priceMarks: Float64Array;
  readonly #traded: Int32Array;

  constructor(market: SeededMarket) {
    this.#market = market;
    this.dailyBars = new DailyBarCache(market);
    this.indices = new IndexHistory(market, this.dailyBars);
    this.#memberDays = new MemberDays(market);
    this.#priceMarks = new Float64Array(market.calendar.minutes + 1);
    this.#traded = new Int32Array(market.calendar.minutes + 1);
  }

  /** The first session of an instrument that is visible from a session. */
  #firstOf(row: number, session: number): number {
    const { calendar, models } = this.#market;
    const model = models[row];
    return model ? Math.max(firstSession(calendar, session), model.listed) : firstIndexSession(calendar, session);
  }

  /** The session before which an instrument's bars end, at most the given one. */
  #endOf(row: number, session: number): number {
    return Math.min(session, this.#market.models[row]?.ends ?? session);
  }

  /** An ex-event with its exact terms, which depend on the close before it. */
  #action(row: number, event: ExEvent, closeBefore: number): CorporateAction {
    const { kind, freeMillionths, rightsMillionths } = event;
    const { cash, rightsPrice, reference } = termsOf(event, this.#market.models[row]?.kind ?? "stock", closeBefore);
    const exDay = this.#market.calendar.dayOf(event.session);
    const key = this.#market.models[row]?.parameters.key;
    return {
      at: taipeiMidnight(exDay),
      kind,
      cash: price(cash),
      ...(cash > 0 && key ? { paysAt: epochMs(payTime(key, exDay)) } : {}),
      freeMillionths,
      rightsMillionths,
      rightsPrice: price(rightsPrice),
      closeBefore: price(closeBefore),
      reference: price(reference),
    };
  }

  /** The ex-events of an instrument visible from a session, including that session's own; oldest first. */
  actions(row: number, session: number): CorporateAction[] {
    const from = this.#firstOf(row, session);
    const events = (this.#market.models[row]?.events ?? []).filter((event) => event.session > from && event.session <= session);
    if (events.length === 0) return [];
    const days = this.#closedDays(row, from, session);
    return events.map((event) => this.#action(row, event, days[event.session - 1 - from]?.close ?? 0));
  }

  /** The ex-event of an instrument in one of the latest sessions; null for none. */
  actionIn(row: number, session: number): CorporateAction | null {
    const event = this.#market.models[row]?.events.find((one) => one.session === session);
    return event ? this.#action(row, event, this.dailyBars.day(row, session - 1).close) : null;
  }

  /**
   * The high and low of the year before a session; null when it contains no closed session. `members` of the row itself, `all` of the shares of an
   * index.
   */
  yearRange(row: number, session: number, members: MemberPast | null, all: BarsQuery["all"]): HighLow | null {
    const { calendar, models } = this.#market;
    const first = Math.max(this.#firstOf(row, session), calendar.sessionOn(calendar.dayOf(session) - YEAR_DAYS));
    const own = models[row] ? this.#closedDays(row, first, this.#endOf(row, session)) : this.indices.days(row, first, session, all);
    const days = this.#memberDays.addTo(own, row, first, members);
    if (days.length === 0) return null;
    return { high: Math.max(...days.map(({ high }) => high)), low: Math.min(...days.map(({ low }) => low)) };
  }

  bars(query: BarsQuery): { bars: number[]; more: boolean } {
    const { period, before, limit } = query;
    const { bars, older } = MINUTES[period] ? this.#minutes(query) : { bars: this.#days(query), older: false };
    const shown = before === null ? bars : bars.filter(({ at }) => at < before);
    const page = shown.slice(-limit);
    return {
      bars: page.flatMap((bar) => [bar.at, bar.open, bar.high, bar.low, bar.close, bar.volume]),
      more: older || shown.length > page.length,
    };
  }

  #days({ row, period, current, members, all }: BarsQuery): TimedBar[] {
    const { calendar } = this.#market;
    const from = this.#firstOf(row, current.session);
    const until = this.#endOf(row, current.session);
    const closed = this.#market.models[row] ? this.#closedDays(row, from, until) : this.indices.days(row, from, until, all);
    const published = this.#memberDays.addTo(closed, row, from, members);
    const bars: TimedBar[] = published.map((bar, nth) => ({ ...bar, at: taipeiMidnight(calendar.dayOf(from + nth)) }));
    if (current.day) bars.push({ ...current.day, at: taipeiMidnight(calendar.dayOf(current.session)) });
    // In compressed hours many sessions share one calendar day.
    return period === "day" && calendar.hours !== "compressed" ? bars : aggregateBars(bars, period);
  }

  /** Bars of the sessions from `from` up to, not including, `until`. */
  #closedDays(row: number, from: number, until: number): Bar[] {
    const model = this.#market.models[row];
    if (!model) return [];
    let series = this.#series.get(row);
    if (!series || series.from > from) series = { from, days: [], reader: new DailyProcessReader(model, from) };
    this.#series.delete(row);
    this.#series.set(row, series);
    while (series.from + series.days.length < until) {
      const { open, high, low, close, volume } = series.reader.next();
      series.days.push({ open, high, low, close, volume });
    }
    const oldest = this.#series.keys().next().value;
    if (this.#series.size > MAX_CACHED_SERIES && oldest !== undefined) this.#series.delete(oldest);
    return series.days.slice(from - series.from, until - series.from);
  }

  #minutes({ row, period, before, limit, current, members, all }: BarsQuery): { bars: TimedBar[]; older: boolean } {
    const { calendar } = this.#market;
    const first = Math.max(this.#firstOf(row, current.session), current.session - MINUTE_SESSIONS);
    const bars: TimedBar[][] = [];
    let count = 0;
    const last = this.#endOf(row, current.session + 1) - 1;
    for (let session = last; session >= first; session -= 1) {
      if (before !== null && calendar.opensAt(session) >= before) continue;
      const today = session === current.session;
      const until = Math.min(calendar.minutes, today ? current.minute : calendar.minutes);
      const minutes = this.#session(row, session, until, today ? current.observed : null, { members, all });
      if (today && current.bar) minutes.push({ ...current.bar, at: calendar.opensAt(session) + current.minute * calendar.minuteMs });
      const aggregated = aggregateBars(minutes, period);
      bars.unshift(aggregated);
      count += before === null ? aggregated.length : aggregated.filter(({ at }) => at < before).length;
      if (count >= limit) return { bars: bars.flat(), older: session > first };
    }
    return { bars: bars.flat(), older: false };
  }

  /** The minutes of a session up to, not including, `until`; minutes without trades are left out. */
  #session(
    row: number,
    session: number,
    until: number,
    observed: LiveBars["observed"],
    { members, all }: Pick<BarsQuery, "members" | "all">,
  ): TimedBar[] {
    const { calendar, models } = this.#market;
    const model = models[row];
    const opensAt = calendar.opensAt(session);
    if (!model) return this.indices.minutes(row, session, until, observed, all);
    const alone = new Path(model, new DailyProcessReader(model, session).next(), this.#market.sessionProfile(session));
    const path = withFills(alone, model, members?.fills.find(([each]) => each === session)?.[1]);
    const marks = this.#priceMarks;
    const out: TimedBar[] = [];
    path.tape(marks, this.#traded, until);
    for (let minute = 0; minute < until; minute += 1) {
      const lots = this.#traded[minute] ?? 0;
      if (lots === 0) continue;
      const bar: TimedBar = {
        at: opensAt + minuteOnClock(path, minute) * calendar.minuteMs,
        open: 0,
        high: 0,
        low: 0,
        close: 0,
        volume: 0,
      };
      path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots, bar);
      out.push(bar);
    }
    return addToMinutes(out, members?.minutes ?? [], path, calendar, until);
  }
}
