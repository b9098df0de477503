/** Generates the market day by day: each instrument's price through the sessions, and the bar of every session. */
import type { Kind } from "#contract/instrument.ts";
import { dayLimits, toTick } from "#contract/tick.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import { moveOf } from "./component.ts";
import { shareGrowth, remainingFraction } from "./corporate-actions.ts";
import type { ExEvent } from "./corporate-actions.ts";
import { clockOf } from "./day-clock.ts";
import { logAt, mirrored, shapeOf } from "./day-shape.ts";
import type { DayShape, Moves } from "./day-shape.ts";
import { lateOpening } from "./delayed-open.ts";
import type { LateOpening } from "./delayed-open.ts";
import type { Earlier } from "./earlier-factor.ts";
import type { Factor } from "./factor-model.ts";
import type { PriceParameters } from "./price-parameters.ts";
import { UNWATCHED } from "./watch-list.ts";
import type { Watch } from "./watch-list.ts";

/** One session of one instrument; prices in price units on their ticks, within the day's limits. */
export interface Day {
  session: number;
  /** The basis of limits and changes: the close before, or on an ex-date the unrounded reference price computed from it. */
  reference: number;
  /** The close before in shares of this session: the reference plus the cash dividend. */
  previous: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** How many of the anchor day's shares one share of the session corresponds to. */
  shares: number;
  /** Lots. */
  volume: number;
  /** The day's standard deviation of log returns. */
  deviation: number;
  up: number;
  down: number;
  /** The price without limits that the session starts from, unrounded; what moves it from there. */
  base: number;
  moves: Moves;
  /** Set where a gap comes late in the trials of the opening call. */
  opening: LateOpening | null;
  /** Whether the exchange watches it; under disposition it is traded by calls alone. */
  watch: Watch;
}

export const MIN_LOTS = 20;

/** The starting point of a session. */
export type Start = Pick<Day, "reference" | "previous" | "shares">;

/** Everything the daily process needs to know of one instrument. */
export interface InstrumentModel {
  kind: Kind;
  /** The daily price limit in per cent; null for none. */
  limitPercent: number | null;
  /** Its first session; it does not trade before. */
  listed: number;
  /** Sessions from the first one on that have no price limits. */
  freeSessions: number;
  /** The first session in which it does not trade any more; null for what has no end. */
  ends: number | null;
  /** A new issue begins before its first session at this close; null for what has a price on the anchor day. */
  debut: number | null;
  /** Its ex-events, oldest first. */
  events: readonly ExEvent[];
  anchor: number;
  parameters: PriceParameters;
  market: Factor;
  calendar: Calendar;
  /** Whether it can come on the exchange's watch list. */
  watchable: boolean;
  /** What its first sessions were drawn from, in a market that had other rules of prices; null for one that had not. */
  earlier: Earlier | null;
}

/** Whether a session is one of the first after listing, which have no price limits. */
export const isFree = ({ listed, freeSessions }: Pick<InstrumentModel, "listed" | "freeSessions">, session: number): boolean =>
  listed > 0 && session < listed + freeSessions;

/** Whether an instrument trades in a session. */
export const isTradedIn = ({ listed, ends }: Pick<InstrumentModel, "listed" | "ends">, session: number): boolean =>
  session >= listed && (ends === null || session < ends);

/** How much more a new issue varies on its first day; it calms down within weeks. */
const DEBUT_VARIANCE = 3;
const CALMING = 0.97;

/** How many times the usual variance a new issue has in a session. */
export const debutVariance =
  (listed: number) =>
  (session: number): number =>
    1 + (DEBUT_VARIANCE - 1) * CALMING ** Math.max(0, session - listed);

/** The session a process begins in. */
export const firstOf = ({ listed, debut }: Pick<InstrumentModel, "listed" | "debut">): number => (debut === null ? 0 : listed - 1);

/**
 * How much of its distance from the anchor price a price loses overnight where 144 sessions are a day: within weeks it would be at a
 * thousandth or the thousandfold otherwise. Twenty sessions give back two hundredths of it, less than a trade costs.
 */
const COMPRESSED_PULL = 0.001;

