/** When the venue trades: sessions counted from a fixed first day, and the position of a moment within its session. */
import type { SessionPhase } from "#contract/instrument.ts";
import { DAY_MS, MINUTE_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { HOLIDAYS } from "./holidays.ts";
import { COMPRESSED_DAY, TAIWAN_DAY } from "./session-rules.ts";
import type { Hours, SessionRules } from "./session-rules.ts";

/** The first day of the market, more than five years before the earliest day anyone can query. */
export const EPOCH_DAY = Date.UTC(2021, 0, 1) / DAY_MS;
/** The day on which every instrument closes at the price of its reference table. */
export const ANCHOR_DAY = Date.UTC(2026, 9, 1) / DAY_MS;

/** The position of a moment: `minute` is -1 before the open and `minutes` after the last; `offsetMs` is within the minute. */
export interface Position {
  session: number;
  minute: number;
  offsetMs: number;
  phase: SessionPhase;
  endsAt: number | null;
}

export interface Calendar {
  readonly hours: Hours;
  /** Minutes of a session that can have a bar; in compressed hours they are shorter. */
  readonly minutes: number;
  readonly minuteMs: number;
  /** Minutes of continuous trading; those after it, except the last, have no trades because of the closing auction. */
  readonly continuous: number;
  readonly anchor: number;
  readonly sessionsPerYear: number;
  /** How many ordinary exchange days of trading a session is worth: a session around the clock has more hours. */
  readonly exchangeDays: number;
  /** The calendar day (as `taipeiDay` counts) of a session. */
  dayOf(session: number): number;
  /** The last session on or before a calendar day. */
  sessionOn(day: number): number;
  /** When orders for a session's opening auction are first accepted. */
  acceptsOrdersAt(session: number): number;
  opensAt(session: number): number;
  closesAt(session: number): number;
  /** When after-hours fixed-price trading of a session begins; null where there is none. */
  fixedAt(session: number): number | null;
  /** When after-hours trading of odd lots begins; null where there is none. */
  lateOddAt(session: number): number | null;
  at(now: number): Position;
}

function assertStarted(session: number): number {
  if (session < 0) throw new RangeError("the market has no prices before 2021");
  return session;
}

function always(): Calendar {
  return {
    hours: "always",
    minutes: 1440,
    minuteMs: MINUTE_MS,
    continuous: 1440,
    anchor: ANCHOR_DAY - EPOCH_DAY,
    sessionsPerYear: 365,
    exchangeDays: 5,
    dayOf: (session) => EPOCH_DAY + session,
    sessionOn: (day) => day - EPOCH_DAY,
    acceptsOrdersAt: (session) => taipeiMidnight(EPOCH_DAY + session),
    opensAt: (session) => taipeiMidnight(EPOCH_DAY + session),
    closesAt: (session) => taipeiMidnight(EPOCH_DAY + session + 1),
    fixedAt: () => null,
    lateOddAt: () => null,
    at(now) {
      const day = taipeiDay(now);
      const since = now - taipeiMidnight(day);
      const minute = Math.floor(since / MINUTE_MS);
      return { session: assertStarted(day - EPOCH_DAY), minute, offsetMs: since - minute * MINUTE_MS, phase: "open", endsAt: null };
    },
  };
}

/** Whether the exchanges are open on a calendar day: Monday to Friday except holidays. */
export function tradesOn(day: number): boolean {
  const date = new Date(day * DAY_MS);
  const weekday = date.getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  const text = date.toISOString().slice(5, 10).replace("-", "");
  return !(HOLIDAYS[date.getUTCFullYear()] ?? "0101").includes(text);
}

/** The trading day so many trading days after a day, or before it where `count` is negative. */
export function tradingDayFrom(day: number, count: number): number {
  const step = Math.sign(count);
  let at = day;
  for (let left = Math.abs(count); left > 0;) {
    at += step;
    if (tradesOn(at)) left -= 1;
  }
  return at;
}

/** Minutes of a day that can have a bar: those between open and close, plus the one of the closing match. */
const minutesOf = ({ openMs, closeMs, minuteMs }: SessionRules): number => (closeMs - openMs) / minuteMs + 1;
const continuousOf = ({ openMs, auctionMs, minuteMs }: SessionRules): number => (auctionMs - openMs) / minuteMs;

/** The position within a session of a moment `since` milliseconds after its day began; the next day begins at `nextAt` or later. */
function positionIn(day: SessionRules, session: number, since: number, beganAt: number, nextAt: number): Position {
  const { openMs, auctionMs, closeMs, oddMs, fixedMs, fixedEndMs, minuteMs } = day;
  const minutes = minutesOf(day);
  const minute = Math.min(minutes, Math.max(-1, Math.floor((since - openMs) / minuteMs)));
  const offsetMs = minute < 0 || minute >= minutes ? 0 : since - openMs - minute * minuteMs;
  const phases: [until: number, phase: SessionPhase][] = [
    [openMs, "preOpen"],
    [auctionMs, "open"],
    [closeMs, "closingAuction"],
    [oddMs, "closed"],
    [fixedMs, "oddLot"],
    [fixedEndMs, "fixedPrice"],
  ];
  const [until, phase] = phases.find(([end]) => since < end) ?? [null, "closed" as const];
  return { session, minute, offsetMs, phase, endsAt: until === null ? nextAt : beganAt + until };
}

function taiwan(): Calendar {
  const days: number[] = [];
  /** The session on or before each day counted from the epoch; -1 before the first. */
  const sessions: number[] = [];
  const extendTo = (day: number): void => {
    for (let next = EPOCH_DAY + sessions.length; next <= day; next += 1) {
      if (tradesOn(next)) days.push(next);
      sessions.push(days.length - 1);
    }
  };
  const dayOf = (session: number): number => {
    while (days.length <= session) extendTo(EPOCH_DAY + sessions.length + 30);
    return days[session] ?? EPOCH_DAY;
  };
  const sessionOn = (day: number): number => {
    extendTo(day);
    return sessions[day - EPOCH_DAY] ?? -1;
  };
  const minutes = minutesOf(TAIWAN_DAY);
  return {
    hours: "taiwan",
    minutes,
    minuteMs: TAIWAN_DAY.minuteMs,
    continuous: continuousOf(TAIWAN_DAY),
    anchor: sessionOn(ANCHOR_DAY),
    sessionsPerYear: 245,
    exchangeDays: 1,
    dayOf,
    sessionOn,
    acceptsOrdersAt: (session) => taipeiMidnight(dayOf(session)) + TAIWAN_DAY.preOpenMs,
    opensAt: (session) => taipeiMidnight(dayOf(session)) + TAIWAN_DAY.openMs,
    closesAt: (session) => taipeiMidnight(dayOf(session)) + TAIWAN_DAY.closeMs,
    fixedAt: (session) => taipeiMidnight(dayOf(session)) + TAIWAN_DAY.fixedMs,
    lateOddAt: (session) => taipeiMidnight(dayOf(session)) + TAIWAN_DAY.oddMs,
    at(now) {
      const day = taipeiDay(now);
      const midnight = taipeiMidnight(day);
      const since = now - midnight;
      const today = assertStarted(sessionOn(day));
      const trades = dayOf(today) === day;
      if (!trades || since < TAIWAN_DAY.preOpenMs) {
        const session = trades ? assertStarted(today - 1) : today;
        const endsAt = taipeiMidnight(dayOf(session + 1)) + TAIWAN_DAY.preOpenMs;
        return { session, minute: minutes, offsetMs: 0, phase: "closed", endsAt };
      }
      return positionIn(TAIWAN_DAY, today, since, midnight, taipeiMidnight(dayOf(today + 1)) + TAIWAN_DAY.preOpenMs);
    },
  };
}

/** An exchange day every ten minutes, from the day after the anchor on; before it, the exchange's own days. */
function compressed(): Calendar {
  const past = taiwan();
  const day = COMPRESSED_DAY;
  const firstDay = ANCHOR_DAY + 1;
  const first = past.anchor + 1;
  const beganAt = taipeiMidnight(firstDay);
  const perDay = DAY_MS / day.lengthMs;
  const startOf = (session: number): number => beganAt + (session - first) * day.lengthMs;
  return {
    hours: "compressed",
    minutes: minutesOf(day),
    minuteMs: day.minuteMs,
    continuous: continuousOf(day),
    anchor: past.anchor,
    // With an exchange's usual growth per session, prices this fast would run away within a week.
    sessionsPerYear: 365 * perDay,
    exchangeDays: 1,
    dayOf: (session) => (session < first ? past.dayOf(session) : firstDay + Math.floor((session - first) / perDay)),
    sessionOn: (on) => (on < firstDay ? past.sessionOn(on) : first + (on - firstDay + 1) * perDay - 1),
    acceptsOrdersAt: (session) => (session < first ? past.acceptsOrdersAt(session) : startOf(session) + day.preOpenMs),
    opensAt: (session) => (session < first ? past.opensAt(session) : startOf(session) + day.openMs),
    closesAt: (session) => (session < first ? past.closesAt(session) : startOf(session) + day.closeMs),
    fixedAt: (session) => (session < first ? past.fixedAt(session) : startOf(session) + day.fixedMs),
    lateOddAt: (session) => (session < first ? past.lateOddAt(session) : startOf(session) + day.oddMs),
    at(now) {
      if (now < beganAt) return past.at(now);
      const session = first + Math.floor((now - beganAt) / day.lengthMs);
      const start = startOf(session);
      return positionIn(day, session, now - start, start, start + day.lengthMs);
    },
  };
}

/** The calendar for a venue's hours. */
export function calendarOf(hours: Hours): Calendar {
  if (hours === "always") return always();
  return hours === "taiwan" ? taiwan() : compressed();
}

/** How far back history is visible, in days. */
const HISTORY_DAYS = 1826;
/** The same for indices of a market with many sessions a day, where each session is a sum over all constituents. */
const COMPRESSED_INDEX_DAYS = 7;

/** The first session visible from a session. */
export function firstSession({ dayOf, sessionOn }: Calendar, session: number, days = HISTORY_DAYS): number {
  return Math.max(1, sessionOn(dayOf(session) - days) + 1);
}

/** The first session of the indices visible from a session. */
export function firstIndexSession(calendar: Calendar, session: number): number {
  return firstSession(calendar, session, calendar.hours === "compressed" ? COMPRESSED_INDEX_DAYS : HISTORY_DAYS);
}

/** The day of a session as fees count days; where a whole trading day lasts minutes, each session counts. */
export const feeDayOf = (calendar: Calendar, session: number): number =>
  calendar.hours === "compressed" ? session : calendar.dayOf(session);
