/** The shape of a session, shared by all its instruments: the market's way between its ends, and the ways volume may flow. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";

/** What all instruments share within a session: the market's bridge (0 at both ends) and the ways volume may flow. */
export interface SessionProfile {
  session: number;
  market: Float64Array;
  flows: readonly Float64Array[];
}

export const FLOWS = 16;
const MARKET_MINUTE = 0.55;

/** Relative business of each minute: lively at both ends; a market round the clock also has a lively Taiwan morning. */
function business(calendar: Calendar, minute: number): number {
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

/** Fill `into[lo..hi]` between its ends by halving: each middle is the mean of its ends and a push drawn for it. */
export function bridge(into: Float64Array, lo: number, hi: number, key: Key, session: number, push: number): void {
  if (hi - lo < 2) return;
  const mid = (lo + hi) >> 1;
  into[mid] = ((into[lo] ?? 0) + (into[hi] ?? 0)) / 2 + push * Math.sqrt(hi - lo) * normal(key.draw(PURPOSE.path, session, mid));
  bridge(into, lo, mid, key, session, push);
  bridge(into, mid, hi, key, session, push);
}

/** How hard the market's bridge is pushed at each halving, of the root of its length. */
export function marketPush(deviation: number, minutes: number): number {
  return (MARKET_MINUTE * deviation) / 2 / Math.sqrt(minutes);
}

/** Make the shape of a session; a millisecond's work, so keep it. */
export function sessionProfileOf(key: Key, session: number, calendar: Calendar, deviation: number): SessionProfile {
  const { minutes } = calendar;
  const market = new Float64Array(minutes + 1);
  bridge(market, 0, minutes, key, session, marketPush(deviation, minutes));
  const flows: Float64Array[] = [];
  for (let nth = 0; nth < FLOWS; nth += 1) {
    const flow = new Float64Array(minutes + 1);
    for (let minute = 0; minute < minutes; minute += 1) {
      flow[minute + 1] =
        (flow[minute] ?? 0) + business(calendar, minute) * Math.exp(0.8 * normal(key.draw(PURPOSE.flow, session, nth, minute)));
    }
    const total = flow[minutes] ?? 1;
    for (let mark = 0; mark <= minutes; mark += 1) flow[mark] = (flow[mark] ?? 0) / total;
    flows.push(flow);
  }
  return { session, market, flows };
}
