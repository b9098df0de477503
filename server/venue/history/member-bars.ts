/** Adds members' trades to past bars, which are generated without them. */
import { taipeiMidnight } from "#contract/kernel/time.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import type { MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { TimedBar } from "./bar-aggregation.ts";

/** Extends a bar by a trade. */
function extend(bar: TimedBar, { price, lots }: MemberTrade): void {
  bar.high = Math.max(bar.high, price);
  bar.low = Math.min(bar.low, price);
  bar.volume += lots;
}

/** The minute of a session that a trade falls into. */
function minuteOf({ at }: MemberTrade, calendar: Calendar, session: number): number {
  return Math.min(calendar.minutes - 1, Math.floor((at - calendar.opensAt(session)) / calendar.minuteMs));
}

/** An auction has one price: the open of the session, of a minute after a halt, or the close. */
function strike(bar: TimedBar, { price }: MemberTrade, isClose: boolean): void {
  if (isClose) Object.assign(bar, { open: price, high: price, low: price, close: price });
  else bar.open = price;
}

/** The closed minutes of a session with members' trades, up to, not including, the minute `until`. */
export function withMembers(
  minutes: TimedBar[],
  trades: readonly MemberTrade[],
  calendar: Calendar,
  session: number,
  until: number,
): TimedBar[] {
  const [from, to] = [calendar.opensAt(session), calendar.opensAt(session + 1)];
  const inside = trades.filter((trade) => trade.at >= from && trade.at < to && minuteOf(trade, calendar, session) < until);
  if (inside.length === 0) return minutes;
  const byStart = new Map(minutes.map((bar) => [bar.at, bar]));
  for (const trade of inside) {
    const minute = minuteOf(trade, calendar, session);
    const at = from + minute * calendar.minuteMs;
    const { price } = trade;
    const bar = byStart.get(at) ?? { at, open: price, high: price, low: price, close: price, volume: 0 };
    byStart.set(at, bar);
    if (trade.side === 0) strike(bar, trade, calendar.continuous < calendar.minutes && minute === calendar.minutes - 1);
    extend(bar, trade);
  }
  return [...byStart.values()].toSorted((a, b) => a.at - b.at);
}

/** Adds members' trades to the bars of closed days, those of the sessions before `until`. */
export function addToDays(days: readonly TimedBar[], trades: readonly MemberTrade[], calendar: Calendar, until: number): void {
  if (trades.length === 0 || calendar.hours === "compressed") return;
  const byDay = new Map(days.map((bar) => [bar.at, bar]));
  for (const trade of trades) {
    const { session } = calendar.at(trade.at);
    const bar = session < until ? byDay.get(taipeiMidnight(calendar.dayOf(session))) : undefined;
    if (!bar) continue;
    const minute = minuteOf(trade, calendar, session);
    if (trade.side === 0 && minute === 0) bar.open = trade.price;
    if (trade.side === 0 && minute === calendar.minutes - 1) bar.close = trade.price;
    extend(bar, trade);
  }
}
