/** Call auctions of the simulated market: how a row matches at a moment, and the book of its current or latest auction. */
import type { Kind } from "#contract/instrument.ts";
import { atOnePrice, auctionOrders, trialMatch } from "./auction-order-flow.ts";
import type { TrialMatch } from "./auction-order-flow.ts";
import type { CallBook, JoinedOrders } from "#server/venue/matching/call-auction.ts";
import type { Position } from "#server/venue/calendar/trading-calendar.ts";
import type { MarketState } from "./market-state.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { unit } from "#server/venue/seeded-random.ts";
import { OddLotAuctions } from "./odd-lot-auctions.ts";
import { lateCloseAt } from "./delayed-close.ts";
import type { LateClosing } from "./delayed-close.ts";
import { trialPrice } from "./delayed-open.ts";
import type { LateGap, Leap } from "./delayed-open.ts";
import type { Path } from "./intraday-path.ts";
import type { PeriodicCalls } from "./periodic-calls.ts";
import { firstLots } from "./trade-times.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import { matchingIn } from "#server/venue/calendar/session-phase.ts";
import type { OwnCalls } from "#server/venue/calendar/past-calls.ts";
import type { LateClose, Matching } from "#server/venue/venue.ts";
import { NO_LIMITS } from "#server/venue/market-data/market-columns.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";

/** The first trade's share of the lots of a busy minute, which has six trades. */
const FIRST_TRADE = 1 / 6;
/** What stands at each price of a call of a day of calls: at least so many lots, such a part of the day's, and what costs a million. */
const FEW_LOTS = 10;
const STANDING_PART = 1 / 20;
const STANDING_VALUE = 1_000_000 * PRICE_ONE;

/** From this many lots on an auction is not thin. */
const NOT_THIN_LOTS = 50;

/** One call auction of a row: its price, lots and times. */
interface Auction {
  /** Identifies the auction within its session. */
  nth: number;
  from: number;
  /** The price that decides between several that trade as much, where it is not `from`. */
  anchor?: number;
  /** Where its trial prices go before the call is put off; the auction price for any other. */
  trial?: number;
  late?: LateGap | null;
  leap?: Leap | null;
  /** When its first orders came in, where it has those of a call that was put off. */
  cameFrom?: number;
  /** When the first orders came in, and when the auction takes place. */
  opensAt: number;
  matchesAt: number;
  /** The auction price and the lots that execute at it. */
  price: number;
  lots: number;
}

/** The random number of an auction (`nth`) at each trial match (`step`); none of them predicts the next. */
type Draw = (nth: number, step: number) => number;
/** Identifies the after-hours auction; other auctions use the minute they take place in. */
const AFTER_HOURS = -1;

/** The number of trial matches since an auction began to collect orders. */
const trialStep = (opensAt: number, now: number, trialMs: number): number => Math.max(0, Math.floor((now - opensAt) / trialMs));

/** The trial match of a row at one step of an auction. */
interface CachedTrial {
  session: number;
  nth: number;
  step: number;
  match: TrialMatch;
}

export class AuctionBook {
  readonly oddLots: OddLotAuctions;
  readonly #state: MarketState;
  readonly #lotShares: (row: number) => number;
  readonly #close: (row: number) => number;
  /** By row: a trial match costs far more than a quote, and stays the same for all viewers until the next step. */
  readonly #trials: CachedTrial[] = [];
  /** The same with members' orders. */
  readonly #publicTrials: CachedTrial[] = [];
  /** Members' orders in the call of a row; null where there are none. */
  joined: (row: number) => JoinedOrders | null = () => null;

  /** `lotShares`: shares per lot of a row; 0 for what cannot be traded. `close`: its official close once the session is over. */
  constructor(state: MarketState, lotShares: (row: number) => number, close: (row: number) => number) {
    this.#state = state;
    this.#close = close;
    this.#lotShares = lotShares;
    this.oddLots = new OddLotAuctions(state, lotShares);
  }

