/** Replays minutes of a session at once, instrument by instrument: after a start in the middle of it, or when the process has slept. */
import { floats } from "#server/venue/market-data/quote-columns.ts";
import type { Tape } from "#server/venue/market-data/trade-tape.ts";
import type { InstrumentModel } from "./daily-process.ts";
import type { Bar, Path } from "./intraday-path.ts";
import type { LiveIndices } from "./live-index.ts";
import { ReplayedQuotes } from "./replayed-quotes.ts";
import type { SeededMarket } from "./seeded-market.ts";
import type { SessionPaths } from "./session-paths.ts";
import { TapeBackfill } from "./tape-backfill.ts";
import type { ReplayedMarket } from "./tape-backfill.ts";

/** What minutes are replayed into. */
interface Replayed extends ReplayedMarket {
  readonly market: SeededMarket;
  readonly paths: SessionPaths;
  readonly indices: LiveIndices;
  readonly count: number;
  readonly last: Float64Array;
}

/** What else happens with each minute that trades and, after them, with each instrument. */
interface Counted {
  minute?(row: number, model: InstrumentModel, path: Path, minute: number, bar: Bar): void;
  row?(row: number, traded: { model: InstrumentModel; path: Path; marks: Float64Array; lots: Int32Array }): void;
}

export class MinutesReplay {
  readonly #into: Replayed;
  readonly #addBar: (row: number, bar: Bar) => void;
  readonly #backfill: TapeBackfill;
  readonly #quotes = new ReplayedQuotes();
  /** Up to, not including, which minute the session was replayed. */
  #until = 0;

  /** `addBar` adds a minute to the day of a row. */
  constructor(into: Replayed, addBar: (row: number, bar: Bar) => void) {
    this.#into = into;
    this.#addBar = addBar;
    this.#backfill = new TapeBackfill(into.count);
  }

  /** Replays the first minutes of a new session. Their trades are counted when somebody asks: of most rows nobody does. */
  begin(until: number): void {
    const { quotes } = this.#into;
    this.#until = 0;
    this.#backfill.leave(until);
    this.#replay(0, until, { row: (row, traded) => this.#quotes.set(quotes, row, traded, until) });
  }

  /** Replays further minutes, which were slept through. */
  goOn(from: number, until: number): void {
    const into = this.#into;
    this.#replay(from, until, { minute: (row, model, path, minute, bar) => this.#backfill.count(into, row, model, path, minute, bar) });
  }

  /** Replays the state of the day and the range of the indices. */
  #replay(from: number, until: number, counted: Counted): void {
    if (until <= from) return;
    this.#until = until;
    const { market, paths, indices, last, count } = this.#into;
    const marks = floats(market.calendar.minutes + 1);
    const lots = new Int32Array(market.calendar.minutes + 1);
    const moves = indices.newMoveTable(until - from);
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    for (let row = 0; row < count; row += 1) {
      const path = paths.of(row);
      const model = market.models[row];
      if (!path || !model) continue;
      path.tape(marks, lots, until);
      let price = (from > 0 && last[row]) || path.day.reference;
      for (let minute = from; minute < until; minute += 1) {
        const traded = lots[minute] ?? 0;
        if (traded === 0) continue;
        path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, traded, bar);
        counted.minute?.(row, model, path, minute, bar);
        this.#addBar(row, bar);
        if (minute === 0) {
          indices.noteMove(moves, row, 0, bar.open - price);
          price = bar.open;
        }
        indices.noteMove(moves, row, minute - from + 1, bar.close - price);
        price = bar.close;
      }
      counted.row?.(row, { model, path, marks, lots });
    }
    indices.replay(moves, from);
  }

  /** The tape with all trades of a row counted. */
  tapeOf(row: number): Tape {
    const { paths, market, tape } = this.#into;
    const path = paths.of(row);
    const model = market.models[row];
    if (path && model) this.#backfill.countLeft(tape, row, model, path);
    return tape;
  }

  /** The same with the newest of them recorded. */
  filledTape(row: number): Tape {
    const { paths, market } = this.#into;
    const tape = this.tapeOf(row);
    const path = paths.of(row);
    const model = market.models[row];
    if (path && model) this.#backfill.fill(tape, row, model, path, this.#until);
    return tape;
  }
}
