/** Computes a coarse path of a day: an instrument's price at a few moments, without the path through its minutes. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import type { Day, InstrumentModel } from "./daily-process.ts";
import type { Factor } from "./factor-model.ts";
import { extremeMark } from "./intraday-path.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { marketNoise } from "./session-profile.ts";

/** The market's bridge at one mark of a session, as `sessionProfileOf` would compute it. */
function marketAt(key: Key, session: number, noise: number, mark: number, minutes: number): number {
  let lo = 0;
  let hi = minutes;
  let below = 0;
  let above = 0;
  while (true) {
    const mid = (lo + hi) >> 1;
    const middle = (below + above) / 2 + noise * Math.sqrt(hi - lo) * normal(key.draw(PURPOSE.path, session, mid));
    if (mid === mark) return middle;
    if (mark < mid) {
      hi = mid;
      above = middle;
    } else {
      lo = mid;
      below = middle;
    }
  }
}

/** The market's bridge at the marks of each session, `marks.length` entries per session. */
export function coarseMarketPath(
  key: Key,
  calendar: Calendar,
  market: Factor,
  from: number,
  until: number,
  marks: readonly number[],
): Float64Array {
  const out = new Float64Array((until - from) * marks.length);
  for (let session = from; session < until; session += 1) {
    const noise = marketNoise(market.deviation(session), calendar.minutes);
    marks.forEach((mark, nth) => {
      out[(session - from) * marks.length + nth] = marketAt(key, session, noise, mark, calendar.minutes);
    });
  }
  return out;
}

/** Straight lines through open, extremes and close, plus the market's bridge; clamped to the day's range. */
export function coarseDayPath(
  model: InstrumentModel,
  day: Day,
  marks: readonly number[],
  market: Float64Array,
  from: number,
  into: Float64Array,
): void {
  const { minutes, continuous } = model.calendar;
  const { key } = model.parameters;
  const top = extremeMark(key, day, day.high, 3, continuous - 2);
  const bottom = extremeMark(key, day, day.low, 4, continuous - 2);
  const topFirst = top <= bottom;
  const first = topFirst ? top : bottom;
  const second = topFirst ? bottom : top;
  const firstPrice = topFirst ? day.high : day.low;
  const secondPrice = topFirst ? day.low : day.high;
  for (let nth = 0; nth < marks.length; nth += 1) {
    const mark = marks[nth] ?? 0;
    let a = 0;
    let b = minutes;
    let fromPrice = day.open;
    let toPrice = day.close;
    if (first > 0 && mark < first) {
      b = first;
      toPrice = firstPrice;
    } else {
      if (first > 0) {
        a = first;
        fromPrice = firstPrice;
      }
      if (second > 0 && mark < second) {
        b = second;
        toPrice = secondPrice;
      } else if (second > 0) {
        a = second;
        fromPrice = secondPrice;
      }
    }
    const straight = fromPrice + ((toPrice - fromPrice) * (mark - a)) / (b - a);
    const value = straight + model.parameters.beta * day.reference * (market[from + nth] ?? 0);
    into[nth] = Math.min(day.high, Math.max(day.low, value));
  }
}
