/** The members' trades of a market: those of the latest sessions by minute, those of earlier ones by day. */
import { MAX_TRADES } from "#contract/tape.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { addTrade } from "#server/venue/matching/member-trade.ts";
import type { MemberFills, MemberSpan, MemberTrade } from "#server/venue/matching/member-trade.ts";

/** The members' trades of an instrument as its history needs them. */
export interface MemberPast {
  days: [session: number, span: MemberSpan][];
  minutes: [session: number, minute: number, span: MemberSpan][];
  /** What moved the price: flat as times and lots bought, or sold as negative numbers. */
  fills: [session: number, fills: readonly number[]][];
}

/** A call, and the day and the minute before it. */
interface Call {
  trade: MemberTrade;
  day: MemberSpan | undefined;
  minute: MemberSpan | undefined;
}

interface RowTrades {
  readonly days: Map<number, MemberSpan>;
  /** By session, by minute. */
  readonly minutes: Map<number, Map<number, MemberSpan>>;
  /** The newest trades of the latest session, in the order they were recorded. */
  newest: MemberTrade[];
  newestSession: number;
  /** The calls of that session that members' orders were in, by their times. */
  calls: Map<number, Call>;
}

const NO_FILLS: readonly number[] = [];

export class MemberTrades {
  readonly #calendar: Calendar;
  readonly #minuteSessions: number;
  readonly #rows = new Map<number, RowTrades>();
  /** By row, by session. */
  readonly #fills = new Map<number, Map<number, number[]>>();

  /** `minuteSessions`: how many sessions before the latest one are kept by minute. */
  constructor(calendar: Calendar, minuteSessions: number) {
    this.#calendar = calendar;
    this.#minuteSessions = minuteSessions;
  }

  /** Forgets everything. */
  clear(): void {
    this.#rows.clear();
    this.#fills.clear();
  }

  #of(row: number): RowTrades {
    const known = this.#rows.get(row) ?? {
      days: new Map(),
      minutes: new Map(),
      newest: [],
      newestSession: -1,
      calls: new Map<number, Call>(),
    };
    this.#rows.set(row, known);
    return known;
  }

  /** The session and the minute of it that a trade counts to. */
  placeOf({ at }: Pick<MemberTrade, "at">): { session: number; minute: number } {
    const { session, minute } = this.#calendar.at(at);
    return { session, minute: Math.min(this.#calendar.minutes - 1, Math.max(0, minute)) };
  }

  /** Adds a trade. A call replaces an earlier one at its time. */
  add(trade: MemberTrade): void {
    const { session, minute } = this.placeOf(trade);
    const known = this.#of(trade.row);
    const minutes = known.minutes.get(session) ?? new Map<number, MemberSpan>();
    known.minutes.set(session, minutes);
    const replaced = trade.side === 0 && session === known.newestSession ? known.calls.get(trade.at) : undefined;
    const before = replaced ?? { day: known.days.get(session), minute: minutes.get(minute) };
    known.days.set(session, addTrade(before.day, trade));
    minutes.set(minute, addTrade(before.minute, trade));
    for (const old of known.minutes.keys()) if (old < session - this.#minuteSessions) known.minutes.delete(old);
    if (session > known.newestSession) {
      known.newest = [];
      known.calls.clear();
      known.newestSession = session;
    }
    if (session < known.newestSession) return;
    if (trade.side === 0) {
      known.calls.set(trade.at, { ...before, trade });
      return;
    }
    known.newest.push(trade);
    if (known.newest.length > 2 * MAX_TRADES) known.newest.splice(0, MAX_TRADES);
  }

  /** Adds what a member bought of the market, or sold as a negative number. @returns the session it counts in */
  addFill(row: number, at: number, lots: number): number {
    const { session } = this.placeOf({ at });
    this.#fillsIn(row, session).push(at, lots);
    return session;
  }

  /** Adds the fills of a session from before a restart. */
  addFills({ row, opensAt, fills }: MemberFills): void {
    this.#fillsIn(row, this.#calendar.at(opensAt).session).push(...fills.flat());
  }

  #fillsIn(row: number, session: number): number[] {
    const sessions = this.#fills.get(row) ?? new Map<number, number[]>();
    this.#fills.set(row, sessions);
    const fills = sessions.get(session) ?? [];
    sessions.set(session, fills);
    return fills;
  }

  /** What moves the price of a row in a session, flat as times and lots. */
  fills(row: number, session: number): readonly number[] {
    return this.#fills.get(row)?.get(session) ?? NO_FILLS;
  }

  /** Whether nothing has ever moved a row. */
  isUnfilled(row: number): boolean {
    return !this.#fills.has(row);
  }

  /** The rows with such fills in a session. */
  filledRows(session: number): number[] {
    return [...this.#fills].filter(([, sessions]) => sessions.has(session)).map(([row]) => row);
  }

  /** The rows that members have traded in a session. */
  rowsOf(session: number): number[] {
    const traded = [...this.#rows].filter(([, { days }]) => days.has(session)).map(([row]) => row);
    return [...new Set([...traded, ...this.filledRows(session)])];
  }

  day(row: number, session: number): MemberSpan | null {
    return this.#rows.get(row)?.days.get(session) ?? null;
  }

  minute(row: number, session: number, minute: number): MemberSpan | null {
    return this.#rows.get(row)?.minutes.get(session)?.get(minute) ?? null;
  }

  /** A session's minutes of a row. */
  minutesOf(row: number, session: number): MemberPast["minutes"] {
    return [...(this.#rows.get(row)?.minutes.get(session) ?? [])].map(([minute, span]) => [session, minute, span]);
  }

  /** The newest trades of a row in a session, at most `MAX_TRADES`, in the order they were recorded. */
  newest(row: number, session: number): readonly MemberTrade[] {
    const known = this.#rows.get(row);
    return known?.newestSession === session ? known.newest.slice(-MAX_TRADES) : [];
  }

  /** The call of a row at a time that members' orders were in; null for none. */
  call(row: number, at: number): MemberTrade | null {
    return this.#rows.get(row)?.calls.get(at)?.trade ?? null;
  }

  /** What the history of a row needs; null where members have never traded. */
  past(row: number): MemberPast | null {
    const known = this.#rows.get(row);
    const fills = this.#fills.get(row);
    if (!known && !fills) return null;
    const minutes = [...(known?.minutes.keys() ?? [])].flatMap((session) => this.minutesOf(row, session));
    return { days: [...(known?.days ?? [])], minutes, fills: [...(fills ?? [])] };
  }
}
