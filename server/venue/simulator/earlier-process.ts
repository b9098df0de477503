/**
 * The days of a market before it was given the present rules of prices: members traded and were charged at its closes, so they stay as
 * they were. Nothing here is for days to come.
 */
import { dayLimits, toTick } from "#contract/tick.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import type { Listing } from "#server/venue/reference-data/listings.ts";
import { mix, normal, textKey, unit } from "#server/venue/seeded-random.ts";
import { GAP_PART } from "./component.ts";
import { remainingFraction, shareGrowth, termsOf } from "./corporate-actions.ts";
import type { ExEvent } from "./corporate-actions.ts";
import { MIN_LOTS, barOf, firstOf, isFree, limitsIn } from "./daily-process.ts";
import type { Day, InstrumentModel, Start } from "./daily-process.ts";
import { EarlierFactor, draw, nextVariance } from "./earlier-factor.ts";
import type { Earlier } from "./earlier-factor.ts";
import { STYLES } from "./price-parameters.ts";

/** How fast levels of instruments revert to their means. */
const PULL = 0.008;
/** A move beyond this fraction of the limit either locks the day at the limit or is cut. */
const MAX_MOVE = 0.65;
const MAX_FREE_MOVE = 0.25;
const DEBUT_VARIANCE = 3;
/** Sessions run before the first one so that its reference is right: there are never two locked closes in a row. */
const LEAD_SESSIONS = 3;

/** Returns what the days of instruments were drawn from before a session; factors are created once. */
export function earlierOf(seed: Seed, sessionsPerYear: number, until: number): (listing: Listing, isIssue: boolean) => Earlier {
  const factors = new Map<string, EarlierFactor>();
  const factor = (name: string): EarlierFactor => {
    const found = factors.get(name) ?? new EarlierFactor(seed, name);
    factors.set(name, found);
    return found;
  };
  return (listing, isIssue) => {
    const { code, kind, category, fictitious, issuedThousands } = listing.instrument;
    const codeKey = textKey(code);
    const style = STYLES[listing.style];
    const spread = (nth: number): number => unit(mix(codeKey, nth)) - 0.5;
    const stock = listing.style === "s" && kind === "stock";
    const sizeFactor = stock ? Math.max(0.65, Math.min(1.5, 2.1 - Math.log10(Math.max(1e4, issuedThousands)) * 0.22)) : 1;
    const own = (listing.volatility > 0 ? listing.volatility / 10_000 : style.own) * sizeFactor * (stock ? 1 + 0.5 * spread(1) : 1);
    return {
      until,
      market: factor("market"),
      group: factor(style.group ?? category),
      beta: style.beta * (stock ? 1 + 0.6 * spread(2) : 1),
      gamma: listing.volatility === 1 ? 0 : style.gamma * (stock ? 1 + 0.5 * spread(3) : 1),
      variance: own * own,
      trend: (style.growth + (stock ? (fictitious ? 0.1 : 0.12) * spread(4) : 0)) / sessionsPerYear,
      pull: isIssue ? 0 : PULL,
    };
  };
}

/** Where an instrument is after a session. */
interface State {
  session: number;
  level: number;
  own: number;
  variance: number;
  /** Whether it closed at its upper limit (1), its lower one (-1) or neither. */
  locked: number;
  shares: number;
  event: ExEvent | null;
}

/** Reads the earlier days of one instrument, session after session. */
export class EarlierReader {
  readonly #model: InstrumentModel;
  readonly #earlier: Earlier;
  readonly #origin: number;
  #state: State;
  #anchorLevel = 0;
  #close: number;

