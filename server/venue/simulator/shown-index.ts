/**
 * The indices as they are shown, with what members' trades and fills add to the prices of their shares. Nothing is priced on them: what depends on
 * money reads the indices of the market alone. Their opens are those of the market alone, as is the close that the next day counts from.
 */
import { PRICE_ONE } from "#contract/kernel/money.ts";
import type { Quote } from "#contract/quote.ts";
import { floats } from "#server/venue/market-data/quote-columns.ts";
import { sumGroups } from "./index-basket.ts";
import type { LiveBars } from "./live-bars.ts";
import type { MarketState } from "./market-state.ts";
import { memberSums } from "./member-sums.ts";
import type { PublicMarket } from "./public-market.ts";

/** An index in a session in which members have traded. */
interface Shown {
  last: number;
  high: number;
  low: number;
  volume: number;
  turnover: number;
  /** The current minute. */
  minuteOpen: number;
  minuteHigh: number;
  minuteLow: number;
  lotsBefore: number;
  /** The range that was shown in each minute; 0 where none was. */
  observed: { high: Float64Array; low: Float64Array };
}

export class ShownIndices {
  readonly #state: MarketState;
  readonly #published: PublicMarket;
  #session = -1;
  #minute = -1;
  /** The latest session in which the indices were shown as those of the market alone, because members had done nothing. */
  #alone = -1;
  /** By index. */
  #shown: Shown[] = [];

  constructor(state: MarketState, published: PublicMarket) {
    this.#state = state;
    this.#published = published;
    state.indices.published = () => this.update();
  }

