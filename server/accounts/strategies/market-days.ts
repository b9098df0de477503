/** The daily bars that strategies work on, of several instruments on the same days, and the view of them on one day: nothing later is in it. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";

/** One instrument's bars on the days of a `MarketDays`; prices in ten-thousandths, volume in lots; 0 where it did not trade. */
export interface DaySeries {
  code: string;
  open: number[];
  high: number[];
  low: number[];
  close: number[];
  volume: number[];
}

export interface MarketDays {
  /** Taipei midnight of each day, the earliest first. */
  at: number[];
  series: DaySeries[];
}

/** Bars as the venue gives them, flat `CANDLE_FIELDS`, and the ex-events between them. */
export interface RawBars {
  code: string;
  bars: readonly number[];
  actions: readonly CorporateAction[];
}

const FIELDS = ["open", "high", "low", "close"] as const;

/** Rounds once per price: what was paid before an ex-date is restated in what a share is today, dividends included. */
function adjusted({ bars, actions }: RawBars): Map<number, number[]> {
  const events = actions.filter(({ closeBefore, reference }) => closeBefore > 0 && reference > 0).toSorted((a, b) => b.at - a.at);
  const byDay = new Map<number, number[]>();
  let factor = 1;
  let next = 0;
  for (let from = bars.length - CANDLE_STRIDE; from >= 0; from -= CANDLE_STRIDE) {
    const [at = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = bars.slice(from, from + CANDLE_STRIDE);
    for (let event = events[next]; event && event.at > at; event = events[next]) {
      factor *= event.reference / event.closeBefore;
      next += 1;
    }
    byDay.set(at, [...[open, high, low, close].map((price) => Math.round(price * factor)), volume]);
  }
  return byDay;
}

/** Brings the bars of several instruments onto the same days. */
export function marketDays(raw: readonly RawBars[]): MarketDays {
  const byCode = raw.map((one) => ({ code: one.code, byDay: adjusted(one) }));
  const at = [...new Set(byCode.flatMap(({ byDay }) => [...byDay.keys()]))].toSorted((a, b) => a - b);
  const series = byCode.map(({ code, byDay }): DaySeries => {
    const column = (field: number): number[] => at.map((day) => byDay.get(day)?.[field] ?? 0);
    const [open, high, low, close] = FIELDS.map((_, field) => column(field));
    return { code, open: open ?? [], high: high ?? [], low: low ?? [], close: close ?? [], volume: column(FIELDS.length) };
  });
  return { at, series };
}

/** The mean of at least one value. */
export const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** What is known at the close of one day. */
export class DayView {
  readonly #days: MarketDays;
  readonly #byCode: ReadonlyMap<string, DaySeries>;
  #day = -1;

  constructor(days: MarketDays) {
    this.#days = days;
    this.#byCode = new Map(days.series.map((one) => [one.code, one]));
  }

  /** Goes on to the close of the next day. */
  advance(): void {
    this.#day += 1;
  }

  get at(): number {
    return this.#days.at[this.#day] ?? 0;
  }

  get codes(): string[] {
    return this.#days.series.map(({ code }) => code);
  }

  #latest(values: readonly number[] | undefined, count: number): number[] {
    if (!values || this.#day + 1 < count) return [];
    return values.slice(this.#day + 1 - count, this.#day + 1);
  }

  /** The latest closes, the oldest first; none at all unless it traded on each of the days. */
  closes(code: string, count: number): number[] {
    const closes = this.#latest(this.#byCode.get(code)?.close, count);
    return closes.every((close) => close > 0) ? closes : [];
  }

  /** The latest volumes, the oldest first. */
  volumes(code: string, count: number): number[] {
    return this.#latest(this.#byCode.get(code)?.volume, count);
  }
}
