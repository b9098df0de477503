/**
 * Auctions of odd lots: at fixed times all day, and once after hours. While the board of a row is in a call whose trial price is public they wait for
 * it: nobody may still buy single shares at the last price once the next one shows.
 */
import { toTick } from "#contract/tick.ts";
import type { Position } from "#server/venue/calendar/trading-calendar.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";
import type { OddLotRule } from "#server/venue/calendar/session-rules.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { CallBook } from "#server/venue/matching/call-auction.ts";
import { NO_LIMITS } from "#server/venue/market-data/market-columns.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import { lateCloseAt, minuteOnClock } from "./delayed-close.ts";
import { auctionOrders } from "./auction-order-flow.ts";
import type { Path } from "./intraday-path.ts";
import type { MarketState } from "./market-state.ts";

/** Identifies the after-hours auction; others use their number. */
const AFTER_HOURS = -1;
/** The after-hours auction has the orders of so many others. */
const LATE_TIMES = 12;

/** A call of a board whose price shows before it. Odd lots wait from one minute on up to the beginning of another, which begins with the call. */
interface BoardCall {
  from: number;
  until: number;
  price: number;
}

export class OddLotAuctions {
  readonly #state: MarketState;
  readonly #lotShares: (row: number) => number;
  readonly #rule: OddLotRule;

  /** `lotShares`: shares per lot of a row; 0 for what cannot be traded. */
  constructor(state: MarketState, lotShares: (row: number) => number) {
    this.#state = state;
    this.#lotShares = lotShares;
    this.#rule = VENUE_RULES[state.market.calendar.hours].oddLot;
  }

  #position(now: number): Position {
    return this.#state.market.calendar.at(now);
  }

  #momentOf(minute: number): number {
    const { calendar } = this.#state.market;
    return calendar.opensAt(this.#state.session) + minute * calendar.minuteMs;
  }

  /** The call that odd lots of a row wait for, or the latest they waited for; null where there is none. */
  #boardCall(path: Path, minute: number, now: number): BoardCall | null {
    const { minutes, continuous } = this.#state.market.calendar;
    const { calls, day } = path;
    if (calls) {
      // Between two calls the next one's trial price always shows: odd lots have one auction after each.
      const latest = calls.latest(minute);
      const at = calls.minutes[latest] ?? 0;
      const isNew = now - this.#momentOf(at) < this.#rule.everyMs;
      const [from, until] = isNew ? [at - day.watch.everyMinutes, at] : [at, calls.minutes[latest + 1] ?? minutes];
      return { from, until, price: path.mark(Math.min(at + 1, minutes)) };
    }
    if (minute >= continuous) return { from: continuous, until: minuteOnClock(path, minutes - 1), price: day.close };
    return path.latestHalt(minute);
  }

  #isAhead({ until }: BoardCall, now: number): boolean {
    return now < this.#momentOf(until);
  }

  #waits(path: Path, minute: number, now: number): boolean {
    const call = this.#boardCall(path, minute, now);
    return call !== null && this.#isAhead(call, now);
  }

  /** The book of a row's auction: shares around the last board price. Null where there is no auction, or it waits for the board's call. */
  book(row: number, now: number): CallBook | null {
    const state = this.#state;
    const model = state.market.models[row];
    const path = state.path(row);
    const { phase, session, minute } = this.#position(now);
    if (!model || !path || this.#lotShares(row) < 2 || session !== state.session) return null;
    const { calendar } = state.market;
    const lateAt = calendar.lateOddAt(session);
    const isLate = lateAt !== null && now >= lateAt;
    // The last auction of the session takes place right after the close.
    const { everyMs } = this.#rule;
    const closedAt = path.closing ? lateCloseAt(calendar, session) : calendar.closesAt(session);
    if (phase === "preOpen" || (!isLate && phase !== "open" && now - closedAt >= everyMs)) return null;
    const call = isLate ? null : this.#boardCall(path, minute, now);
    if (call && this.#isAhead(call, now)) return null;
    const price = this.#boardPrice(row, path, call, minute) || toTick(model.kind, state.reference[row] ?? 0);
    const key = model.parameters.key.draw(PURPOSE.oddCall, session, isLate ? AFTER_HOURS : this.number(now));
    const shares = Math.round((30 + 14 * Math.sqrt(model.parameters.baseLots)) * (0.3 + 1.4 * unit(key))) * (isLate ? LATE_TIMES : 1);
    const { up, down } = state.limits(row);
    const limits = up === NO_LIMITS.up ? null : { up, down };
    // Only the first match of a day is drawn, and the one after hours.
    const isDrawn = isLate || this.#isFirst(path, minute, now);
    const served = isDrawn ? "drawn" : "queued";
    const orders = auctionOrders({ kind: model.kind, price, lots: shares, anchor: price, limits, served, key });
    const lot = { side: "both" as const, draw: mix(key, 5) };
    if (isLate) return { ...orders, came: { from: lateAt, until: now }, lot };
    // Others have waited for the call as well.
    const hasWaited = call !== null && now - this.#momentOf(call.until) < everyMs;
    const came = { from: hasWaited ? this.#momentOf(call.from) : now - everyMs, until: now };
    return isDrawn ? { ...orders, came, lot } : { ...orders, came };
  }

  /** Whether an auction is a row's first of the day. */
  #isFirst({ calls }: Path, minute: number, now: number): boolean {
    return calls ? calls.latest(minute) === 0 : this.number(now) === 0;
  }

  /** The latest price of a row's board; 0 for none. The call of this very minute may not be on the tape yet, and what was before it counts no more. */
  #boardPrice(row: number, path: Path, call: BoardCall | null, minute: number): number {
    const { minute: known, printed, last } = this.#state;
    const isOnTape = known === minute && (printed[row] ?? 0) > 0;
    if (call && (path.calls || (call.until === minute && !isOnTape))) return call.price;
    return last[row] ?? 0;
  }

  /** The rows that the current auction takes; null for all of them. */
  rows(now: number): number[] | null {
    const { minute, session } = this.#position(now);
    // The last one has no rows whose close is put off, even if a stall has delayed it: theirs comes with that close.
    const isLast = now >= this.#state.market.calendar.closesAt(session);
    const waits = (path: Path): boolean => (isLast ? path.closing !== null : this.#waits(path, minute, now));
    const waiting = this.#state.rowsWhere(waits);
    return waiting.length === 0 ? null : this.#state.rowsWhere((path) => !waits(path));
  }

  /** Number of auctions of the session that were due so far, minus one: -1 before the first. */
  number(now: number): number {
    const { calendar } = this.#state.market;
    const { session } = this.#position(now);
    const { firstMs, everyMs } = this.#rule;
    return Math.floor((Math.min(now, calendar.closesAt(session)) - calendar.opensAt(session) - firstMs) / everyMs);
  }

  /** When the latest auction was due. */
  dueAt(now: number): number {
    const { firstMs, everyMs } = this.#rule;
    return this.#state.market.calendar.opensAt(this.#position(now).session) + firstMs + this.number(now) * everyMs;
  }
}
