/** Adds members' trades to past bars of an instrument, which are generated without them. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { withMembers } from "#server/venue/matching/member-trade.ts";
import type { TradeTimes } from "#server/venue/matching/member-trade.ts";
import { DailyProcessReader } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { MemberPast } from "#server/venue/simulator/member-trades.ts";
import { clockOf, tradeTimes } from "#server/venue/simulator/trade-times.ts";
import type { TimedBar } from "./bar-aggregation.ts";

/** Days whose first and last trades are remembered. */
const MAX_DAYS = 4_096;

/** The minutes of a session up to, not including, `until`, with members' trades. */
export function addToMinutes(bars: TimedBar[], minutes: MemberPast["minutes"], path: Path, calendar: Calendar, until: number): TimedBar[] {
  const clock = clockOf(calendar, path.day.session);
  const theirs = minutes.filter(([session, minute]) => session === path.day.session && minute < until);
  if (theirs.length === 0) return bars;
  const byStart = new Map(bars.map((bar) => [bar.at, bar]));
  for (const [, minute, span] of theirs) {
    const at = clock.opensAt + minute * clock.minuteMs;
    byStart.set(at, { at, ...withMembers(byStart.get(at) ?? null, tradeTimes(path, clock, minute, minute + 1), span) });
  }
  return [...byStart.values()].toSorted((a, b) => a.at - b.at);
}

export class MemberDays {
  readonly #market: SeededMarket;
  readonly #times = new Map<string, TradeTimes>();

  constructor(market: SeededMarket) {
    this.#market = market;
  }

  /** When the market's own first and last trades of a whole session are. */
  #timesOf(row: number, session: number): TradeTimes {
    const key = `${row} ${session}`;
    const known = this.#times.get(key);
    if (known !== undefined) return known;
    const { calendar, models } = this.#market;
    const model = models[row];
    if (!model || session < model.listed) return null;
    const path = new Path(model, new DailyProcessReader(model, session).next(), this.#market.sessionProfile(session));
    const times = tradeTimes(path, clockOf(calendar, session), 0, calendar.minutes);
    if (this.#times.size >= MAX_DAYS) this.#times.clear();
    this.#times.set(key, times);
    return times;
  }

  /** The days of consecutive sessions, the first of which is `from`, with members' trades. */
  addTo(days: readonly Bar[], row: number, from: number, members: MemberPast | null): Bar[] {
    const bars = [...days];
    for (const [session, span] of members?.days ?? []) {
      const own = bars[session - from];
      if (own) bars[session - from] = withMembers(own, this.#timesOf(row, session), span);
    }
    return bars;
  }
}
