/** The day of a stock under disposition: what it trades at between two calls nobody sees, so its range is that of the calls. */
import type { Day, InstrumentModel } from "./daily-process.ts";
import { Path } from "./intraday-path.ts";

/** A call trades at least as many lots on average. */
const LOTS_PER_CALL = 2;

/** The day with the range of its calls, and enough lots for each of them. */
export function calledDay(model: InstrumentModel, day: Day): Day {
  const { minutes } = model.calendar;
  const path = new Path(model, day, { session: day.session, flows: [] });
  const { calls } = path;
  if (!calls) return day;
  const prices = calls.minutes.map((minute) => path.mark(Math.min(minutes, minute + 1)));
  return { ...day, high: Math.max(...prices), low: Math.min(...prices), volume: Math.max(day.volume, LOTS_PER_CALL * prices.length) };
}
