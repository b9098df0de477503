/** The profile of a session, shared by all its instruments: the market's path within the day and volume curves. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";

/** What all instruments share within a session: the market's bridge (0 at both ends) and a choice of volume curves. */
export interface SessionProfile {
  session: number;
  market: Float64Array;
  flows: readonly Float64Array[];
}

export const FLOWS = 16;
const MARKET_MINUTE = 0.55;

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

/** Fills `into[lo..hi]` between its ends by bisection: each midpoint is the mean of its ends plus a random displacement. */
export function bridge(into: Float64Array, lo: number, hi: number, key: Key, session: number, noise: number): void {
  if (hi - lo < 2) return;
  const mid = (lo + hi) >> 1;
  into[mid] = ((into[lo] ?? 0) + (into[hi] ?? 0)) / 2 + noise * Math.sqrt(hi - lo) * normal(key.draw(PURPOSE.path, session, mid));
  bridge(into, lo, mid, key, session, noise);
  bridge(into, mid, hi, key, session, noise);
}

/** The scale of the bridge's random displacement, per square root of the interval length. */
export function marketNoise(deviation: number, minutes: number): number {
  return (MARKET_MINUTE * deviation) / 2 / Math.sqrt(minutes);
}

/** Builds the profile of a session; takes a millisecond, so cache it. */
export function sessionProfileOf(key: Key, session: number, calendar: Calendar, deviation: number): SessionProfile {
  const { minutes } = calendar;
  const market = new Float64Array(minutes + 1);
  bridge(market, 0, minutes, key, session, marketNoise(deviation, minutes));
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
  return { session, market, flows };
}
