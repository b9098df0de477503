/** The days of the latest sessions of every instrument, kept: walks are long, so each takes one for all of them. */
import type { Day } from "./daily-process.ts";
import { DailyProcessReader } from "./seeded-market.ts";
import type { Market } from "./seeded-market.ts";

/** Sessions kept before the first one asked for: enough to know what is ordinary a week ago. */
const KEPT_SESSIONS = 26;

export class DailyBarCache {
  readonly #market: Market;
  readonly #windows = new Map<number, { from: number; days: Day[]; diary: DailyProcessReader }>();

  constructor(market: Market) {
    this.#market = market;
  }

  /** A day of one of the last sessions. @throws for a row without days of its own */
  day(row: number, session: number): Day {
    const who = this.#market.models[row];
    if (!who) throw new Error(`row ${row} has no days`);
    let window = this.#windows.get(row);
    if (!window || window.from > session) {
      const from = Math.max(1, session - KEPT_SESSIONS);
      window = { from, days: [], diary: new DailyProcessReader(who, from) };
      this.#windows.set(row, window);
    }
    while (window.from + window.days.length <= session) window.days.push(window.diary.next());
    const day = window.days[session - window.from];
    if (!day) throw new Error(`no session ${session}`);
    return day;
  }
}
