/**
 * The quotes at the end of minutes that are replayed at once. What they are follows from the latest trades alone, as soon as one of these was beyond
 * whatever the quotes before it can have been, so that nobody has to go through all trades since the open.
 */
import type { InstrumentModel } from "./daily-process.ts";
import type { Bar, Path } from "./intraday-path.ts";
import { keysOfMinute } from "./moved-path.ts";
import { MAX_WIDTH, QuoteBand } from "./quote-band.ts";
import { nextLevel } from "./price-ladder.ts";

/** So many minutes are looked at first, and so many times as many next. */
const FIRST_MINUTES = 1;
const MORE_MINUTES = 4;
/** The price of the latest trade is either quote, and the other one is within this distance. */
const MOST_QUOTES = 2 * MAX_WIDTH;

/** A path and what it trades: the prices at the borders of its minutes, and their lots. */
interface Traded {
  model: InstrumentModel;
  path: Path;
  marks: Float64Array;
  lots: Int32Array;
}

export class ReplayedQuotes {
  /** What the quotes can be, each in a row of its own. */
  readonly #band = new QuoteBand(MOST_QUOTES);
  readonly #keys = keysOfMinute();
  readonly #bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
  /** How many rows of the band may still be the quotes. */
  #candidates = 1;

  /** Sets the quotes of a row to those after the minutes of the session before one. */
  set(into: QuoteBand, row: number, traded: Traded, until: number): void {
    for (let minutes = FIRST_MINUTES; ; minutes *= MORE_MINUTES) {
      const from = this.#begin(traded, until - minutes);
      if (from === null || !this.#follow(traded, from, until)) continue;
      into.take(row, this.#band, 0);
      return;
    }
  }

  /** Sets the band to all that the quotes can be as a minute begins. @returns the minute; null where they can be too much */
  #begin({ model, path, marks, lots }: Traded, minute: number): number | null {
    this.#candidates = 1;
    this.#band.clear();
    let before = minute - 1;
    while (before >= 0 && lots[before] === 0) before -= 1;
    // From the open on there are none.
    if (before < 0) return 0;
    const price = marks[before + 1] ?? 0;
    const { up, down } = path.day;
    // At a limit they depend on how long it has been there. The steps of digital currency are not the same from above and from below.
    if (model.kind === "crypto" || price >= up || price <= down) return null;
    const widest = QuoteBand.widthOf(model);
    let [above, below] = [price, price];
    this.#candidates = 0;
    for (let width = 0; width < widest; width += 1) {
      const [higher, lower] = [nextLevel(model.kind, above, 1), nextLevel(model.kind, below, -1)];
      if (nextLevel(model.kind, higher, -1) !== above || nextLevel(model.kind, lower, 1) !== below) return null;
      [above, below] = [higher, lower];
      this.#band.put(this.#candidates, price, Math.min(up, above));
      this.#band.put(this.#candidates + 1, Math.max(down, below), price);
      this.#candidates += 2;
    }
    return minute;
  }

  /** Lets minutes trade. @returns whether the quotes are certain at their end */
  #follow({ model, path, marks, lots }: Traded, from: number, until: number): boolean {
    const { session } = path.day;
    const { count, price } = this.#keys;
    for (let minute = from; minute < until; minute += 1) {
      if (lots[minute] === 0) continue;
      path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots[minute] ?? 0, this.#bar);
      path.trades(minute, this.#bar, this.#keys, 0);
      const startsWithAuction = path.startsWithAuction(minute);
      for (let nth = 0; nth < (count[0] ?? 0); nth += 1) {
        const moment = { session, minute, nth, byAuction: startsWithAuction && nth === 0 };
        for (let row = 0; row < this.#candidates; row += 1) this.#band.trade(row, model, price[nth] ?? 0, path.day, moment);
        if (this.#band.areSame(this.#candidates)) this.#candidates = 1;
      }
    }
    return this.#candidates === 1;
  }
}