/** Added over a day, so that following a factor more or less than once moves the price by nothing on average (Itô). */
function itoCorrection({ parameters: { beta, gamma, group }, market }: InstrumentModel, session: number): number {
  return -((beta * beta - beta) * market.variance(session) + (gamma * gamma - gamma) * group.variance(session)) / 2;
}

/** What moves the price of an instrument in a session. */
function movesOf(model: InstrumentModel, session: number): Moves {
  const { parameters, market } = model;
  const { beta, gamma, group } = parameters;
  const own = parameters.own.day(session);
  const variance = own.deviation ** 2 + beta * beta * market.variance(session) + gamma * gamma * group.variance(session);
  return { own, market, beta, group, gamma, variance, drift: itoCorrection(model, session) };
}

/** How many of the anchor day's shares one share is after the ex-events up to a session. */
function sharesAt({ events, calendar }: Pick<InstrumentModel, "events" | "calendar">, session: number): number {
  let shares = 1;
  for (const event of events) {
    if (event.session > session && event.session <= calendar.anchor) shares /= shareGrowth(event);
    if (event.session <= session && event.session > calendar.anchor) shares *= shareGrowth(event);
  }
  return shares;
}

/** Rounds a change of a level to a binary fraction, so that sums are the same from wherever they begin. */
const exact = (change: number): number => Math.round(change * 2 ** 40) / 2 ** 40;

/**
 * The price of one instrument without limits, session after session. `level` is the logarithm of the session's last price over the
 * anchor price; on the anchor day it is zero.
 */
export class DailyProcess {
  readonly #model: InstrumentModel;
  #level: number;
  session: number;
  /** The ex-event of the session. */
  event: ExEvent | null = null;
  /** How many of the anchor day's shares one share of the session corresponds to. */
  shares: number;
  /** The level that the session started from. */
  #before = 0;
  #nextEvent = 0;

  constructor(model: InstrumentModel, session: number, level: number) {
    this.#model = model;
    this.session = session;
    this.#level = level;
    this.shares = sharesAt(model, session);
  }

  /** A process that goes on from a session's close. */
  static after(model: InstrumentModel, session: number, close: number): DailyProcess {
    return new DailyProcess(model, session, exact(Math.log(close / (model.debut ?? model.anchor))));
  }

  /** A process advanced to a session. */
  static to(model: InstrumentModel, session: number): DailyProcess {
    const { anchor } = model.calendar;
    if (model.debut === null && session < anchor) {
      const ahead = new DailyProcess(model, session, 0);
      while (ahead.session < anchor) ahead.step();
      return new DailyProcess(model, session, -ahead.#level);
    }
    const process = new DailyProcess(model, model.debut === null ? anchor : firstOf(model), 0);
    while (process.session < session) process.step();
    return process;
  }

  /** The price on the anchor day. */
  get #origin(): number {
    return this.#model.debut ?? this.#model.anchor;
  }

