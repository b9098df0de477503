/** The bars of live instruments: minutes as they were seen, days as far back as the feed can be asked, a year at a time. */
import { CANDLE_FIELDS } from "#contract/candle.ts";
import type { CandlePeriod } from "#contract/candle.ts";
import type { Instrument } from "#contract/instrument.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { MINUTES, bundle } from "#server/venue/history/bar-aggregation.ts";
import type { Timed } from "#server/venue/history/bar-aggregation.ts";
import type { LiveMarketState } from "./live-market-state.ts";
import type { Feed, Listing } from "./port.ts";

/** Services answer about a year in one call; nobody is shown more than five. */
const YEAR_DAYS = 364;
const MOST_YEARS = 5;
/** How many days go into one bar at most. */
const DAYS_IN: Partial<Record<CandlePeriod, number>> = { week: 6, month: 23 };

/** Bars, oldest first, and whether there may be more before them. */
interface Past {
  bars: readonly Timed[];
  more: boolean;
}

export class LiveHistory {
  readonly #feed: Feed;
  readonly #latest: Listing["latest"];
  readonly #floor: LiveMarketState;
  /** Per instrument the years asked for so far, latest first. */
  readonly #years = new Map<string, Promise<Timed[]>[]>();
  /** The calendar day of the session, as `taipeiDay` counts. */
  #today = 0;

  constructor(feed: Feed, { latest }: Listing, floor: LiveMarketState) {
    this.#feed = feed;
    this.#latest = latest;
    this.#floor = floor;
  }

  /** Another day begins: what was kept ends a day too early now. */
  begin(today: number): void {
    this.#today = today;
    this.#years.clear();
  }

  /** Flat CANDLE_FIELDS as the venue's `candles` promises them. Rejects when the feed does not answer. */
  async candles(
    instrument: Instrument,
    period: CandlePeriod,
    before: number | null,
    limit: number,
  ): Promise<{ bars: number[]; more: boolean }> {
    const { bars, more } = MINUTES[period]
      ? { bars: this.#floor.bars.read(instrument.row), more: false }
      : await this.#days(instrument, before, limit * (DAYS_IN[period] ?? 1));
    const whole = bundle(bars, period);
    const shown = before === null ? whole : whole.filter(({ at }) => at < before);
    const page = shown.slice(-limit);
    return { bars: page.flatMap((bar) => CANDLE_FIELDS.map((field) => bar[field])), more: more || shown.length > page.length };
  }

  /** Days up to today, at least `least` of them older than `before` (null: than today) where there are so many. */
  async #days({ row, code }: Instrument, before: number | null, least: number): Promise<Past> {
    const today = this.#today;
    const past = this.#feed.days ? await this.#past(code, before, least) : { bars: this.#seen(row), more: false };
    const close = this.#floor.last[row] ?? 0;
    // The day may have ended while the feed was asked.
    if (close === 0 || today !== this.#today) return past;
    const { open, high, low, volume } = this.#floor;
    const bar = { open: open[row] || close, high: high[row] || close, low: low[row] || close, close, volume: volume[row] ?? 0 };
    return { bars: [...past.bars, { at: taipeiMidnight(today), ...bar }], more: past.more };
  }

  /** The one day a feed without a past may know of: the latest that was over when it began. */
  #seen(row: number): readonly Timed[] {
    const latest = this.#latest[row];
    return latest && latest.at > 0 && latest.at < taipeiMidnight(this.#today) ? [latest] : [];
  }

  async #past(code: string, before: number | null, least: number): Promise<Past> {
    const bars: Timed[] = [];
    for (let year = 0; year < MOST_YEARS; year += 1) {
      const older = await this.#year(code, year);
      if (older.length === 0) return { bars, more: false };
      bars.unshift(...older);
      const enough = before === null ? bars.length : bars.filter(({ at }) => at < before).length;
      if (enough >= least) return { bars, more: year + 1 < MOST_YEARS };
    }
    return { bars, more: false };
  }

  #year(code: string, nth: number): Promise<Timed[]> {
    const years = this.#years.get(code) ?? [];
    this.#years.set(code, years);
    const to = this.#today - 1 - nth * (YEAR_DAYS + 1);
    const asked = years[nth] ?? this.#feed.days?.(code, to - YEAR_DAYS, to) ?? Promise.resolve([]);
    years[nth] = asked;
    // What failed is asked for again by whoever comes next.
    asked.catch(() => this.#years.delete(code));
    return asked;
  }
}
