/** The bars of live instruments: minutes as observed, days as far back as the feed provides them, requested a year at a time. */
import { CANDLE_FIELDS } from "#contract/candle.ts";
import type { CandlePeriod } from "#contract/candle.ts";
import type { Instrument } from "#contract/instrument.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { MINUTES, aggregateBars } from "#server/venue/history/bar-aggregation.ts";
import type { TimedBar } from "#server/venue/history/bar-aggregation.ts";
import type { LiveMarketState } from "./live-market-state.ts";
import type { Feed, FeedMarket } from "./port.ts";

/** Services return about a year per call; clients see at most five years. */
const YEAR_DAYS = 364;
const MAX_YEARS = 5;
/** How many days make up one bar at most. */
const DAYS_IN: Partial<Record<CandlePeriod, number>> = { week: 6, month: 23 };

/** Bars, oldest first, and whether there may be more before them. */
interface PastBars {
  bars: readonly TimedBar[];
  more: boolean;
}

export class LiveHistory {
  readonly #feed: Feed;
  readonly #latest: FeedMarket["latest"];
  readonly #state: LiveMarketState;
  /** Per instrument the years requested so far, latest first. */
  readonly #years = new Map<string, Promise<TimedBar[]>[]>();
  /** The calendar day of the session, as `taipeiDay` counts. */
  #today = 0;

  constructor(feed: Feed, { latest }: FeedMarket, state: LiveMarketState) {
    this.#feed = feed;
    this.#latest = latest;
    this.#state = state;
  }

  /** Starts a new day: cached years would end a day too early now. */
  begin(today: number): void {
    this.#today = today;
    this.#years.clear();
  }

  /** Flat CANDLE_FIELDS as defined by the venue's `candles`. Rejects when the feed does not answer. */
  async candles(
    instrument: Instrument,
    period: CandlePeriod,
    before: number | null,
    limit: number,
  ): Promise<{ bars: number[]; more: boolean }> {
    const { bars, more } = MINUTES[period]
      ? { bars: this.#state.bars.read(instrument.row), more: false }
      : await this.#days(instrument, before, limit * (DAYS_IN[period] ?? 1));
    const aggregated = aggregateBars(bars, period);
    const shown = before === null ? aggregated : aggregated.filter(({ at }) => at < before);
    const page = shown.slice(-limit);
    return { bars: page.flatMap((bar) => CANDLE_FIELDS.map((field) => bar[field])), more: more || shown.length > page.length };
  }

  /** Days up to today, at least `least` of them older than `before` (null: than today) if there are that many. */
  async #days({ row, code }: Instrument, before: number | null, least: number): Promise<PastBars> {
    const today = this.#today;
    const past = this.#feed.days ? await this.#past(code, before, least) : { bars: this.#latestDay(row), more: false };
    const close = this.#state.last[row] ?? 0;
    // The day may have ended during the request.
    if (close === 0 || today !== this.#today) return past;
    const { open, high, low, volume } = this.#state;
    const bar = { open: open[row] || close, high: high[row] || close, low: low[row] || close, close, volume: volume[row] ?? 0 };
    return { bars: [...past.bars, { at: taipeiMidnight(today), ...bar }], more: past.more };
  }

  /** The one day a feed without history may know: the latest that had ended when it started. */
  #latestDay(row: number): readonly TimedBar[] {
    const latest = this.#latest[row];
    return latest && latest.at > 0 && latest.at < taipeiMidnight(this.#today) ? [latest] : [];
  }

  async #past(code: string, before: number | null, least: number): Promise<PastBars> {
    const bars: TimedBar[] = [];
    for (let year = 0; year < MAX_YEARS; year += 1) {
      const older = await this.#year(code, year);
      if (older.length === 0) return { bars, more: false };
      bars.unshift(...older);
      const enough = before === null ? bars.length : bars.filter(({ at }) => at < before).length;
      if (enough >= least) return { bars, more: year + 1 < MAX_YEARS };
    }
    return { bars, more: false };
  }

  #year(code: string, nth: number): Promise<TimedBar[]> {
    const years = this.#years.get(code) ?? [];
    this.#years.set(code, years);
    const to = this.#today - 1 - nth * (YEAR_DAYS + 1);
    const requested = years[nth] ?? this.#feed.days?.(code, to - YEAR_DAYS, to) ?? Promise.resolve([]);
    years[nth] = requested;
    // A failed request is repeated by the next query.
    requested.catch(() => this.#years.delete(code));
    return requested;
  }
}
