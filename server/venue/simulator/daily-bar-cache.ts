/** Caches the days of the latest sessions of every instrument: a daily process is long to run, so each instrument keeps one reader. */
import type { Day } from "./daily-process.ts";
import { firstOf } from "./daily-process.ts";
import { DailyProcessReader } from "./seeded-market.ts";
import type { SeededMarket } from "./seeded-market.ts";

/** Sessions cached before the first one asked for: enough for an average day as of a week ago. */
const CACHED_SESSIONS = 26;
/** A market of 144 sessions a day would fill the memory within days, so older ones are dropped, many at a time. */
const MOST_SESSIONS = 2 * CACHED_SESSIONS;

export class DailyBarCache {
  readonly #market: SeededMarket;
  readonly #windows = new Map<number, { from: number; days: Day[]; reader: DailyProcessReader }>();

  constructor(market: SeededMarket) {
    this.#market = market;
  }

  /** The day of one of the last sessions. @throws Error for a row without a daily process, such as an index */
  day(row: number, session: number): Day {
    const model = this.#market.models[row];
    if (!model) throw new Error(`row ${row} has no days`);
    let window = this.#windows.get(row);
    if (!window || window.from > session) {
      const from = Math.max(1, firstOf(model) + 1, session - CACHED_SESSIONS);
      window = { from, days: [], reader: new DailyProcessReader(model, from) };
      this.#windows.set(row, window);
    }
    while (window.from + window.days.length <= session) window.days.push(window.reader.next());
    const day = window.days[session - window.from];
    if (!day) throw new Error(`no session ${session}`);
    const extra = window.days.length > MOST_SESSIONS ? Math.min(window.days.length - CACHED_SESSIONS, session - window.from) : 0;
    if (extra > 0) {
      window.days.splice(0, extra);
      window.from += extra;
    }
    return day;
  }
}