  /** Whether members have moved anything in the session. */
  get #isActive(): boolean {
    return this.#session === this.#state.session;
  }

  /** Whether whole minutes have passed that were not shown: the process has slept, or was stalled. */
  get #hasMissed(): boolean {
    const { minute, market } = this.#state;
    return Math.min(minute, market.calendar.minutes) - this.#minute > 1;
  }

  /** Computes the indices from what is published of their shares now. The first time, and after a sleep, it goes through the minutes before. */
  update(): void {
    const { indices, session } = this.#state;
    const { groupOf, count } = indices.baskets;
    const rows = this.#published.touched.filter((row) => (groupOf[row] ?? -1) >= 0);
    if (rows.length === 0) {
      this.#alone = session;
      return;
    }
    if (!this.#isActive || this.#hasMissed) this.#begin(session);
    else if (this.#minute !== this.#state.minute) this.#startMinute();
    const [values, lots, turnovers] = [floats(count), floats(count), floats(count)];
    for (const row of rows) {
      const group = groupOf[row] ?? 0;
      const added = this.#published.added(row);
      values[group] = (values[group] ?? 0) + added.price * indices.weight(row);
      lots[group] = (lots[group] ?? 0) + added.lots;
      turnovers[group] = (turnovers[group] ?? 0) + added.turnover;
    }
    for (const [nth, shown] of this.#shown.entries()) {
      const [row, basket] = [indices.rows[nth] ?? -1, indices.baskets.indices[nth]];
      if (!basket) continue;
      this.#show(shown, indices.levelWith(nth, values));
      shown.volume = (this.#state.volume[row] ?? 0) + sumGroups(basket, lots);
      shown.turnover = (this.#state.turnover[row] ?? 0) + sumGroups(basket, turnovers);
    }
  }

  /** The same when members' trades have been replaced by those of the log: without them nothing was shown. */
  restored(): void {
    this.#alone = -1;
    this.update();
  }

  #show(shown: Shown, level: number): void {
    shown.last = level;
    shown.high = Math.max(shown.high, level);
    shown.low = Math.min(shown.low, level);
    shown.minuteHigh = Math.max(shown.minuteHigh, level);
    shown.minuteLow = Math.min(shown.minuteLow, level);
    const minute = Math.min(this.#minute, this.#state.market.calendar.minutes - 1);
    shown.observed.high[minute] = shown.minuteHigh;
    shown.observed.low[minute] = shown.minuteLow;
  }

  /** Starts a minute where the last one ended; the last one of a session goes on while closes are put off. */
  #startMinute(): void {
    const { minute, market } = this.#state;
    const isOver = minute >= market.calendar.minutes;
    this.#minute = minute;
    for (const shown of isOver ? [] : this.#shown) {
      shown.minuteOpen = shown.minuteHigh = shown.minuteLow = shown.last;
      shown.lotsBefore = shown.volume;
    }
  }

  /** Goes through the minutes of the session that are over, as the log tells them; the range that was shown of the session stays in it. */
  #begin(session: number): void {
    const { indices, market, minute, high, low } = this.#state;
    const { minutes } = market.calendar;
    const until = Math.min(Math.max(0, minute), minutes);
    const members = this.#published.sessionMinutes(session);
    const dayOf = (row: number) => this.#state.path(row)?.day ?? null;
    const sums = memberSums(market, indices.baskets, { members, until, dayOf });
    const before = this.#isActive ? this.#shown : [];
    this.#session = session;
    this.#minute = minute;
    this.#shown = indices.rows.map((row, nth) => {
      const entered = this.#enter(row, nth, until, sums);
      const own = this.#alone === session ? { high: high[row] || entered.high, low: low[row] || entered.low } : entered;
      const seen = before[nth] ?? { ...own, observed: entered.observed };
      return { ...entered, high: Math.max(seen.high, entered.high), low: Math.min(seen.low, entered.low), observed: seen.observed };
    });
  }

  #enter(row: number, nth: number, until: number, sums: ReturnType<typeof memberSums>): Shown {
    const { indices, market, open, lotsBefore, minuteOpen } = this.#state;
    const basket = indices.baskets.indices[nth];
    const first = open[row] || (minuteOpen[row] ?? 0);
    const levels = Array.from({ length: sums && until > 0 ? until + 1 : 0 }, (_, mark) =>
      sums ? indices.levelAt(nth, mark, sums.values) : 0,
    );
    const at = levels.at(-1) ?? first;
    const lotsIn = (minute: number): number => (basket && sums ? sumGroups(basket, sums.lots, minute * indices.baskets.count) : 0);
    let more = 0;
    for (let minute = 0; minute < until; minute += 1) more += lotsIn(minute);
    const observed = { high: floats(market.calendar.minutes), low: floats(market.calendar.minutes) };
    const [high, low] = [Math.max(first, ...levels), Math.min(first, ...levels)];
    const known = { last: at, high, low, volume: 0, turnover: 0, observed };
    return { ...known, minuteOpen: at, minuteHigh: at, minuteLow: at, lotsBefore: (lotsBefore[row] ?? 0) + more };
  }

  #of(row: number): Shown | null {
    return this.#isActive ? (this.#shown[this.#state.indices.rows.indexOf(row)] ?? null) : null;
  }

  /** The quote of a row as it is shown; unchanged for what is no index. */
  quote(own: Quote, lotShares: number): Quote {
    const shown = this.#of(own.row);
    if (!shown || own.last === 0) return own;
    const { last, high, low, volume, turnover } = shown;
    return { ...own, last, high, low, volume, turnover: Math.round((turnover * lotShares) / PRICE_ONE) };
  }

  /** The live bars of a row as they are shown. */
  liveBars(row: number, own: LiveBars): LiveBars {
    const shown = this.#of(row);
    if (!shown || !own.day) return own;
    const { last: close, high, low, volume, observed } = shown;
    const isNew = this.#minute !== this.#state.minute && own.minute < this.#state.market.calendar.minutes;
    const at = { open: shown.minuteOpen, high: shown.minuteHigh, low: shown.minuteLow, close };
    const bar = own.bar && { ...(isNew ? { open: close, high: close, low: close, close } : at), volume: own.bar.volume };
    if (bar && !isNew) bar.volume = volume - shown.lotsBefore;
    return { ...own, day: { ...own.day, high, low, close, volume }, bar, observed };
  }
}
