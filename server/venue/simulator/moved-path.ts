/** A path through a session as it trades: the market's own, with what members' fills move it by. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import type { InstrumentModel } from "./daily-process.ts";
import { Offset, impactOf, movedPrice } from "./impact.ts";
import type { Bar, Path } from "./intraday-path.ts";
import { MAX_KEY_TRADES } from "./key-trades.ts";
import type { Trades } from "./key-trades.ts";

/** What bars and trades are read from. */
export type TradedPath = Pick<Path, "day" | "closing" | "tape" | "lots" | "mark" | "bar" | "trades" | "startsWithAuction">;

/** A key trade: when in its minute, and at which price. */
export interface KeyTrade {
  offsetMs: number;
  price: number;
}

/** The key trades of one minute of one row. */
export const keysOfMinute = (): Trades => ({
  count: new Uint8Array(1),
  offset: new Int32Array(MAX_KEY_TRADES),
  price: new Float64Array(MAX_KEY_TRADES),
  lots: new Int32Array(MAX_KEY_TRADES),
});

const emptyBar = (): Bar => ({ open: 0, high: 0, low: 0, close: 0, volume: 0 });

export class MovedPath implements TradedPath {
  readonly day: Path["day"];
  readonly closing: Path["closing"];
  readonly #path: Path;
  readonly #offset: Offset;
  readonly #opensAt: number;
  readonly #minuteMs: number;
  readonly #keys = keysOfMinute();
  readonly #bar = emptyBar();

  constructor(path: Path, offset: Offset, calendar: Calendar) {
    this.day = path.day;
    this.closing = path.closing;
    this.#path = path;
    this.#offset = offset;
    this.#opensAt = calendar.opensAt(path.day.session);
    this.#minuteMs = calendar.minuteMs;
  }

  tape(marks: Float64Array, traded: Int32Array, until: number): void {
    this.#path.tape(marks, traded, until);
  }

  lots(mark: number): number {
    return this.#path.lots(mark);
  }

  mark(mark: number): number {
    return this.#path.mark(mark);
  }

  startsWithAuction(minute: number): boolean {
    return this.#path.startsWithAuction(minute);
  }

  #isCalm(minute: number): boolean {
    const from = this.#opensAt + minute * this.#minuteMs;
    return this.#offset.isCalm(from, from + this.#minuteMs);
  }

  /** The price of a key trade of a minute: a call has the market's own. */
  priceOf(minute: number, nth: number, price: number, offsetMs: number): number {
    if (nth === 0 && this.startsWithAuction(minute)) return price;
    return movedPrice(this.#offset.impact, price, this.#offset.at(this.#opensAt + minute * this.#minuteMs + offsetMs));
  }

  /** The bar of a minute from the market's own prices at its borders. */
  bar(minute: number, from: number, to: number, volume: number, bar: Bar): void {
    this.#path.bar(minute, from, to, volume, bar);
    if (volume === 0 || this.#isCalm(minute)) return;
    const keys = this.#keys;
    this.#path.trades(minute, bar, keys, 0);
    const count = keys.count[0] ?? 0;
    for (let nth = 0; nth < count; nth += 1) {
      const price = this.priceOf(minute, nth, keys.price[nth] ?? 0, keys.offset[nth] ?? 0);
      if (nth === 0) bar.open = bar.high = bar.low = price;
      bar.high = Math.max(bar.high, price);
      bar.low = Math.min(bar.low, price);
      bar.close = price;
    }
  }

  /** The key trades of a minute of the market's own. */
  #ownTrades(minute: number, into: Trades, row: number): void {
    const own = this.#bar;
    this.#path.bar(minute, this.mark(minute), this.mark(minute + 1), this.lots(minute + 1) - this.lots(minute), own);
    this.#path.trades(minute, own, into, row);
  }

  /** The key trades of a minute; they do not depend on the bar that is passed, which may have been moved. */
  trades(minute: number, bar: Bar, into: Trades, row: number): void {
    if (this.#isCalm(minute)) return this.#path.trades(minute, bar, into, row);
    this.#ownTrades(minute, into, row);
    const first = row * MAX_KEY_TRADES;
    for (let nth = 0; nth < (into.count[row] ?? 0); nth += 1)
      into.price[first + nth] = this.priceOf(minute, nth, into.price[first + nth] ?? 0, into.offset[first + nth] ?? 0);
  }

  /** The key trades of a minute, in their order. */
  keys(minute: number): readonly KeyTrade[] {
    const into = keysOfMinute();
    this.#ownTrades(minute, into, 0);
    return Array.from({ length: into.count[0] ?? 0 }, (_, nth) => {
      const [offsetMs, price] = [into.offset[nth] ?? 0, into.price[nth] ?? 0];
      return { offsetMs, price: this.priceOf(minute, nth, price, offsetMs) };
    });
  }

  /** The bar of the whole session. */
  dayBar(minutes: number): Bar {
    const day = emptyBar();
    const bar = emptyBar();
    const marks = new Float64Array(minutes + 1);
    const traded = new Int32Array(minutes + 1);
    this.tape(marks, traded, minutes);
    for (let minute = 0; minute < minutes; minute += 1) {
      const lots = traded[minute] ?? 0;
      if (lots === 0) continue;
      this.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots, bar);
      const isFirst = day.volume === 0;
      day.open = isFirst ? bar.open : day.open;
      day.high = Math.max(day.high, bar.high);
      day.low = isFirst ? bar.low : Math.min(day.low, bar.low);
      day.close = bar.close;
      day.volume += lots;
    }
    return day;
  }
}

/** A path with members' fills of its session, `fills` flat as times and lots; the path itself where they move nothing. */
export function withFills(path: Path, model: InstrumentModel, fills: readonly number[] | undefined): TradedPath {
  return movedBy(path, model, fills) ?? path;
}

/** The same, or null where they move nothing. */
export function movedBy(path: Path, model: InstrumentModel, fills: readonly number[] | undefined): MovedPath | null {
  const impact = fills && fills.length > 0 ? impactOf(model, path.day, model.calendar) : null;
  return impact && new MovedPath(path, new Offset(impact, fills), model.calendar);
}
