/** The market day by day: each instrument's walk through the sessions, and the bar every session leaves behind. */
import type { Kind } from "#contract/instrument.ts";
import { dayLimits, toTick } from "#contract/tick.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { growthBy, leftBy } from "./corporate-actions.ts";
import type { ExEvent } from "./corporate-actions.ts";
import { draw, nextVariance } from "./factor-model.ts";
import type { Factor } from "./factor-model.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { PriceParameters } from "./price-parameters.ts";
import { FREE_DAYS } from "#server/venue/calendar/session-rules.ts";

/** One session of one instrument, prices in units on their ticks, within the day's limits. */
export interface Day {
  session: number;
  /** What limits and changes are measured from: the close before, or on an ex-date the unrounded price made from it. */
  reference: number;
  /** The close before in shares of this session: the reference with the cash that went out put back. */
  previous: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** How many of today's shares one share was. */
  shares: number;
  /** Lots. */
  volume: number;
  /** The day's deviation, of logarithms. */
  deviation: number;
  up: number;
  down: number;
}

/** Beyond this part of its limit a day either locks there or is cut; leaves room for every rounding on the way to it. */
const CUT = 0.65;
const CUT_FREE = 0.25;
export const LEAST_LOTS = 20;

/** Where a session starts from. */
export type Start = Pick<Day, "reference" | "previous" | "shares">;

/** Everything about one instrument that a walk needs. */
export interface InstrumentModel {
  kind: Kind;
  /** How far a day may go, per cent; null for no limit. */
  limitPercent: number | null;
  /** Its first session; before it nobody can trade it. */
  listed: number;
  /** Its ex-events, oldest first. */
  events: readonly ExEvent[];
  anchor: number;
  parameters: PriceParameters;
  market: Factor;
  calendar: Calendar;
}

/** Whether a session is one of a newcomer's first, which have no limits. */
const isFree = ({ listed }: Pick<InstrumentModel, "listed">, session: number): boolean => listed > 0 && session < listed + FREE_DAYS;

/** How many of today's shares one share was before all ex-events. */
function firstShares(events: readonly ExEvent[]): number {
  return events.reduce((shares, event) => shares / growthBy(event), 1);
}

/**
 * A walk through the sessions of one instrument. It starts in session 0 and goes one session at a time; `level` is the
 * logarithm of the close, up to a constant that puts the close of the anchor day on the anchor price.
 */
export class DailyProcess {
  readonly #who: InstrumentModel;
  #home = 0;
  #level = 0;
  #own = 0;
  #variance: number;
  #locked = 0;
  #passed = 0;
  session = 0;
  /** The ex-event of the session. */
  event: ExEvent | null = null;
  /** How many of today's shares one share of the session is. */
  shares: number;

  constructor(who: InstrumentModel) {
    this.#who = who;
    this.#variance = who.parameters.variance;
    this.shares = firstShares(who.events);
  }

  /** A walk that stands on a session, with its constant known. */
  static to(who: InstrumentModel, session: number): DailyProcess {
    const walk = new DailyProcess(who);
    const { anchor } = who.calendar;
    if (session < anchor) {
      const ahead = new DailyProcess(who);
      while (ahead.session < anchor) ahead.step();
      walk.#home = ahead.#level;
      while (walk.session < session) walk.step();
      return walk;
    }
    while (walk.session < anchor) walk.step();
    walk.#home = walk.#level;
    while (walk.session < session) walk.step();
    return walk;
  }

  /** Go one session on. */
  step(): void {
    const { parameters, market, calendar, limitPercent } = this.#who;
    this.session += 1;
    const { session } = this;
    const shock = Math.sqrt(this.#variance) * draw(parameters.key.draw(PURPOSE.shock, session));
    const own = shock - parameters.pull * this.#own;
    this.#own += own;
    this.#variance = nextVariance(this.#variance, shock, parameters.variance);
    let move = parameters.trend + parameters.beta * market.move(session) + parameters.gamma * parameters.group.move(session) + own;
    const limit = isFree(this.#who, session) ? null : limitPercent && limitPercent / 100;
    const cut = limit === null ? CUT_FREE : CUT * limit;
    const locks = limit !== null && this.#locked === 0 && session !== calendar.anchor;
    this.#locked = 0;
    if (move > cut) {
      if (locks) this.#locked = 1;
      move = locks ? Math.log(1 + limit) : cut;
    } else if (move < -cut) {
      if (locks) this.#locked = -1;
      move = locks ? Math.log(1 - limit) : -cut;
    }
    this.#level += move;
    const event = this.#who.events[this.#passed];
    this.event = event?.session === session ? event : null;
    if (!this.event) return;
    this.#passed += 1;
    this.#level += Math.log(leftBy(this.event));
    this.shares *= growthBy(this.event);
  }

  /**
   * The session's close. On a day that locks it is the limit of the reference; never two such days running, so that
   * a close never depends on more than the one before it.
   */
  close(reference: number): number {
    const { kind, anchor } = this.#who;
    if (this.#locked !== 0 && reference > 0) {
      const limits = dayLimits(this.#who, reference);
      if (limits) return this.#locked > 0 ? limits.up : limits.down;
    }
    return toTick(kind, Math.round(anchor * Math.exp(this.#level - this.#home)));
  }

  /** The deviation of the session's moves, from all that moves it. */
  deviation(): number {
    const { parameters, market } = this.#who;
    const common = parameters.beta * market.deviation(this.session);
    const group = parameters.gamma * parameters.group.deviation(this.session);
    return Math.sqrt(this.#variance + common * common + group * group);
  }
}

/** The bar of a session from where it starts and where the walk has gone: the open, the reach of the day and its volume, hashed. */
export function dayOf(who: InstrumentModel, walk: DailyProcess, { reference, previous, shares }: Start, close: number): Day {
  const { kind, parameters, calendar } = who;
  const { session } = walk;
  const deviation = walk.deviation();
  const drawn = (nth: number): number => normal(parameters.key.draw(PURPOSE.bar, session, nth));
  const limits = isFree(who, session) ? null : dayLimits(who, reference);
  const up = limits?.up ?? Number.MAX_SAFE_INTEGER;
  const down = limits?.down ?? 1;
  const within = (price: number): number => Math.min(up, Math.max(down, toTick(kind, Math.round(price))));
  const move = Math.log(close / reference);
  // A market that never closes hardly jumps at midnight; one that sleeps wakes to the night's news.
  const gap = calendar.hours === "always" ? 0.1 * deviation * drawn(1) : 0.4 * move + 0.3 * deviation * drawn(1);
  const open = within(reference * Math.exp(gap));
  const reach = (nth: number): number => deviation * 0.6 * Math.abs(drawn(nth));
  const high = Math.max(open, close, within(Math.max(open, close) * Math.exp(reach(2))));
  const low = Math.min(open, close, within(Math.min(open, close) * Math.exp(-reach(3))));
  const excitement = Math.min(1.6, Math.abs(move) * 16) + Math.min(0.8, (deviation / Math.sqrt(parameters.variance + 1e-9) - 1) * 0.2);
  const ordinary = parameters.baseLots * calendar.exchangeDays * shares;
  const volume = Math.max(LEAST_LOTS, Math.round(ordinary * Math.exp(0.42 * drawn(4) + excitement - 0.35)));
  return { session, reference, previous, shares, open, high, low, close, volume, deviation, up, down };
}
