/** The trades of minutes that nobody watched, told again from their key trades: the same trades whenever they are told. */
import type { InstrumentModel } from "./daily-process.ts";
import { MOST_TRADES } from "./intraday-path.ts";
import type { Bar, Path, Trades } from "./intraday-path.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import { sideOf } from "./aggressor-side.ts";
import type { Side, Tape } from "#server/venue/market-data/trade-tape.ts";

export class TapeBackfill {
  readonly #trades: Trades = {
    count: new Uint8Array(1),
    offset: new Int32Array(MOST_TRADES),
    price: new Float64Array(MOST_TRADES),
    lots: new Int32Array(MOST_TRADES),
  };
  readonly #sides = new Int8Array(MOST_TRADES);
  readonly #bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };

  /** Work out a minute's trades from its bar and the price it began at; gives how many there are. */
  #tell(who: InstrumentModel, path: Path, minute: number, from: number, bar: Bar): number {
    path.trades(minute, bar, this.#trades, 0);
    const { count, price } = this.#trades;
    const face = (nth: number): number => who.parameters.key.draw(PURPOSE.side, path.day.session, minute, nth);
    const calls = path.calls(minute);
    let before = from;
    for (let nth = 0; nth < (count[0] ?? 0); nth += 1) {
      const now = price[nth] ?? 0;
      this.#sides[nth] = calls && nth === 0 ? 0 : sideOf(now, before, path.day, face(nth));
      before = now;
    }
    return count[0] ?? 0;
  }

  #lots(nth: number): number {
    const { lots } = this.#trades;
    return (lots[nth] ?? 0) - (nth > 0 ? (lots[nth - 1] ?? 0) : 0);
  }

  /** Count the trades of a minute that is lived through at once. */
  pass(tape: Tape, row: number, who: InstrumentModel, path: Path, minute: number, from: number, bar: Bar): void {
    const count = this.#tell(who, path, minute, from, bar);
    let atBid = 0;
    let atAsk = 0;
    for (let nth = 0; nth < count; nth += 1) {
      const side = this.#sides[nth] ?? 0;
      if (side > 0) atAsk += this.#lots(nth);
      else if (side < 0) atBid += this.#lots(nth);
    }
    tape.pass(row, count, atBid, atAsk);
  }

  /** Fill in what the tape's unseen trades were: those of the minutes before `until`, latest first. Minute 0 began at `opensAt`. */
  recall(tape: Tape, row: number, who: InstrumentModel, path: Path, until: number, opensAt: number): void {
    const unseen = tape.unseen(row);
    if (!unseen) return;
    let n = unseen.last;
    for (let minute = until - 1; minute >= 0 && n >= unseen.first; minute -= 1) {
      const lots = path.lots(minute + 1) - path.lots(minute);
      if (lots === 0) continue;
      const from = path.mark(minute);
      path.bar(minute, from, path.mark(minute + 1), lots, this.#bar);
      const count = this.#tell(who, path, minute, from, this.#bar);
      for (let nth = count - 1; nth >= 0; nth -= 1, n -= 1) {
        const at = opensAt + minute * who.calendar.minuteMs + (this.#trades.offset[nth] ?? 0);
        tape.recall(row, n, at, this.#trades.price[nth] ?? 0, this.#lots(nth), this.#sides[nth] as Side);
      }
    }
  }
}