  #position(now: number): Position {
    return this.#state.market.calendar.at(now);
  }

  /** How the board matches a row. */
  matching(row: number, now: number): Matching {
    const { session, minute, phase } = this.#position(now);
    const path = this.#state.path(row);
    if (!path || this.#lotShares(row) === 0) return "none";
    if (phase === "open" && session === this.#state.session && (path.calls || path.haltAt(minute))) return "call";
    if (this.lateClose(row, now)) return "call";
    return matchingIn(phase);
  }

  /** Whether a row waits for a call of its own while others trade, or when they have closed. */
  isHalted(row: number, now: number): boolean {
    const { phase } = this.#position(now);
    return this.matching(row, now) === "call" && (phase === "open" || this.lateClose(row, now) !== null);
  }

  /** Set while the closing call of a row is put off: when orders are taken again, and when it is held. */
  lateClose(row: number, now: number): LateClose | null {
    const { market, session } = this.#state;
    const { calendar } = market;
    const closesAt = calendar.closesAt(session);
    if (now < closesAt || !this.#state.path(row)?.closing || this.#lotShares(row) === 0) return null;
    const heldAt = lateCloseAt(calendar, session);
    const { closeResumeMinutes } = VENUE_RULES[calendar.hours].stability;
    return now < heldAt ? { takesFrom: closesAt + closeResumeMinutes * calendar.minuteMs, heldAt } : null;
  }

  /** When a row that is not traded continuously now has its next call: its halt ends, its close is put off, or it is a day of calls; null for any other. */
  pausedUntil(row: number, now: number): number | null {
    const late = this.lateClose(row, now);
    if (late) return late.heldAt;
    const { session, minute, phase } = this.#position(now);
    const path = phase === "open" && session === this.#state.session ? this.#state.path(row) : null;
    if (path?.calls) return this.#momentOf(path.calls.after(minute) ?? this.#state.market.calendar.minutes);
    const halt = path?.haltAt(minute);
    return halt ? this.#momentOf(halt.until) : null;
  }

  /** How long it is from one call of a row to the next in a session with its watch list; null where it is not traded by calls. */
  callsEvery(row: number, session: number): number | null {
    const { paths, market } = this.#state;
    return paths.watch(row, session).everyMinutes * market.calendar.minuteMs || null;
  }

  /** Whether what is awaited is the opening call of a row, which is put off. */
  isDelayedOpen(row: number, now: number): boolean {
    const { session, minute } = this.#position(now);
    const path = session === this.#state.session ? this.#state.path(row) : null;
    return path !== null && minute >= 0 && minute < path.opensIn;
  }

  /** The rows whose calls of the session are not those of all. */
  ownCalls(): OwnCalls {
    const state = this.#state;
    const periodic = new Map<number, number[]>();
    for (const row of state.rowsWhere(({ calls }) => calls !== null)) {
      const { calls } = state.path(row) ?? {};
      for (const minute of calls?.minutes ?? []) if (calls?.isBetween(minute)) periodic.set(minute, [...(periodic.get(minute) ?? []), row]);
    }
    const closingLate = state.rowsWhere(({ closing }) => closing !== null);
    return { delayed: state.rowsWhere(({ opensIn }) => opensIn > 0), closingLate, periodic };
  }

  #momentOf(minute: number): number {
    const { calendar } = this.#state.market;
    return calendar.opensAt(this.#state.session) + minute * calendar.minuteMs;
  }

  /** Roughly the lots a minute's auction executes; in thin instruments still enough that a member's order is not all of it. */
  #lots(path: Path, minute: number, part: number): number {
    const minimum = Math.min(NOT_THIN_LOTS, Math.ceil(path.day.volume / 50));
    return Math.max(minimum, Math.floor((path.lots(minute + 1) - path.lots(minute)) * part));
  }

  /** The auction of a day of calls that is held now, or the next; null after the last. `isHeld`: it is held in this very update. */
  #periodicOf(path: Path, calls: PeriodicCalls, minute: number, isHeld: boolean): Auction | null {
    const { day } = path;
    const latest = calls.latest(minute);
    const nth = isHeld ? latest : Math.min(latest + 1, calls.count);
    const at = calls.minutes[nth];
    if (at === undefined) return null;
    const before = calls.minutes[nth - 1];
    const from = before === undefined ? day.reference : path.mark(before + 1);
    const opensAt = this.#momentOf(before ?? at - day.watch.everyMinutes);
    const lots = path.lots(at + 1) - path.lots(at);
    return { nth: at, from, opensAt, matchesAt: this.#momentOf(at), price: path.mark(at + 1), lots };
  }

  /** The current auction of a row, or its latest; null where there is none. */
  #auctionOf(row: number, path: Path, { minute, phase }: Position): Auction | null {
    const { calendar } = this.#state.market;
    const { minutes, continuous } = calendar;
    const hasAuctions = continuous < minutes;
    const { day, calls } = path;
    const isHeld = this.#state.events.called.has(row);
    const isOpening = hasAuctions && isHeld && calls?.latest(minute) === 0;
    if (calls && minute >= 0 && !isOpening) return this.#periodicOf(path, calls, minute, isHeld || (hasAuctions && minute >= minutes - 1));
    if (phase === "preOpen" || (phase === "open" && hasAuctions && !path.latestHalt(minute))) {
      const matchesAt = this.#momentOf(0);
      const lots = this.#lots(path, 0, calls ? 1 : FIRST_TRADE);
      const { trial = day.open, late = null } = day.opening ?? {};
      const opensAt = calendar.acceptsOrdersAt(this.#state.session);
      return { nth: 0, from: day.reference, opensAt, matchesAt, price: day.open, lots, trial, late };
    }
    if (phase === "open") {
      const halt = path.latestHalt(minute);
      if (!halt) return null;
      const lots = this.#lots(path, halt.until, FIRST_TRADE);
      const { from, until, price } = halt;
      const halted = { nth: until, opensAt: this.#momentOf(from), matchesAt: this.#momentOf(until), price, lots };
      if (from > 0) return { ...halted, from: path.mark(from) };
      const cameFrom = calendar.acceptsOrdersAt(this.#state.session);
      return { ...halted, from: day.opening?.trial ?? price, anchor: day.reference, cameFrom };
    }
    if (!hasAuctions) return null;
    const lots = this.#lots(path, minutes - 1, 1);
    const from = path.mark(continuous);
    const onTime = {
      nth: minutes,
      from,
      opensAt: this.#momentOf(continuous),
      matchesAt: this.#momentOf(minutes - 1),
      price: day.close,
      lots,
    };
    return path.closing ? this.#lateAuction(onTime, path.closing, phase) : onTime;
  }

  /** A closing call that is put off, before it is due and after. */
  #lateAuction(onTime: Auction, { leap, trial, minute }: LateClosing, phase: Position["phase"]): Auction {
    if (phase === "closingAuction") return { ...onTime, leap };
    const { from, opensAt, matchesAt } = onTime;
    return { ...onTime, nth: minute, from: trial, anchor: from, cameFrom: opensAt, opensAt: matchesAt, matchesAt: this.#momentOf(minute) };
  }

  /** The book of a row's board auction, with the orders so far. */
  book(row: number, now: number): CallBook | null {
    const state = this.#state;
    const model = state.market.models[row];
    const path = state.path(row);
    const position = this.#position(now);
    if (!model || !path || this.#lotShares(row) === 0 || position.session !== state.session) return null;
    const { fixedAt } = state.market.calendar;
    const draw: Draw = (nth, step) => model.parameters.key.draw(PURPOSE.call, state.session, nth, step);
    const fixed = fixedAt(state.session);
    if (fixed !== null && now >= fixed && position.minute > 0) {
      const lots = Math.ceil(path.day.volume / 400);
      const fair = path.day.close;
      const at = { price: this.#close(row) || fair, fair, day: this.#limits(row) };
      return { ...atOnePrice({ kind: model.kind, ...at, lots, key: draw(AFTER_HOURS, 0) }), came: { from: fixed, until: now } };
    }
    const auction = this.#auctionOf(row, path, position);
    return auction && this.#bookAt(row, model.kind, path, auction, draw, now);
  }

  /** An auction's book at a moment: its trial price moves from the previous price to the auction price, and its lots grow. */
  #bookAt(row: number, kind: Kind, path: Path, auction: Auction, draw: Draw, now: number): CallBook {
    const { nth, from, opensAt, matchesAt, price, lots, anchor = from, cameFrom, trial = price, late = null, leap } = auction;
    const { trialMs } = VENUE_RULES[this.#state.market.calendar.hours];
    const limits = this.#limits(row);
    const standing = this.#standing(row, path);
    // The anchor is the last price before the call: at the limit already, the queue waited there.
    const served = anchor === price ? "queued" : "drawn";
    const queueFor = path.calls ? Math.max(lots, path.day.volume - path.lots(nth)) : undefined;
    if (now >= matchesAt) {
      const { calendar } = this.#state.market;
      const minute = Math.min(calendar.minutes - 1, Math.round((matchesAt - calendar.opensAt(this.#state.session)) / calendar.minuteMs));
      const orders = auctionOrders({ kind, price, lots, anchor, limits, standing, served, queueFor, key: draw(nth, 0) });
      return { ...orders, came: { from: cameFrom ?? opensAt, until: matchesAt }, printed: firstLots(path, minute) };
    }
    const step = trialStep(opensAt, now, trialMs);
    const done = Math.min(1, (step * trialMs) / (matchesAt - opensAt));
    const bits = draw(nth, 1 + step);
    const deviation = path.day.deviation * path.day.reference;
    // What was there when the call was put off is there still.
    const come = cameFrom === undefined ? 0.1 + 0.9 * done : 1;
    return auctionOrders({
      kind,
      price: trialPrice({ kind, from, to: trial, deviation, limits, late, leap: leap ?? null }, step, done, bits),
      lots: Math.max(1, Math.round(lots * come * (0.9 + 0.2 * unit(bits)))),
      anchor,
      limits,
      standing,
      served,
      queueFor,
      key: bits,
    });
  }

  /**
   * What stands in a call at every price beyond its own. Where calls are all that trades, what waits between them comes to each: a few lots of a
   * member's own do not make its price.
   */
  #standing(row: number, { calls, day }: Path): number {
    if (!calls) return 0;
    return Math.max(FEW_LOTS, Math.ceil(day.volume * STANDING_PART), Math.ceil(STANDING_VALUE / (day.reference * this.#lotShares(row))));
  }

  #limits(row: number): CallBook["limits"] {
    const { up, down } = this.#state.limits(row);
    return up === NO_LIMITS.up ? null : { up, down };
  }

  /** The book during a call auction of a row as it is published, with members' orders; null while there is none. */
  publicTrial(row: number, now: number): TrialMatch | null {
    return this.matching(row, now) === "call" ? this.trialBook(row, now, this.joined(row)) : null;
  }

  /** The book during a call auction of a row, with further orders if there are any; null while there is none. */
  trialBook(row: number, now: number, joined: JoinedOrders | null = null): TrialMatch | null {
    const position = this.#position(now);
    const path = this.matching(row, now) === "call" ? this.#state.path(row) : null;
    const auction = path && this.#auctionOf(row, path, position);
    if (!auction) return null;
    const { session } = position;
    const { nth, opensAt, matchesAt } = auction;
    const step = now >= matchesAt ? Infinity : trialStep(opensAt, now, VENUE_RULES[this.#state.market.calendar.hours].trialMs);
    const trials = joined ? this.#publicTrials : this.#trials;
    const cached = trials[row];
    if (cached?.session === session && cached.nth === nth && cached.step === step) return cached.match;
    const book = this.book(row, now);
    if (!book) return null;
    const { bids, asks } = book;
    const match = trialMatch(joined ? { ...book, bids: [...bids, ...joined.bids], asks: [...asks, ...joined.asks] } : book);
    trials[row] = { session, nth, step, match };
    return match;
  }
}
