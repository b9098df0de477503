/** Reconstructs the trades of minutes that nobody watched from their bars; the result is always the same. */
import type { InstrumentModel } from "./daily-process.ts";
import { minuteOnClock } from "./delayed-close.ts";
import { MAX_KEY_TRADES } from "./key-trades.ts";
import type { Bar, Path } from "./intraday-path.ts";
import type { Trades } from "./key-trades.ts";
import { MAX_MINUTE_TRADES, MinorTrades } from "./minor-trades.ts";
import { QuoteBand } from "./quote-band.ts";
import { floats } from "#server/venue/market-data/quote-columns.ts";
import type { AggressorSide, Tape } from "#server/venue/market-data/trade-tape.ts";

/** What a replayed minute is counted into. */
export interface ReplayedMarket {
  readonly tape: Tape;
  readonly quotes: QuoteBand;
}

/** How many trades there were, and their lots by aggressor side. */
interface Sums {
  trades: number;
  atBid: number;
  atAsk: number;
}

/** A reconstructed trade. */
type Reconstructed = [n: number, at: number, price: number, lots: number, side: AggressorSide];

export class TapeBackfill {
  readonly #trades: Trades = {
    count: new Uint8Array(1),
    offset: new Int32Array(MAX_KEY_TRADES),
    price: new Float64Array(MAX_KEY_TRADES),
    lots: new Int32Array(MAX_KEY_TRADES),
  };
  readonly #minor = new MinorTrades();
  /** All trades of the minute, in turn. */
  readonly #offset = new Int32Array(MAX_MINUTE_TRADES);
  readonly #price = floats(MAX_MINUTE_TRADES);
  readonly #lots = new Int32Array(MAX_MINUTE_TRADES);
  readonly #sides = new Int8Array(MAX_MINUTE_TRADES);
  readonly #bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
  /** The quotes of the row that is being reconstructed. */
  readonly #quotes = new QuoteBand(1);
  /** The rows whose first minutes are not counted, and how many minutes those are. */
  readonly #isLeft: Uint8Array;
  #leftUntil = 0;

  constructor(rows: number) {
    this.#isLeft = new Uint8Array(rows);
  }

  /** Reconstructs a minute's trades from its bar, moving the quotes along; returns their number. */
  #reconstruct(quotes: QuoteBand, row: number, model: InstrumentModel, path: Path, minute: number, bar: Bar): number {
    path.trades(minute, bar, this.#trades, 0);
    const { count, offset, price, lots } = this.#trades;
    const startsWithAuction = path.startsWithAuction(minute);
    const { session } = path.day;
    const traded = { before: 0, low: Infinity, high: 0 };
    let [n, sum] = [0, 0];
    const add = (at: number, of: number, upTo: number, side: AggressorSide): void => {
      this.#offset[n] = at;
      this.#price[n] = of;
      this.#lots[n] = upTo - sum;
      this.#sides[n] = side;
      sum = upTo;
      n += 1;
    };
    for (let nth = 0; nth < (count[0] ?? 0); nth += 1) {
      const moment = { session, minute, nth, byAuction: startsWithAuction && nth === 0 };
      const minor = this.#minor;
      minor.enter(model, this.#trades, 0, moment);
      for (let each = 0; each < minor.count; each += 1) {
        const side = minor.side(each, quotes, row, traded);
        add(minor.offset(each), side > 0 ? quotes.ask(row) : quotes.bid(row), minor.lots(each), side);
      }
      traded.before = price[nth] ?? 0;
      traded.low = Math.min(traded.low, traded.before);
      traded.high = Math.max(traded.high, traded.before);
      add(offset[nth] ?? 0, traded.before, lots[nth] ?? 0, quotes.trade(row, model, traded.before, path.day, moment));
    }
    return n;
  }

  /** The trades of a minute with their lots at the bid and the ask, added to `sums`. */
  #add(sums: Sums, count: number): void {
    sums.trades += count;
    for (let nth = 0; nth < count; nth += 1) {
      const side = this.#sides[nth] ?? 0;
      if (side > 0) sums.atAsk += this.#lots[nth] ?? 0;
      else if (side < 0) sums.atBid += this.#lots[nth] ?? 0;
    }
  }

  /** Counts the trades of a minute that is replayed at once. */
  count({ tape, quotes }: ReplayedMarket, row: number, model: InstrumentModel, path: Path, minute: number, bar: Bar): void {
    const sums = { trades: 0, atBid: 0, atAsk: 0 };
    this.#add(sums, this.#reconstruct(quotes, row, model, path, minute, bar));
    tape.countOnly(row, sums.trades, sums.atBid, sums.atAsk);
  }

  /** Reconstructs the trades of the minutes before `until`, one after another. From the open on, because the quotes depend on all before. */
  #reconstructAll(model: InstrumentModel, path: Path, until: number, each: (minute: number, count: number) => void): void {
    const { minutes } = model.calendar;
    const [marks, traded] = [floats(minutes + 1), new Int32Array(minutes + 1)];
    path.tape(marks, traded, until);
    this.#quotes.clear();
    for (let minute = 0; minute < until; minute += 1) {
      const lots = traded[minute] ?? 0;
      if (lots === 0) continue;
      path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots, this.#bar);
      each(minute, this.#reconstruct(this.#quotes, 0, model, path, minute, this.#bar));
    }
  }

  /** Leaves the minutes of all rows before `until` uncounted until somebody asks. */
  leave(until: number): void {
    this.#isLeft.fill(until > 0 ? 1 : 0);
    this.#leftUntil = until;
  }

  /** Counts the trades of a row that were left. */
  countLeft(tape: Tape, row: number, model: InstrumentModel, path: Path): void {
    if (this.#isLeft[row] !== 1) return;
    this.#isLeft[row] = 0;
    const sums = { trades: 0, atBid: 0, atAsk: 0 };
    this.#reconstructAll(model, path, this.#leftUntil, (_, count) => this.#add(sums, count));
    tape.countBefore(row, sums.trades, sums.atBid, sums.atAsk);
  }

  /** Fills in the tape's unrecorded trades from the minutes before `until`. */
  fill(tape: Tape, row: number, model: InstrumentModel, path: Path, until: number): void {
    const unrecorded = tape.unrecorded(row);
    if (!unrecorded) return;
    const { calendar } = model;
    const opensAt = calendar.opensAt(path.day.session);
    const found: Reconstructed[] = [];
    let n = 0;
    this.#reconstructAll(model, path, until, (minute, count) => {
      for (let nth = 0; nth < count; nth += 1) {
        n += 1;
        const at = opensAt + minuteOnClock(path, minute) * calendar.minuteMs + (this.#offset[nth] ?? 0);
        if (n >= unrecorded.first) found.push([n, at, this.#price[nth] ?? 0, this.#lots[nth] ?? 0, this.#sides[nth] as AggressorSide]);
      }
    });
    for (const [number, at, price, size, side] of found.toReversed()) tape.backfill(row, number, at, price, size, side);
  }
}
