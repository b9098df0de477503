/** What gathers for calls: how a row is matched at a moment, and the book of the call it gathers for, or of its latest one. */
import type { Kind } from "#contract/instrument.ts";
import { toTick } from "#contract/tick.ts";
import { atOnePrice, auctionOrders, tryOut } from "./auction-order-flow.ts";
import type { Trial } from "./auction-order-flow.ts";
import type { CallBook } from "#server/venue/matching/call-auction.ts";
import type { Position } from "#server/venue/calendar/trading-calendar.ts";
import type { MarketState } from "./market-state.ts";
import { normal, unit } from "#server/venue/seeded-random.ts";
import type { Path } from "./intraday-path.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import { matchingIn } from "#server/venue/calendar/session-phase.ts";
import type { Matching } from "#server/venue/venue.ts";
import { NO_LIMITS } from "#server/venue/market-data/market-snapshot.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";

/** A busy minute's first trade is one of six. */
const FIRST_TRADE = 1 / 6;
/** So many lots are no thin call. */
const DEEP_LOTS = 50;

/** What one call of a row strikes, and where it stands. */
interface PendingCall {
  /** Tells the calls of a session apart. */
  nth: number;
  from: number;
  /** When the first orders came, and when it is struck. */
  beganAt: number;
  struckAt: number;
  /** What it strikes, and of how many lots. */
  price: number;
  lots: number;
}

/** The number a call of a session is drawn from, at each step of its gathering: none of them tells the next one. */
type Luck = (nth: number, step: number) => number;
/** Stands for the orders after hours, where others have the minute they are struck in. */
const AFTER_HOURS = -1;

export class AuctionBook {
  readonly #state: MarketState;
  readonly #lotShares: (row: number) => number;

  /** `lotShares`: shares of a row's lots; 0 for what nobody trades. */
  constructor(state: MarketState, lotShares: (row: number) => number) {
    this.#state = state;
    this.#lotShares = lotShares;
  }

