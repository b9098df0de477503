/** What members did to instruments in the sessions before those that are kept in memory, read when a chart asks for it. */
import { firstSession } from "#server/venue/calendar/trading-calendar.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import type { MemberLog } from "#server/venue/matching/member-trade.ts";
import type { MemberPast } from "#server/venue/simulator/member-trades.ts";

/** Instruments that are remembered; the one that was not asked for the longest is forgotten first. */
const MAX_ROWS = 512;

const NOTHING: MemberPast = { days: [], minutes: [], fills: [] };

export class PastMembers {
  readonly #calendar: Calendar;
  readonly #codeOf: (row: number) => string;
  #read: MemberLog["past"] | null = null;
  readonly #known = new Map<number, Promise<MemberPast>>();
  #generation = 0;

  constructor(calendar: Calendar, codeOf: (row: number) => string) {
    this.#calendar = calendar;
    this.#codeOf = codeOf;
  }

  /** How often it was replaced: what was read before ends elsewhere than what is in memory begins. */
  get generation(): number {
    return this.#generation;
  }

  /** Forgets what was read; from now on it is read by `read`. */
  replace(read: MemberLog["past"] | undefined): void {
    this.#generation += 1;
    this.#read = read ?? null;
    this.#known.clear();
  }

  /** Forgets a row, because something was stored in one of its old sessions. */
  forget(row: number): void {
    this.#known.delete(row);
  }

  /** What is not in memory of a row, of the sessions visible from one. @throws what keeps it from being read */
  of(row: number, session: number): Promise<MemberPast> {
    const known = this.#known.get(row) ?? this.#fetch(row, session);
    this.#known.delete(row);
    this.#known.set(row, known);
    known.catch(() => this.#known.get(row) === known && this.#known.delete(row));
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MAX_ROWS && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  async #fetch(row: number, from: number): Promise<MemberPast> {
    const since = this.#calendar.opensAt(firstSession(this.#calendar, from));
    const days = (await this.#read?.(this.#codeOf(row), since)) ?? [];
    if (days.length === 0) return NOTHING;
    const placed = days.map((day) => ({ ...day, session: this.#calendar.at(day.opensAt).session }));
    return {
      days: placed.flatMap(({ session, span }): MemberPast["days"] => (span ? [[session, span]] : [])),
      minutes: [],
      fills: placed.flatMap(({ session, fills }): MemberPast["fills"] => (fills.length > 0 ? [[session, fills.flat()]] : [])),
    };
  }
}
