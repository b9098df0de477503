/** Adds members' trades to past bars of an instrument, which are generated without them. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { withMembers } from "#server/venue/matching/member-trade.ts";
import type { TradeTimes } from "#server/venue/matching/member-trade.ts";
import { minuteOnClock } from "#server/venue/simulator/delayed-close.ts";
import { DailyProcessReader } from "#server/venue/simulator/seeded-market.ts";
import type { SeededMarket } from "#server/venue/simulator/seeded-market.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";
import { Path } from "#server/venue/simulator/intraday-path.ts";
import type { MemberPast } from "#server/venue/simulator/member-trades.ts";
import { movedBy } from "#server/venue/simulator/moved-path.ts";
import type { TradedPath } from "#server/venue/simulator/moved-path.ts";
import { clockOf, tradeTimes } from "#server/venue/simulator/trade-times.ts";
import type { TimedBar } from "./bar-aggregation.ts";

/** Days whose first and last trades are remembered. */
const MAX_DAYS = 4_096;

/** The market's own day as it traded, where members' fills moved it (null: they did not), and when its first and last trades are. */
interface KnownDay {
  bar: Bar | null;
  times: TradeTimes;
}

/** The minutes of a session up to, not including, `until`, with members' trades. */
export function addToMinutes(
  bars: TimedBar[],
  minutes: MemberPast["minutes"],
  path: TradedPath,
  calendar: Calendar,
  until: number,
): TimedBar[] {
  const clock = clockOf(calendar, path.day.session);
  const theirs = minutes.filter(([session, minute]) => session === path.day.session && minute < until);
  if (theirs.length === 0) return bars;
  const byStart = new Map(bars.map((bar) => [bar.at, bar]));
  for (const [, minute, span] of theirs) {
    const at = clock.opensAt + minuteOnClock(path, minute) * clock.minuteMs;
    byStart.set(at, { at, ...withMembers(byStart.get(at) ?? null, tradeTimes(path, clock, minute, minute + 1), span) });
  }
  return [...byStart.values()].toSorted((a, b) => a.at - b.at);
}

export class MemberDays {
  readonly #market: SeededMarket;
  readonly #known = new Map<string, KnownDay>();

  constructor(market: SeededMarket) {
    this.#market = market;
  }

  /** A whole session of the market's own; null where there is none. A session that is over gets no further fills. */
  #dayOf(row: number, session: number, fills: readonly number[]): KnownDay | null {
    const key = `${row} ${session} ${fills.length}`;
    const known = this.#known.get(key);
    if (known) return known;
    const { calendar, models } = this.#market;
    const model = models[row];
    if (!model || session < model.listed) return null;
    const path = new Path(model, new DailyProcessReader(model, session).next(), this.#market.sessionProfile(session));
    const moved = movedBy(path, model, fills);
    const times = tradeTimes(moved ?? path, clockOf(calendar, session), 0, calendar.minutes);
    const day = { bar: moved?.dayBar(calendar.minutes) ?? null, times };
    if (this.#known.size >= MAX_DAYS) this.#known.clear();
    this.#known.set(key, day);
    return day;
  }

  /** The days of consecutive sessions, the first of which is `from`, with members' trades. */
  addTo(days: readonly Bar[], row: number, from: number, members: MemberPast | null): Bar[] {
    const bars = [...days];
    if (!members) return bars;
    const [spans, fills] = [new Map(members.days), new Map(members.fills)];
    for (const session of new Set([...spans.keys(), ...fills.keys()])) {
      const own = bars[session - from];
      if (!own) continue;
      const known = this.#dayOf(row, session, fills.get(session) ?? []);
      const traded = known?.bar ?? own;
      const span = spans.get(session);
      bars[session - from] = span ? withMembers(traded, known?.times ?? null, span) : traded;
    }
    return bars;
  }
}
