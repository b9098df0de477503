/** Reconstructs the trades of minutes that nobody watched from their key trades; the result is always the same. */
import type { InstrumentModel } from "./daily-process.ts";
import { MAX_KEY_TRADES } from "./intraday-path.ts";
import type { Bar, Path, Trades } from "./intraday-path.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import { sideOf } from "./aggressor-side.ts";
import type { AggressorSide, Tape } from "#server/venue/market-data/trade-tape.ts";

export class TapeBackfill {
  readonly #trades: Trades = {
    count: new Uint8Array(1),
    offset: new Int32Array(MAX_KEY_TRADES),
    price: new Float64Array(MAX_KEY_TRADES),
    lots: new Int32Array(MAX_KEY_TRADES),
  };
  readonly #sides = new Int8Array(MAX_KEY_TRADES);
  readonly #bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };

  /** Reconstructs a minute's trades from its bar and the price it began at; returns their number. */
  #reconstruct(model: InstrumentModel, path: Path, minute: number, from: number, bar: Bar): number {
    path.trades(minute, bar, this.#trades, 0);
    const { count, price } = this.#trades;
    const bits = (nth: number): number => model.parameters.key.draw(PURPOSE.side, path.day.session, minute, nth);
    const startsWithAuction = path.startsWithAuction(minute);
    let before = from;
    for (let nth = 0; nth < (count[0] ?? 0); nth += 1) {
      const now = price[nth] ?? 0;
      this.#sides[nth] = startsWithAuction && nth === 0 ? 0 : sideOf(now, before, path.day, bits(nth));
      before = now;
    }
    return count[0] ?? 0;
  }

  #lots(nth: number): number {
    const { lots } = this.#trades;
    return (lots[nth] ?? 0) - (nth > 0 ? (lots[nth - 1] ?? 0) : 0);
  }

  /** Counts the trades of a minute that is replayed at once. */
  count(tape: Tape, row: number, model: InstrumentModel, path: Path, minute: number, from: number, bar: Bar): void {
    const count = this.#reconstruct(model, path, minute, from, bar);
    let atBid = 0;
    let atAsk = 0;
    for (let nth = 0; nth < count; nth += 1) {
      const side = this.#sides[nth] ?? 0;
      if (side > 0) atAsk += this.#lots(nth);
      else if (side < 0) atBid += this.#lots(nth);
    }
    tape.countOnly(row, count, atBid, atAsk);
  }

  /** Fills in the tape's unrecorded trades from the minutes before `until`, latest first. Minute 0 began at `opensAt`. */
  fill(tape: Tape, row: number, model: InstrumentModel, path: Path, until: number, opensAt: number): void {
    const unrecorded = tape.unrecorded(row);
    if (!unrecorded) return;
    let n = unrecorded.last;
    for (let minute = until - 1; minute >= 0 && n >= unrecorded.first; minute -= 1) {
      const lots = path.lots(minute + 1) - path.lots(minute);
      if (lots === 0) continue;
      const from = path.mark(minute);
      path.bar(minute, from, path.mark(minute + 1), lots, this.#bar);
      const count = this.#reconstruct(model, path, minute, from, this.#bar);
      for (let nth = count - 1; nth >= 0; nth -= 1, n -= 1) {
        const at = opensAt + minute * model.calendar.minuteMs + (this.#trades.offset[nth] ?? 0);
        tape.backfill(row, n, at, this.#trades.price[nth] ?? 0, this.#lots(nth), this.#sides[nth] as AggressorSide);
      }
    }
  }
}
