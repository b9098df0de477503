/**
 * The exchange's watch list: a stock whose close has moved far over some sessions is an attention stock (注意) in the next one, and one that is so
 * for sessions on end comes under disposition (處置): it is traded by calls at long intervals for a while. Decided on the market's own closes: nobody
 * can put a stock on it.
 */
import type { InstrumentWatch } from "#contract/instrument.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";

/** The first day with the rule: what had been live before it stays as it was. */
const SINCE = Date.UTC(2026, 10, 30) / DAY_MS;

/** A stock draws attention when its closes moved by more than this part over so many sessions. */
const MOVED = Math.log(1.25);
const MOVED_SESSIONS = 6;
/** After so many sessions of attention on end it comes under disposition, for so many sessions. */
const RUN = 3;
const TERM = 10;
/** A disposition is a second one when the one before was announced at most so many sessions earlier. */
const AGAIN = 30;

/** How many sessions before one decide what it is in that. */
export const WATCH_SESSIONS = TERM + AGAIN + RUN + MOVED_SESSIONS + 1;

/** Companies with more shares than this, in thousands, are too widely held for warnings or exclusions. */
export const WIDELY_HELD = 1_000_000;

/** What a session is for an instrument: its level, and under disposition the minutes between its calls and its last session. */
export interface Watch {
  level: InstrumentWatch;
  everyMinutes: number;
  until: number;
}

export const UNWATCHED: Watch = { level: "none", everyMinutes: 0, until: 0 };
const ATTENTION: Watch = { ...UNWATCHED, level: "attention" };

/** Follows the closes of one instrument, session after session. */
export class WatchRecord {
  readonly #calendar: Calendar;
  /** The moves of the latest sessions, newest last. */
  #moves: number[] = [];
  #session = -1;
  /** How many sessions of attention on end; not known before the first one without. */
  #run = Infinity;
  /** The sessions whose closes led to the latest two dispositions; before any, long ago. */
  #announced = Number.NEGATIVE_INFINITY;
  #announcedBefore = Number.NEGATIVE_INFINITY;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
  }

  /** Adds a session; `move`: the logarithm of its close over its reference, null in one without price limits, which counts for nothing. */
  add(session: number, move: number | null): void {
    this.#session = session;
    if (move === null) {
      this.#moves = [];
      this.#run = 0;
      return;
    }
    this.#moves.push(move);
    if (this.#moves.length < MOVED_SESSIONS) return;
    if (this.#moves.length > MOVED_SESSIONS) this.#moves.shift();
    const moved = this.#moves.reduce((sum, one) => sum + one, 0);
    this.#run = Math.abs(moved) > MOVED ? this.#run + 1 : 0;
    if (this.#run !== RUN) return;
    this.#announcedBefore = this.#announced;
    this.#announced = session;
  }

  /** What the session after the latest one is. */
  next(): Watch {
    const session = this.#session + 1;
    const { dayOf, hours } = this.#calendar;
    if (session === 0 || dayOf(session) < SINCE) return UNWATCHED;
    const until = this.#announced + TERM;
    if (session > until) return this.#run > 0 && this.#run < Infinity ? ATTENTION : UNWATCHED;
    const { first, second } = VENUE_RULES[hours].periodic;
    const isSecond = this.#announced - this.#announcedBefore <= AGAIN;
    return { level: "disposition", everyMinutes: isSecond ? second : first, until };
  }
}
