/** Replays minutes of a session at once, instrument by instrument: after a start in the middle of it, or when the process has slept. */
import { floats } from "#server/venue/market-data/quote-columns.ts";
import type { Bar } from "./intraday-path.ts";
import type { LiveIndices } from "./live-index.ts";
import type { SeededMarket } from "./seeded-market.ts";
import type { SessionPaths } from "./session-paths.ts";
import type { ReplayedMarket, TapeBackfill } from "./tape-backfill.ts";

/** What minutes are replayed into. */
interface Replayed extends ReplayedMarket {
  readonly market: SeededMarket;
  readonly paths: SessionPaths;
  readonly indices: LiveIndices;
  readonly count: number;
  readonly last: Float64Array;
}

/** Replays the minutes from one up to, not including, another: the state of the day, which `addBar` adds to, and the range of the indices. */
export function replayMinutes(
  into: Replayed,
  { from, until }: { from: number; until: number },
  backfill: TapeBackfill,
  addBar: (row: number, bar: Bar) => void,
): void {
  const { market, paths, indices, last } = into;
  const marks = floats(market.calendar.minutes + 1);
  const traded = new Int32Array(market.calendar.minutes + 1);
  const moves = indices.newMoveTable(until - from);
  const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
  for (let row = 0; row < into.count; row += 1) {
    const path = paths.of(row);
    const model = market.models[row];
    if (!path || !model) continue;
    path.tape(marks, traded, until);
    let price = (from > 0 && last[row]) || path.day.reference;
    for (let minute = from; minute < until; minute += 1) {
      const lots = traded[minute] ?? 0;
      if (lots === 0) continue;
      path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots, bar);
      backfill.count(into, row, model, path, minute, bar);
      addBar(row, bar);
      if (minute === 0) {
        indices.noteMove(moves, row, 0, bar.open - price);
        price = bar.open;
      }
      indices.noteMove(moves, row, minute - from + 1, bar.close - price);
      price = bar.close;
    }
  }
  indices.replay(moves, from);
}
