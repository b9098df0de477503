/** When the venue trades: its sessions counted from a fixed first day, and where in a session a moment falls. */
import type { SessionPhase } from "#contract/instrument.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { HOLIDAYS } from "./holiday.ts";

export type Hours = "always" | "taiwan";

/** The first day of the market's life, five years and more before anyone can look at it. */
export const EPOCH_DAY = Date.UTC(2021, 0, 1) / DAY_MS;
/** The day on which every instrument stands at the price of its table. */
export const ANCHOR_DAY = Date.UTC(2026, 9, 1) / DAY_MS;

/** Where a moment falls: `minute` is -1 before the open and `minutes` after the last; `offsetMs` is within the minute. */
export interface Position {
  session: number;
  minute: number;
  offsetMs: number;
  phase: SessionPhase;
  endsAt: number | null;
}

export interface Calendar {
  readonly hours: Hours;
  /** Minutes of a session that can carry a bar. */
  readonly minutes: number;
  /** Minutes that take part in continuous trading; those after it, but the last, are silent before the closing auction. */
  readonly continuous: number;
  readonly anchor: number;
  readonly sessionsPerYear: number;
  /** How many ordinary days of the exchange a session's trading amounts to: one round the clock has more hours for it. */
  readonly exchangeDays: number;
  /** The calendar day (as `taipeiDay` counts) of a session. */
  dayOf(session: number): number;
  /** The last session on or before a calendar day. */
  sessionOn(day: number): number;
  opensAt(session: number): number;
  closesAt(session: number): number;
  at(now: number): Position;
}

function begun(session: number): number {
  if (session < 0) throw new RangeError("the market has no prices before 2021");
  return session;
}

function always(): Calendar {
  return {
    hours: "always",
    minutes: 1440,
    continuous: 1440,
    anchor: ANCHOR_DAY - EPOCH_DAY,
    sessionsPerYear: 365,
    exchangeDays: 5,
    dayOf: (session) => EPOCH_DAY + session,
    sessionOn: (day) => day - EPOCH_DAY,
    opensAt: (session) => taipeiMidnight(EPOCH_DAY + session),
    closesAt: (session) => taipeiMidnight(EPOCH_DAY + session + 1),
    at(now) {
      const day = taipeiDay(now);
      const since = now - taipeiMidnight(day);
      const minute = Math.floor(since / MINUTE_MS);
      return { session: begun(day - EPOCH_DAY), minute, offsetMs: since - minute * MINUTE_MS, phase: "open", endsAt: null };
    },
  };
}

const PRE_OPEN_MS = 8.5 * HOUR_MS;
const OPEN_MS = 9 * HOUR_MS;
const AUCTION_MS = 13 * HOUR_MS + 25 * MINUTE_MS;
const CLOSE_MS = 13.5 * HOUR_MS;

/** Whether the exchanges open on a calendar day: Monday to Friday but for the holidays. */
export function tradesOn(day: number): boolean {
  const date = new Date(day * DAY_MS);
  const weekday = date.getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  const text = date.toISOString().slice(5, 10).replace("-", "");
  return !(HOLIDAYS[date.getUTCFullYear()] ?? "0101").includes(text);
}

function taiwan(): Calendar {
  const days: number[] = [];
  /** Session on or before each day counted from the epoch; -1 before the first. */
  const sessions: number[] = [];
  const reach = (day: number): void => {
    for (let next = EPOCH_DAY + sessions.length; next <= day; next += 1) {
      if (tradesOn(next)) days.push(next);
      sessions.push(days.length - 1);
    }
  };
  const dayOf = (session: number): number => {
    while (days.length <= session) reach(EPOCH_DAY + sessions.length + 30);
    return days[session] ?? EPOCH_DAY;
  };
  const sessionOn = (day: number): number => {
    reach(day);
    return sessions[day - EPOCH_DAY] ?? -1;
  };
  const opensAt = (session: number): number => taipeiMidnight(dayOf(session)) + OPEN_MS;
  const phaseAt = (since: number, next: number): { phase: SessionPhase; endsAt: number } => {
    const midnight = next - since;
    if (since < OPEN_MS) return { phase: "preOpen", endsAt: midnight + OPEN_MS };
    if (since < AUCTION_MS) return { phase: "open", endsAt: midnight + AUCTION_MS };
    return { phase: "closingAuction", endsAt: midnight + CLOSE_MS };
  };
  return {
    hours: "taiwan",
    minutes: 271,
    continuous: 265,
    anchor: sessionOn(ANCHOR_DAY),
    sessionsPerYear: 245,
    exchangeDays: 1,
    dayOf,
    sessionOn,
    opensAt,
    closesAt: (session) => taipeiMidnight(dayOf(session)) + CLOSE_MS,
    at(now) {
      const day = taipeiDay(now);
      const since = now - taipeiMidnight(day);
      const today = begun(sessionOn(day));
      if (dayOf(today) !== day || since < PRE_OPEN_MS) {
        const session = dayOf(today) === day ? begun(today - 1) : today;
        return { session, minute: 271, offsetMs: 0, phase: "closed", endsAt: taipeiMidnight(dayOf(session + 1)) + PRE_OPEN_MS };
      }
      const minute = Math.min(271, Math.max(-1, Math.floor((since - OPEN_MS) / MINUTE_MS)));
      const offsetMs = minute < 0 || minute > 270 ? 0 : since - OPEN_MS - minute * MINUTE_MS;
      if (since >= CLOSE_MS) {
        return { session: today, minute, offsetMs, phase: "closed", endsAt: taipeiMidnight(dayOf(today + 1)) + PRE_OPEN_MS };
      }
      return { session: today, minute, offsetMs, ...phaseAt(since, now) };
    },
  };
}

/** The calendar of a venue's hours. */
export function calendarOf(hours: Hours): Calendar {
  return hours === "always" ? always() : taiwan();
}

/** How far back anyone can look, in days. */
const HISTORY_DAYS = 1826;

/** The first session anyone can see from a session. */
export function firstSession({ dayOf, sessionOn }: Calendar, session: number): number {
  return Math.max(1, sessionOn(dayOf(session) - HISTORY_DAYS) + 1);
}