  constructor(model: InstrumentModel, earlier: Earlier, from: number) {
    this.#model = model;
    this.#earlier = earlier;
    this.#origin = model.debut ?? model.anchor;
    if (model.debut === null) {
      this.#state = this.#first();
      while (this.#state.session < model.calendar.anchor) this.#step();
      this.#anchorLevel = this.#state.level;
    }
    this.#state = this.#first();
    const start = Math.max(firstOf(model), from - LEAD_SESSIONS);
    while (this.#state.session < start) this.#step();
    this.#close = this.#closeOf(0);
    while (this.#state.session < from - 1) this.skip();
  }

  #first(): State {
    const { events, calendar, debut } = this.#model;
    const shares = events.reduce((all, event) => (event.session > calendar.anchor ? all : all / shareGrowth(event)), 1);
    const variance = this.#earlier.variance * (debut === null ? 1 : DEBUT_VARIANCE);
    return { session: firstOf(this.#model), level: 0, own: 0, variance, locked: 0, shares, event: null };
  }

  #deviation(): number {
    const { market, group, beta, gamma } = this.#earlier;
    const { session, variance } = this.#state;
    return Math.sqrt(variance + (beta * market.deviation(session)) ** 2 + (gamma * group.deviation(session)) ** 2);
  }

  #step(): void {
    const { parameters, calendar, limitPercent, debut, events } = this.#model;
    const { market, group, beta, gamma, pull, trend, variance } = this.#earlier;
    const state = this.#state;
    state.session += 1;
    const { session } = state;
    const drift = debut === null ? trend : -(this.#deviation() ** 2) / 2;
    const shock = Math.sqrt(state.variance) * draw(parameters.key.draw(PURPOSE.shock, session));
    const own = shock - pull * state.own;
    state.own += own;
    state.variance = nextVariance(state.variance, shock, variance);
    const move = drift + beta * market.move(session) + gamma * group.move(session) + own;
    const limit = isFree(this.#model, session) ? null : limitPercent && limitPercent / 100;
    const most = limit === null ? MAX_FREE_MOVE : MAX_MOVE * limit;
    const mayLock = limit !== null && state.locked === 0 && session !== calendar.anchor;
    state.locked = mayLock && Math.abs(move) > most ? Math.sign(move) : 0;
    state.level += state.locked === 0 ? Math.min(most, Math.max(-most, move)) : Math.log(1 + state.locked * (limit ?? 0));
    state.event = events.find((event) => event.session === session) ?? null;
    if (!state.event) return;
    state.level += Math.log(remainingFraction(state.event));
    state.shares *= shareGrowth(state.event);
  }

  #closeOf(reference: number): number {
    const { kind } = this.#model;
    const { locked, level } = this.#state;
    const limits = locked !== 0 && reference > 0 ? dayLimits(this.#model, reference) : null;
    if (limits) return locked > 0 ? limits.up : limits.down;
    return toTick(kind, Math.round(this.#origin * Math.exp(level - this.#anchorLevel)));
  }

  /** Whether the next session is one of the earlier ones. */
  get more(): boolean {
    return this.#state.session + 1 < this.#earlier.until;
  }

  /** Advances past a session; returns only where it started and closed. */
  skip(): Start & { close: number } {
    const before = this.#close;
    this.#step();
    const { event, shares } = this.#state;
    const terms = event && termsOf(event, this.#model.kind, before);
    const reference = terms?.reference ?? before;
    this.#close = this.#closeOf(reference);
    return { reference, previous: terms ? (reference * before) / (before - terms.cash) : before, shares, close: this.#close };
  }

  /** The bar of the next session: its close is what it was, and the way there is drawn by the present rules. */
  next(): Day {
    const { parameters, calendar, market } = this.#model;
    const { close, ...start } = this.skip();
    const { session } = this.#state;
    const drawn = (nth: number): number => normal(parameters.key.draw(PURPOSE.bar, session, nth));
    const deviation = this.#deviation();
    const move = Math.log(close / start.reference);
    const gap = GAP_PART * move + Math.sqrt(GAP_PART * (1 - GAP_PART)) * deviation * drawn(1);
    const own = { session, deviation, regime: 1, gap, rest: move - gap, jump: 0, jumpAt: Infinity, drift: 0 };
    const moves = { own, market, beta: 0, group: parameters.group, gamma: 0, variance: deviation ** 2, drift: 0 };
    const activity = Math.min(1.6, Math.abs(move) * 16) + Math.min(0.8, (deviation / Math.sqrt(this.#earlier.variance + 1e-9) - 1) * 0.2);
    const average = parameters.baseLots * calendar.exchangeDays * start.shares;
    const volume = Math.max(MIN_LOTS, Math.round(average * Math.exp(0.42 * drawn(4) + activity - 0.35)));
    return barOf(
      this.#model,
      { session, base: start.reference, moves, volume },
      start,
      close,
      limitsIn(this.#model, session, start.reference),
    );
  }
}
