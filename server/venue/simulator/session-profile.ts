/** The profile of a session, shared by all its instruments: volume curves. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";

/** What all instruments share within a session: a choice of volume curves. */
export interface SessionProfile {
  session: number;
  flows: readonly Float64Array[];
}

export const FLOWS = 16;

/** Relative trading activity of each minute: high at both ends; a market around the clock is also busier in the Taiwan morning. */
function activity(calendar: Calendar, minute: number): number {
  if (calendar.continuous < calendar.minutes) {
    if (minute === calendar.minutes - 1) return 14;
    if (minute >= calendar.continuous) return 0;
    const place = minute / (calendar.continuous - 1);
    return 0.6 + 2.6 * (2 * place - 1) ** 4 + (minute === 0 ? 9 : 0);
  }
  const place = minute / (calendar.minutes - 1);
  const morning = minute >= 540 && minute <= 810 ? 0.9 : 0;
  return 0.7 + 1.6 * (2 * place - 1) ** 4 + morning;
}

/** Builds the profile of a session; takes a millisecond, so cache it. */
export function sessionProfileOf(key: Key, session: number, calendar: Calendar): SessionProfile {
  const { minutes } = calendar;
  const flows: Float64Array[] = [];
  for (let nth = 0; nth < FLOWS; nth += 1) {
    const flow = new Float64Array(minutes + 1);
    for (let minute = 0; minute < minutes; minute += 1) {
      flow[minute + 1] =
        (flow[minute] ?? 0) + activity(calendar, minute) * Math.exp(0.8 * normal(key.draw(PURPOSE.flow, session, nth, minute)));
    }
    const total = flow[minutes] ?? 1;
    for (let mark = 0; mark <= minutes; mark += 1) flow[mark] = (flow[mark] ?? 0) / total;
    flows.push(flow);
  }
  return { session, flows };
}
