/** Institutional trading and margin balances of past sessions, computed on demand and kept for the instruments asked for last. */
import type { InvestorDay } from "#contract/investor.ts";
import { epochMs, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { institutionsIn, MarginBalances } from "#server/venue/simulator/investor-process.ts";
import { DailyProcessReader } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";

/**
 * Balances depend on all sessions before, so they begin at a fixed one: the first, or for a market with many sessions a day the last
 * multiple of this number, where the records start over.
 */
const RECORD_SESSIONS = 5_000;
const KEPT_DAYS = 40;
const KEPT_INSTRUMENTS = 200;

interface Series {
  /** The session of its first record. */
  from: number;
  reader: DailyProcessReader;
  key: Key;
  balances: MarginBalances;
  /** The session after the newest record. */
  next: number;
  /** Oldest first; the oldest are dropped. */
  days: InvestorDay[];
}

export class InvestorHistory {
  readonly #market: SeededMarket;
  readonly #series = new Map<number, Series>();

  constructor(market: SeededMarket) {
    this.#market = market;
  }

  /** The last `count` sessions up to and including one, newest first; empty for a row without a daily process. */
  days(row: number, until: number, count: number): InvestorDay[] {
    const session = Math.min(until, (this.#market.models[row]?.ends ?? Infinity) - 1);
    const first = this.#first(row, session);
    if (first === null) return [];
    let series = this.#series.get(row);
    // The records started over, or the clock was set back to before the kept days.
    if (series?.from !== first || series.next - series.days.length > Math.max(first, session - count + 1)) {
      const opened = this.#open(row, first);
      if (!opened) return [];
      series = opened;
    }
    this.#series.delete(row);
    this.#series.set(row, series);
    while (series.next <= session) this.#advance(series);
    const oldest = this.#series.keys().next().value;
    if (this.#series.size > KEPT_INSTRUMENTS && oldest !== undefined) this.#series.delete(oldest);
    const end = series.days.length - (series.next - 1 - session);
    return series.days.slice(Math.max(0, end - count), end).toReversed();
  }

  #first(row: number, session: number): number | null {
    const model = this.#market.models[row];
    return model ? Math.max(1, model.listed, session - (session % RECORD_SESSIONS)) : null;
  }

  #open(row: number, first: number): Series | null {
    const model = this.#market.models[row];
    if (!model) return null;
    const { key } = model.parameters;
    return { from: first, reader: new DailyProcessReader(model, first), key, balances: new MarginBalances(key), next: first, days: [] };
  }

  #advance(series: Series): void {
    const day = series.reader.next();
    series.days.push({
      at: epochMs(taipeiMidnight(this.#market.calendar.dayOf(day.session))),
      volume: day.volume,
      ...institutionsIn(series.key, day),
      margin: series.balances.next(day),
    });
    if (series.days.length > KEPT_DAYS) series.days.shift();
    series.next += 1;
  }
}