  /** What the level changes by between two sessions: the past rose, what is to come has no trend. */
  #overnight(): number {
    const { calendar, debut, parameters } = this.#model;
    if (this.session <= calendar.anchor && debut === null) return parameters.trend + parameters.deviation ** 2 / 2;
    return calendar.hours === "compressed" ? -COMPRESSED_PULL * this.#level : 0;
  }

  /** Advances by one session. */
  step(): void {
    const { parameters, market } = this.#model;
    this.session += 1;
    const { session } = this;
    this.#level += exact(this.#overnight());
    this.event = this.#eventIn(session);
    if (this.event) {
      this.#level += exact(Math.log(remainingFraction(this.event)));
      this.shares = sharesAt(this.#model, session);
    }
    this.#before = this.#level;
    const { own, beta, gamma, group } = parameters;
    const move = moveOf(own.day(session)) + beta * market.move(session) + gamma * group.move(session);
    this.#level += exact(move + itoCorrection(this.#model, session));
  }

  /** The ex-event of a session after those asked for before. */
  #eventIn(session: number): ExEvent | null {
    const { events } = this.#model;
    while ((events[this.#nextEvent]?.session ?? Infinity) < session) this.#nextEvent += 1;
    const event = events[this.#nextEvent];
    return event?.session === session ? event : null;
  }

  /** The price that the session starts from, without limits. */
  get base(): number {
    return this.#origin * Math.exp(this.#before);
  }

  /** What moves the session's price. */
  get moves(): Moves {
    return movesOf(this.#model, this.session);
  }

  /** The session's close: the price as far as its limits let it, on its tick. */
  close(limits: Limits): number {
    return tradable(this.#model.kind, limits, this.#origin * Math.exp(this.#level));
  }
}

type Limits = Pick<Day, "up" | "down">;
export const UNLIMITED: Limits = { up: Number.MAX_SAFE_INTEGER, down: 1 };

/** The limits of a session, which there are none of on the first days of a new listing. */
export function limitsIn(model: InstrumentModel, session: number, reference: number): Limits {
  return (isFree(model, session) ? null : dayLimits(model, reference)) ?? UNLIMITED;
}

/** A price as it trades: on its tick and within the session's limits. What lies beyond them is left for the next session. */
function tradable(kind: Kind, { up, down }: Limits, price: number): number {
  return Math.min(up, Math.max(down, toTick(kind, Math.round(price))));
}

/** How much more than usual is traded in a session: more for a while, in wild times, on days of large moves. */
function activity({ parameters }: InstrumentModel, { own: { session, regime } }: Moves, move: number): number {
  const { key, volumes } = parameters;
  const drawn = normal(key.draw(PURPOSE.bar, session, 4));
  // The last number makes a day's volume the usual one on average.
  return 0.9 * Math.log(volumes.at(session)) + 0.35 * Math.log(regime) + 6 * Math.abs(move) + 0.39 * drawn + 0.12;
}

/** The bar of a session from its starting point and its close. */
export function barOf(
  model: InstrumentModel,
  { session, base, moves, volume }: Pick<Day, "session" | "base" | "moves" | "volume">,
  { reference, previous, shares }: Start,
  close: number,
  limits: Limits,
  watch: Watch = UNWATCHED,
): Day {
  const shape = shapeOf(moves, model.parameters.key, clockOf(model.calendar));
  const open = tradable(model.kind, limits, base * Math.exp(shape.at[0] ?? 0));
  const high = Math.max(close, tradable(model.kind, limits, base * Math.exp(shape.high)));
  const low = Math.min(close, tradable(model.kind, limits, base * Math.exp(shape.low)));
  const { up, down } = limits;
  const deviation = Math.sqrt(moves.variance);
  const range = { reference, previous, shares, open, high, low, close };
  const day = { session, ...range, volume, deviation, up, down, base, moves, opening: null, watch };
  const hasOnTime = watch.everyMinutes > 0 || (model.earlier && session < model.earlier.until);
  return hasOnTime ? day : withOpening(model, day, shape);
}

/** The day with its opening: one that is put off is at the price of the moment it takes place. */
function withOpening(model: InstrumentModel, day: Day, shape: DayShape): Day {
  const { kind, calendar, parameters } = model;
  const { session, reference, open, deviation, up, down, base, moves } = day;
  const limits = up === UNLIMITED.up ? null : { up, down };
  const course = { kind, from: reference, to: open, deviation: deviation * reference, limits };
  const opening = lateOpening({ ...course, key: parameters.key, calendar, session });
  if (!opening) return day;
  if (opening.minute === 0) return { ...day, opening };
  const value = logAt(moves, parameters.key, clockOf(calendar), shape, 0, opening.minute);
  return { ...day, opening, open: tradable(kind, day, base * Math.exp(mirrored(shape, value))) };
}

/** The bar of a process's session. */
export function dayOf(model: InstrumentModel, daily: DailyProcess, start: Start, close: number, limits: Limits, watch: Watch): Day {
  const { session, base, moves } = daily;
  const average = model.parameters.baseLots * model.calendar.exchangeDays * start.shares;
  const volume = Math.max(MIN_LOTS, Math.round(average * Math.exp(activity(model, moves, Math.log(close / start.reference)))));
  return barOf(model, { session, base, moves, volume }, start, close, limits, watch);
}
