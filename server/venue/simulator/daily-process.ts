/** Generates the market day by day: each instrument's daily process through the sessions, and the bar of every session. */
import type { Kind } from "#contract/instrument.ts";
import { dayLimits, toTick } from "#contract/tick.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { shareGrowth, remainingFraction } from "./corporate-actions.ts";
import type { ExEvent } from "./corporate-actions.ts";
import { draw, nextVariance } from "./factor-model.ts";
import type { Factor } from "./factor-model.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { PriceParameters } from "./price-parameters.ts";

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
}

/** A move beyond this fraction of the limit either locks the day at the limit or is cut; leaves room for every later rounding. */
const MAX_MOVE = 0.65;
const MAX_FREE_MOVE = 0.25;
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
  /** A new issue begins before its first session at this close, without a trend; null for what has a price on the anchor day. */
  debut: number | null;
  /** Its ex-events, oldest first. */
  events: readonly ExEvent[];
  anchor: number;
  parameters: PriceParameters;
  market: Factor;
  calendar: Calendar;
}

/** Whether a session is one of the first after listing, which have no price limits. */
const isFree = ({ listed, freeSessions }: Pick<InstrumentModel, "listed" | "freeSessions">, session: number): boolean =>
  listed > 0 && session < listed + freeSessions;

/** How much wider a new issue moves on its first days; it calms down within weeks. */
const DEBUT_VARIANCE = 3;

/** The session a process begins in. */
export const firstOf = ({ listed, debut }: Pick<InstrumentModel, "listed" | "debut">): number => (debut === null ? 0 : listed - 1);

/** How many of the anchor day's shares one share was before all ex-events until then. */
function firstShares({ events, calendar }: Pick<InstrumentModel, "events" | "calendar">): number {
  return events.reduce((shares, event) => (event.session > calendar.anchor ? shares : shares / shareGrowth(event)), 1);
}

/**
 * The daily price process of one instrument. It starts in session 0 (a new issue: the one before its listing) and advances one
 * session at a time; `level` is the logarithm of the close, up to a constant that puts the close of the anchor day at the anchor
 * price.
 */
export class DailyProcess {
  readonly #model: InstrumentModel;
  #anchorLevel = 0;
  #level = 0;
  #own = 0;
  #variance: number;
  #locked = 0;
  #eventsPassed = 0;
  session = 0;
  /** The ex-event of the session. */
  event: ExEvent | null = null;
  /** How many of the anchor day's shares one share of the session corresponds to. */
  shares: number;

  constructor(model: InstrumentModel) {
    this.#model = model;
    this.#variance = model.parameters.variance * (model.debut === null ? 1 : DEBUT_VARIANCE);
    this.session = firstOf(model);
    this.shares = firstShares(model);
  }

  /** A process advanced to a session, with its constant known. */
  static to(model: InstrumentModel, session: number): DailyProcess {
    const daily = new DailyProcess(model);
    const { anchor } = model.calendar;
    if (model.debut !== null) {
      while (daily.session < session) daily.step();
      return daily;
    }
    if (session < anchor) {
      const ahead = new DailyProcess(model);
      while (ahead.session < anchor) ahead.step();
      daily.#anchorLevel = ahead.#level;
      while (daily.session < session) daily.step();
      return daily;
    }
    while (daily.session < anchor) daily.step();
    daily.#anchorLevel = daily.#level;
    while (daily.session < session) daily.step();
    return daily;
  }

  /** Advances by one session. */
  step(): void {
    const { parameters, market, calendar, limitPercent, debut } = this.#model;
    this.session += 1;
    const { session } = this;
    // The drift that gives back what volatility adds to the mean: holding a new issue neither gains nor loses on average.
    const trend = debut === null ? parameters.trend : -(this.deviation() ** 2) / 2;
    const shock = Math.sqrt(this.#variance) * draw(parameters.key.draw(PURPOSE.shock, session));
    const own = shock - parameters.pull * this.#own;
    this.#own += own;
    this.#variance = nextVariance(this.#variance, shock, parameters.variance);
    let move = trend + parameters.beta * market.move(session) + parameters.gamma * parameters.group.move(session) + own;
    const limit = isFree(this.#model, session) ? null : limitPercent && limitPercent / 100;
    const maxMove = limit === null ? MAX_FREE_MOVE : MAX_MOVE * limit;
    const mayLock = limit !== null && this.#locked === 0 && session !== calendar.anchor;
    this.#locked = 0;
    if (move > maxMove) {
      if (mayLock) this.#locked = 1;
      move = mayLock ? Math.log(1 + limit) : maxMove;
    } else if (move < -maxMove) {
      if (mayLock) this.#locked = -1;
      move = mayLock ? Math.log(1 - limit) : -maxMove;
    }
    this.#level += move;
    const event = this.#model.events[this.#eventsPassed];
    this.event = event?.session === session ? event : null;
    if (!this.event) return;
    this.#eventsPassed += 1;
    this.#level += Math.log(remainingFraction(this.event));
    this.shares *= shareGrowth(this.event);
  }

  /**
   * The session's close. On a day that locks it is the limit price; there are never two such days in a row, so that a close depends
   * on no more than the one before it.
   */
  close(reference: number): number {
    const { kind, anchor, debut } = this.#model;
    if (this.#locked !== 0 && reference > 0) {
      const limits = dayLimits(this.#model, reference);
      if (limits) return this.#locked > 0 ? limits.up : limits.down;
    }
    return toTick(kind, Math.round((debut ?? anchor) * Math.exp(this.#level - this.#anchorLevel)));
  }

  /** The standard deviation of the session's moves from all factors. */
  deviation(): number {
    const { parameters, market } = this.#model;
    const common = parameters.beta * market.deviation(this.session);
    const group = parameters.gamma * parameters.group.deviation(this.session);
    return Math.sqrt(this.#variance + common * common + group * group);
  }
}

/** The bar of a session from its starting point and its close: open, range and volume are drawn. */
export function dayOf(model: InstrumentModel, daily: DailyProcess, { reference, previous, shares }: Start, close: number): Day {
  const { kind, parameters, calendar } = model;
  const { session } = daily;
  const deviation = daily.deviation();
  const drawn = (nth: number): number => normal(parameters.key.draw(PURPOSE.bar, session, nth));
  const limits = isFree(model, session) ? null : dayLimits(model, reference);
  const up = limits?.up ?? Number.MAX_SAFE_INTEGER;
  const down = limits?.down ?? 1;
  const within = (price: number): number => Math.min(up, Math.max(down, toTick(kind, Math.round(price))));
  const move = Math.log(close / reference);
  // A market around the clock hardly gaps at midnight; an exchange opens on the night's news.
  const gap = calendar.hours === "always" ? 0.1 * deviation * drawn(1) : 0.4 * move + 0.3 * deviation * drawn(1);
  const open = within(reference * Math.exp(gap));
  const excess = (nth: number): number => deviation * 0.6 * Math.abs(drawn(nth));
  const high = Math.max(open, close, within(Math.max(open, close) * Math.exp(excess(2))));
  const low = Math.min(open, close, within(Math.min(open, close) * Math.exp(-excess(3))));
  const activity = Math.min(1.6, Math.abs(move) * 16) + Math.min(0.8, (deviation / Math.sqrt(parameters.variance + 1e-9) - 1) * 0.2);
  const average = parameters.baseLots * calendar.exchangeDays * shares;
  const volume = Math.max(MIN_LOTS, Math.round(average * Math.exp(0.42 * drawn(4) + activity - 0.35)));
  return { session, reference, previous, shares, open, high, low, close, volume, deviation, up, down };
}
