/** What gathers for calls: how a row is matched at a moment, and the book of the call it gathers for, or of its latest one. */
import type { Kind } from "#contract/instrument.ts";
import { toTick } from "#contract/tick.ts";
import { atOnePrice, gather, tryOut } from "./auction.ts";
import type { Trial } from "./auction.ts";
import type { CallBook } from "./call.ts";
import type { Position } from "./calendar.ts";
import type { Floor } from "./floor.ts";
import { bell, unit } from "./hash.ts";
import type { Path } from "./intraday.ts";
import { PURPOSE } from "./keyed-random.ts";
import { matchingIn } from "./phase.ts";
import type { Matching } from "./port.ts";
import { NO_LIMITS } from "./standing.ts";
import { VENUE_RULES } from "./timetable.ts";

/** A busy minute's first trade is one of six. */
const FIRST_TRADE = 1 / 6;
/** So many lots are no thin call. */
const DEEP_LOTS = 50;

/** What one call of a row strikes, and where it stands. */
interface Gathering {
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

export class Calling {
  readonly #floor: Floor;
  readonly #lotShares: (row: number) => number;

  /** `lotShares`: shares of a row's lots; 0 for what nobody trades. */
  constructor(floor: Floor, lotShares: (row: number) => number) {
    this.#floor = floor;
    this.#lotShares = lotShares;
  }

  #position(now: number): Position {
    return this.#floor.market.calendar.at(now);
  }

  /** How the board matches a row. */
  matching(row: number, now: number): Matching {
    const { session, minute, phase } = this.#position(now);
    const path = this.#floor.path(row);
    if (!path || this.#lotShares(row) === 0) return "none";
    if (phase === "open" && session === this.#floor.session && path.pauseAt(minute)) return "call";
    return matchingIn(phase);
  }

  /** When the pause a row is in ends; null when it is in none. */
  pausedUntil(row: number, now: number): number | null {
    const { session, minute, phase } = this.#position(now);
    const pause = phase === "open" && session === this.#floor.session ? this.#floor.path(row)?.pauseAt(minute) : null;
    return pause ? this.#momentOf(pause.until) : null;
  }

  #momentOf(minute: number): number {
    const { calendar } = this.#floor.market;
    return calendar.opensAt(this.#floor.session) + minute * calendar.minuteMs;
  }

  /** About what a minute's call executes; where next to nothing trades still enough for a member's order not to be all of it. */
  #lots(path: Path, minute: number, part: number): number {
    const deep = Math.min(DEEP_LOTS, Math.ceil(path.day.volume / 50));
    return Math.max(deep, Math.floor((path.lots(minute + 1) - path.lots(minute)) * part));
  }

  /** The call a row gathers for, or its latest; null where there is none. */
  #gathering(path: Path, { minute, phase }: Position): Gathering | null {
    const { calendar } = this.#floor.market;
    const { minutes, continuous } = calendar;
    const auctions = continuous < minutes;
    const { day } = path;
    if (phase === "preOpen" || (phase === "open" && auctions && !path.latestPause(minute))) {
      const struckAt = this.#momentOf(0);
      const lots = this.#lots(path, 0, FIRST_TRADE);
      return { nth: 0, from: day.reference, beganAt: calendar.gathersAt(this.#floor.session), struckAt, price: day.open, lots };
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
    const floor = this.#floor;
    const who = floor.market.walkers[row];
    const path = floor.path(row);
    const position = this.#position(now);
    if (!who || !path || this.#lotShares(row) === 0 || position.session !== floor.session) return null;
    const { fixedAt } = floor.market.calendar;
    const luck: Luck = (nth, step) => who.temper.key.draw(PURPOSE.call, floor.session, nth, step);
    const fixed = fixedAt(floor.session);
    if (fixed !== null && now >= fixed && position.minute > 0) {
      return atOnePrice(who.kind, path.day.close, Math.ceil(path.day.volume / 400), luck(AFTER_HOURS, 0));
    }
    const gathering = this.#gathering(path, position);
    return gathering && this.#made(row, who.kind, path, gathering, luck, now);
  }

  /** A call's book at a moment: it wanders from where it came from to what it strikes, and grows. */
  #made(row: number, kind: Kind, path: Path, { nth, from, beganAt, struckAt, price, lots }: Gathering, luck: Luck, now: number): CallBook {
    const { trialMs } = VENUE_RULES[this.#floor.market.calendar.hours];
    const limits = this.#limits(row);
    const anchor = from;
    if (now >= struckAt) return gather({ kind, price, lots, anchor, limits, key: luck(nth, 0) });
    const step = Math.max(0, Math.floor((now - beganAt) / trialMs));
    const done = Math.min(1, (step * trialMs) / (struckAt - beganAt));
    const push = luck(nth, 1 + step);
    const way = from + (price - from) * done + 0.3 * path.day.deviation * path.day.reference * bell(push) * (1 - done);
    const trial = toTick(kind, Math.round(way));
    return gather({
      kind,
      price: limits ? Math.min(limits.up, Math.max(limits.down, trial)) : trial,
      lots: Math.max(1, Math.round(lots * (0.1 + 0.9 * done) * (0.9 + 0.2 * unit(push)))),
      anchor,
      limits,
      key: push,
    });
  }

  #limits(row: number): CallBook["limits"] {
    const { up, down } = this.#floor.limits(row);
    return up === NO_LIMITS.up ? null : { up, down };
  }

  /** The odd-lot market's call of a row: shares around what the board last traded at. */
  oddBook(row: number, now: number): CallBook | null {
    const floor = this.#floor;
    const who = floor.market.walkers[row];
    const { phase, session } = this.#position(now);
    if (!who || !floor.path(row) || this.#lotShares(row) < 2 || session !== floor.session) return null;
    const { calendar } = floor.market;
    // The last call is struck when the market has just closed.
    if (phase === "preOpen" || (phase !== "open" && now - calendar.closesAt(session) >= VENUE_RULES[calendar.hours].oddLot.everyMs))
      return null;
    const price = floor.last[row] || toTick(who.kind, floor.reference[row] ?? 0);
    const key = who.temper.key.draw(PURPOSE.oddCall, session, this.oddRound(now));
    const lots = Math.round((30 + 14 * Math.sqrt(who.temper.baseLots)) * (0.3 + 1.4 * unit(key)));
    return gather({ kind: who.kind, price, lots, anchor: price, limits: this.#limits(row), key });
  }

  /** How many calls of odd lots the session has had, less one: -1 before the first. */
  oddRound(now: number): number {
    const { calendar } = this.#floor.market;
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
