/** The board's call auctions of a session that have taken place by a moment. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { PastCall } from "#server/venue/venue.ts";
import { VENUE_RULES } from "./session-rules.ts";
import type { Calendar } from "./trading-calendar.ts";

/** A busy minute of the simulated market has six trades, and the opening call is the first of them. */
const OPENING_PART = 1 / 6;

/** The rows whose calls are not those of all: whose open or close was put off, and that have calls in between, after so many minutes. */
export interface OwnCalls {
  delayed: readonly number[];
  closingLate: readonly number[];
  periodic: ReadonlyMap<number, readonly number[]>;
}

/** The calls in between of a session. */
function periodicOf({ opensAt, minuteMs }: Pick<Calendar, "opensAt" | "minuteMs">, session: number, { periodic }: OwnCalls): PastCall[] {
  return [...periodic].map(([minute, rows]) => ({ kind: "periodic", at: opensAt(session) + minute * minuteMs, share: 1, rows }));
}

/** The calls up to a moment, the earliest first; around the clock there are only those of stocks that are not traded in between. */
export function pastCallsOf(calendar: Calendar, now: number, own: OwnCalls): PastCall[] {
  const { minutes, continuous } = calendar;
  const { session } = calendar.at(now);
  const ofAll = continuous < minutes ? commonCalls(calendar, session, own) : [];
  return [...ofAll, ...periodicOf(calendar, session, own)].filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
}

/** The opening and closing calls of a session. Of a stock that is traded by calls alone, the opening call is all that trades in its minute. */
function commonCalls(calendar: Calendar, session: number, { delayed, closingLate, periodic }: OwnCalls): PastCall[] {
  const { minuteMs, hours } = calendar;
  const { pauseMinutes, closeMinutes } = VENUE_RULES[hours].stability;
  const opensAt = calendar.opensAt(session);
  const share = (OPENING_PART * minuteMs) / MINUTE_MS;
  const byCalls = new Set([...periodic.values()].flat());
  const except = [...new Set([...delayed, ...byCalls])];
  const opening: PastCall = { kind: "opening", at: opensAt, share, ...(except.length > 0 && { except }) };
  const lateAt = opensAt + pauseMinutes * minuteMs;
  const own: PastCall[] = [
    { kind: "opening", at: opensAt, share: 1, rows: [...byCalls].filter((row) => !delayed.includes(row)) },
    { kind: "opening", at: lateAt, share, rows: delayed.filter((row) => !byCalls.has(row)) },
    { kind: "opening", at: lateAt, share: 1, rows: delayed.filter((row) => byCalls.has(row)) },
  ];
  const closesAt = calendar.closesAt(session);
  const closing: PastCall = { kind: "closing", at: closesAt, share: 1, ...(closingLate.length > 0 && { except: closingLate }) };
  own.push({ kind: "closing", at: closesAt + closeMinutes * minuteMs, share: 1, rows: [...closingLate] });
  return [opening, ...own.filter(({ rows = [] }) => rows.length > 0), closing];
}