  #position(now: number): Position {
    return this.#state.market.calendar.at(now);
  }

  /** How the board matches a row. */
  matching(row: number, now: number): Matching {
    const { session, minute, phase } = this.#position(now);
    const path = this.#state.path(row);
    if (!path || this.#lotShares(row) === 0) return "none";
    if (phase === "open" && session === this.#state.session && path.pauseAt(minute)) return "call";
    return matchingIn(phase);
  }

  /** When the pause a row is in ends; null when it is in none. */
  pausedUntil(row: number, now: number): number | null {
    const { session, minute, phase } = this.#position(now);
    const pause = phase === "open" && session === this.#state.session ? this.#state.path(row)?.pauseAt(minute) : null;
    return pause ? this.#momentOf(pause.until) : null;
  }

  #momentOf(minute: number): number {
    const { calendar } = this.#state.market;
    return calendar.opensAt(this.#state.session) + minute * calendar.minuteMs;
  }

  /** About what a minute's call executes; where next to nothing trades still enough for a member's order not to be all of it. */
  #lots(path: Path, minute: number, part: number): number {
    const deep = Math.min(DEEP_LOTS, Math.ceil(path.day.volume / 50));
    return Math.max(deep, Math.floor((path.lots(minute + 1) - path.lots(minute)) * part));
  }

  /** The call a row gathers for, or its latest; null where there is none. */
  #gathering(path: Path, { minute, phase }: Position): PendingCall | null {
    const { calendar } = this.#state.market;
    const { minutes, continuous } = calendar;
    const auctions = continuous < minutes;
    const { day } = path;
    if (phase === "preOpen" || (phase === "open" && auctions && !path.latestPause(minute))) {
      const struckAt = this.#momentOf(0);
      const lots = this.#lots(path, 0, FIRST_TRADE);
      return { nth: 0, from: day.reference, beganAt: calendar.gathersAt(this.#state.session), struckAt, price: day.open, lots };
    }
    if (phase === "open") {
      const pause = path.latestPause(minute);
      if (!pause) return null;
      const lots = this.#lots(path, pause.until, FIRST_TRADE);
      const { from, until, price } = pause;
      return { nth: until, from: path.mark(from), beganAt: this.#momentOf(from), struckAt: this.#momentOf(until), price, lots };
    }
    if (!auctions) return null;
    const lots = this.#lots(path, minutes - 1, 1);
    const from = path.mark(continuous);
    return { nth: minutes, from, beganAt: this.#momentOf(continuous), struckAt: this.#momentOf(minutes - 1), price: day.close, lots };
  }

  /** The board's call of a row, as far as it has gathered. */
  book(row: number, now: number): CallBook | null {
    const state = this.#state;
    const who = state.market.models[row];
    const path = state.path(row);
    const position = this.#position(now);
    if (!who || !path || this.#lotShares(row) === 0 || position.session !== state.session) return null;
    const { fixedAt } = state.market.calendar;
    const luck: Luck = (nth, step) => who.parameters.key.draw(PURPOSE.call, state.session, nth, step);
    const fixed = fixedAt(state.session);
    if (fixed !== null && now >= fixed && position.minute > 0) {
      return atOnePrice(who.kind, path.day.close, Math.ceil(path.day.volume / 400), luck(AFTER_HOURS, 0));
    }
    const gathering = this.#gathering(path, position);
    return gathering && this.#made(row, who.kind, path, gathering, luck, now);
  }

  /** A call's book at a moment: it wanders from where it came from to what it strikes, and grows. */
  #made(
    row: number,
    kind: Kind,
    path: Path,
    { nth, from, beganAt, struckAt, price, lots }: PendingCall,
    luck: Luck,
    now: number,
  ): CallBook {
    const { trialMs } = VENUE_RULES[this.#state.market.calendar.hours];
    const limits = this.#limits(row);
    const anchor = from;
    if (now >= struckAt) return auctionOrders({ kind, price, lots, anchor, limits, key: luck(nth, 0) });
    const step = Math.max(0, Math.floor((now - beganAt) / trialMs));
    const done = Math.min(1, (step * trialMs) / (struckAt - beganAt));
    const push = luck(nth, 1 + step);
    const way = from + (price - from) * done + 0.3 * path.day.deviation * path.day.reference * normal(push) * (1 - done);
    const trial = toTick(kind, Math.round(way));
    return auctionOrders({
      kind,
      price: limits ? Math.min(limits.up, Math.max(limits.down, trial)) : trial,
      lots: Math.max(1, Math.round(lots * (0.1 + 0.9 * done) * (0.9 + 0.2 * unit(push)))),
      anchor,
      limits,
      key: push,
    });
  }

  #limits(row: number): CallBook["limits"] {
    const { up, down } = this.#state.limits(row);
    return up === NO_LIMITS.up ? null : { up, down };
  }

  /** The odd-lot market's call of a row: shares around what the board last traded at. */
  oddBook(row: number, now: number): CallBook | null {
    const state = this.#state;
    const who = state.market.models[row];
    const { phase, session } = this.#position(now);
    if (!who || !state.path(row) || this.#lotShares(row) < 2 || session !== state.session) return null;
    const { calendar } = state.market;
    // The last call is struck when the market has just closed.
    if (phase === "preOpen" || (phase !== "open" && now - calendar.closesAt(session) >= VENUE_RULES[calendar.hours].oddLot.everyMs))
      return null;
    const price = state.last[row] || toTick(who.kind, state.reference[row] ?? 0);
    const key = who.parameters.key.draw(PURPOSE.oddCall, session, this.oddRound(now));
    const lots = Math.round((30 + 14 * Math.sqrt(who.parameters.baseLots)) * (0.3 + 1.4 * unit(key)));
    return auctionOrders({ kind: who.kind, price, lots, anchor: price, limits: this.#limits(row), key });
  }

  /** How many calls of odd lots the session has had, less one: -1 before the first. */
  oddRound(now: number): number {
    const { calendar } = this.#state.market;
    const { session } = this.#position(now);
    const { firstMs, everyMs } = VENUE_RULES[calendar.hours].oddLot;
    return Math.floor((Math.min(now, calendar.closesAt(session)) - calendar.opensAt(session) - firstMs) / everyMs);
  }

  /** What is shown of a row while it gathers for a call; null while it does not. */
  shown(row: number, now: number): Trial | null {
    const book = this.matching(row, now) === "call" ? this.book(row, now) : null;
    return book && tryOut(book);
  }
}
