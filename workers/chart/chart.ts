/** One chart: its bars, the forming bar merged from ticks, and the studies over them. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import type { Instrument } from "#contract/instrument.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import type { StudySettings } from "#contract/preference.ts";
import type { Adjuster } from "./adjustment.ts";
import type { Start } from "./bar-reader.ts";
import { FormingBar, mergeBars, lastCandle } from "./candle.ts";
import { barStart, isIntraday } from "./period.ts";
import type { Hours } from "./period.ts";
import type { ChartRequest, StudyKind, StudyTail, StudyUpdate } from "#workers/protocol.ts";
import { AT, TURNOVER, VOLUME } from "#workers/table/quote-table.ts";
import { StudySet } from "./study-set.ts";

/** A bar that became final since the last frame, with its study values. */
interface Closed {
  bar: number[];
  values: number[][];
}

/** Instruments with a price but no volume: every price counts as a tick. */
const isPriceOnly = ({ kind }: Instrument): boolean => kind === "index" || kind === "forex";

export class Chart {
  readonly id: number;
  request: ChartRequest;
  readonly instrument: Instrument;
  readonly adjuster: Adjuster;
  /** Whether older bars can be loaded. */
  more: boolean;
  /** Flat, adjusted bars, oldest first; the last one is forming. */
  #bars: number[];
  #studies: StudySet;
  readonly #forming: FormingBar;
  #done: Candle | null;
  #closed: Closed[] = [];
  #changed = false;
  /** The session's average price from the newest quote's turnover; NaN until known. */
  #average = Number.NaN;

  constructor(id: number, request: ChartRequest, instrument: Instrument, hours: Hours, start: Start) {
    const { period, studies, settings } = request;
    const base: CandlePeriod = isIntraday(period) ? period : "day";
    this.id = id;
    this.request = request;
    this.instrument = instrument;
    this.adjuster = start.adjuster;
    this.more = start.more;
    this.#bars = start.bars;
    this.#done = start.done;
    this.#forming = new FormingBar(base, hours, isPriceOnly(instrument), start.seam);
    this.#studies = new StudySet(studies, settings);
  }

  /** Start of the oldest bar; null if there are no bars. */
  get oldestAt(): number | null {
    return this.#bars[0] ?? null;
  }

  /** Whether a bar has changed that the page has not received yet. */
  get changed(): boolean {
    return this.#changed;
  }

  /** All bars with all studies for the page's first load; they include every earlier change. */
  loaded(): { bars: number[]; more: boolean; studies: StudyUpdate[] } {
    this.#changed = false;
    this.#closed = [];
    return { bars: this.#bars.slice(), more: this.more, studies: this.studied() };
  }

  /** Prepends a page of older bars. */
  putBefore(bars: readonly number[], more: boolean): void {
    this.#bars = [...bars, ...this.#bars];
    this.more = more;
  }

  /** Changes the studies. */
  study(studies: StudyKind[], settings: StudySettings): void {
    this.request = { ...this.request, studies, settings };
  }

  /** Recomputes every study over all bars. */
  studied(): StudyUpdate[] {
    const { studies, settings } = this.request;
    this.#studies = new StudySet(studies, settings);
    const updates = this.#studies.over(this.#bars);
    for (const { study, lines } of updates) {
      const values = lines[0]?.values;
      if (study === "average" && values && Number.isFinite(this.#average)) values[values.length - 1] = this.#average;
    }
    return updates;
  }

  /** Merges the instrument's quote that starts at `from`. */
  tick(quotes: ArrayLike<number>, from: number): void {
    const merged = this.#forming.merge(quotes, from);
    const { bar, closed } = this.#forming;
    if (merged === "same" || !bar) return;
    this.#changed = true;
    const { period } = this.request;
    if (isIntraday(period)) this.#put(this.adjuster.bar(bar));
    else {
      const at = barStart(period, bar.at);
      // A new day: if it is in the same week or month, the previous day joins the finished part; otherwise that part restarts.
      if (merged === "rolled" && closed) {
        this.#done = at === barStart(period, closed.at) ? mergeBars(this.#done, { ...this.adjuster.bar(closed), at }) : null;
      }
      this.#put(mergeBars(this.#done, { ...this.adjuster.bar(bar), at }));
    }
    this.#average = this.#venueAverageOf(quotes, from);
  }

  /** Replaces the forming bar, or appends a new one. */
  #put({ at, open, high, low, close, volume }: Candle): void {
    const newest = lastCandle(this.#bars);
    if (newest && at < newest.at) return;
    let place = this.#bars.length;
    if (newest?.at === at) place -= CANDLE_STRIDE;
    else if (newest) {
      const last = place - CANDLE_STRIDE;
      this.#closed.push({ bar: this.#bars.slice(last), values: this.#withVenueAverage(this.#studies.close(this.#bars, last)) });
    }
    for (const [field, value] of [at, open, high, low, close, volume].entries()) this.#bars[place + field] = value;
  }

  #venueAverageOf(quotes: ArrayLike<number>, from: number): number {
    const volume = quotes[from + VOLUME] ?? 0;
    const turnover = quotes[from + TURNOVER] ?? 0;
    if (isPriceOnly(this.instrument) || volume <= 0 || turnover <= 0) return Number.NaN;
    const raw = (turnover * PRICE_ONE) / (volume * this.instrument.lotShares);
    return raw * this.adjuster.factor(quotes[from + AT] ?? 0);
  }

  /** Appends the bars changed since the last call, as `[chart, …bar]`, and their studies. */
  collect(bars: number[], tails: StudyTail[]): void {
    if (!this.#changed) return;
    this.#changed = false;
    for (const { bar, values } of this.#closed) this.#append(bar, values, bars, tails);
    this.#closed = [];
    const last = this.#bars.length - CANDLE_STRIDE;
    this.#append(this.#bars.slice(last), this.#withVenueAverage(this.#studies.at(this.#bars, last)), bars, tails);
  }

  /** Replaces the average computed from bars with the venue's own, where known. */
  #withVenueAverage(values: number[][]): number[][] {
    if (Number.isFinite(this.#average)) values[this.request.studies.indexOf("average")]?.fill(this.#average);
    return values;
  }

  #append(bar: number[], values: number[][], bars: number[], tails: StudyTail[]): void {
    bars.push(this.id, ...bar);
    if (values.length > 0) tails.push({ chart: this.id, at: bar[0] ?? 0, values });
  }
}
