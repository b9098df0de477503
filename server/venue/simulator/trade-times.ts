/** When the market's own first and last trades of some minutes are, by its path. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import type { TradeTimes } from "#server/venue/matching/member-trade.ts";
import { minuteOnClock } from "./delayed-close.ts";
import type { Bar } from "./intraday-path.ts";
import type { Trades } from "./key-trades.ts";
import { keysOfMinute } from "./moved-path.ts";
import type { TradedPath } from "./moved-path.ts";

/** When a session opens, and its minutes. */
export interface SessionClock {
  opensAt: number;
  minuteMs: number;
  minutes: number;
}

/** The clock of a session. */
export const clockOf = (calendar: Calendar, session: number): SessionClock => ({
  opensAt: calendar.opensAt(session),
  minuteMs: calendar.minuteMs,
  minutes: calendar.minutes,
});

/** The trades of one minute that everything else of it lies between; null where nothing trades. */
function keysOf(path: TradedPath, minute: number): Trades | null {
  const lots = path.lots(minute + 1) - path.lots(minute);
  if (lots === 0) return null;
  const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
  const keys = keysOfMinute();
  path.bar(minute, path.mark(minute), path.mark(minute + 1), lots, bar);
  path.trades(minute, bar, keys, 0);
  return keys;
}

/** The lots of a minute's first trade, which where it starts with an auction is that of the auction; 0 where nothing trades. */
export const firstLots = (path: TradedPath, minute: number): number => keysOf(path, minute)?.lots[0] ?? 0;

/** The range of the minutes from `from` up to, not including, `until`: high 0 where nothing trades in them. */
export function rangeOf(path: TradedPath, from: number, until: number): { high: number; low: number } {
  const range = { high: 0, low: Infinity };
  const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
  for (let minute = from; minute < until; minute += 1) {
    const lots = path.lots(minute + 1) - path.lots(minute);
    if (lots === 0) continue;
    path.bar(minute, path.mark(minute), path.mark(minute + 1), lots, bar);
    range.high = Math.max(range.high, bar.high);
    range.low = Math.min(range.low, bar.low);
  }
  return range;
}

/**
 * The first and last trades of the minutes from `from` up to, not including, `until` of a session that opens at `opensAt`, and the range without
 * the closing call, if it is among them.
 */
export function tradeTimes(path: TradedPath, { opensAt, minuteMs, minutes }: SessionClock, from: number, until: number): TradeTimes {
  for (let first = from; first < until; first += 1) {
    const opening = keysOf(path, first);
    if (!opening) continue;
    let last = until - 1;
    while (path.lots(last + 1) === path.lots(last)) last -= 1;
    const closing = keysOf(path, last) ?? opening;
    const atOf = (minute: number, offset: number): number => opensAt + minuteOnClock(path, minute) * minuteMs + offset;
    const rest = last === minutes - 1 && path.startsWithAuction(last) ? rangeOf(path, from, last) : null;
    return { firstAt: atOf(first, opening.offset[0] ?? 0), lastAt: atOf(last, closing.offset[(closing.count[0] ?? 1) - 1] ?? 0), rest };
  }
  return null;
}
