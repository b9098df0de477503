/** The market of one seed: who trades in it, and every day and every minute it ever had or will have, made on demand. */
import { calendarOf } from "./calendar.ts";
import type { Calendar } from "./calendar.ts";
import { Walk, dayOf } from "./day.ts";
import type { Day, Start, Walker } from "./day.ts";
import { exEventsOf, termsOf } from "./ex-event.ts";
import { factorsOf } from "./factor.ts";
import type { Factor } from "./factor.ts";
import { Key } from "./keyed-random.ts";
import type { Seed } from "./keyed-random.ts";
import { shapeOf } from "./shape.ts";
import type { Shape } from "./shape.ts";
import { temperOf } from "./temper.ts";
import type { Hours } from "./timetable.ts";
import { listUniverse } from "./universe.ts";
import type { Universe } from "./universe.ts";

/** Sessions walked before a session so that its reference is right (a locked close needs the close before it). */
const LEAD = 3;

export interface Market {
  /** What everything is drawn from that is no single instrument's. */
  readonly key: Key;
  readonly universe: Universe;
  readonly calendar: Calendar;
  /** By row; null for an index, which has no walk of its own. */
  readonly walkers: readonly (Walker | null)[];
  /** The move of the whole market. */
  readonly factor: Factor;
  /** What a session's instruments share; the last few are kept. */
  shape(session: number): Shape;
}

/** Walks one instrument through consecutive sessions, day after day. */
export class Diary {
  readonly #who: Walker;
  readonly #walk: Walk;
  #close: number;

  /** The first day `next` gives is that of session `from`. */
  constructor(who: Walker, from: number) {
    this.#who = who;
    const start = Math.max(0, from - LEAD);
    this.#walk = Walk.to(who, start);
    this.#close = this.#walk.close(0);
    while (this.#walk.session < from - 1) this.#advance();
  }

  /** Go one session on. @returns where it starts from */
  #advance(): Start {
    const before = this.#close;
    this.#walk.step();
    const { event, shares } = this.#walk;
    if (!event) {
      this.#close = this.#walk.close(before);
      return { reference: before, previous: before, shares };
    }
    const { cash, reference } = termsOf(event, this.#who.kind, before);
    this.#close = this.#walk.close(reference);
    return { reference, previous: (reference * before) / (before - cash), shares };
  }

  /** Go past a session, with no more than where it started and ended. */
  skip(): Start & { close: number } {
    const start = this.#advance();
    return { ...start, close: this.#close };
  }

  /** The bar of the next session. */
  next(): Day {
    const start = this.#advance();
    return dayOf(this.#who, this.#walk, start, this.#close);
  }
}

/** Make the market of a seed; quick, since nothing of its history is made yet. */
export function marketOf(seed: Seed, hours: Hours): Market {
  const universe = listUniverse();
  const calendar = calendarOf(hours);
  const key = Key.of(seed, "market");
  const factor = factorsOf(seed);
  const market: Factor = factor("market");
  const walkers = universe.listings.map((listing): Walker | null => {
    if (listing.basket) return null;
    const { kind, limitPercent, listedDay } = listing.instrument;
    const temper = temperOf(listing, seed, calendar.sessionsPerYear, factor);
    const listed = listedDay > 0 ? calendar.sessionOn(listedDay) : 0;
    const events = exEventsOf(listing, temper.key, calendar);
    return { kind, limitPercent, listed, events, anchor: listing.anchor, temper, market, calendar };
  });
  const shapes = new Map<number, Shape>();
  return {
    key,
    universe,
    calendar,
    walkers,
    factor: market,
    shape(session) {
      const kept = shapes.get(session);
      if (kept) return kept;
      const made = shapeOf(key, session, calendar, market.deviation(session));
      shapes.set(session, made);
      const oldest = shapes.keys().next().value;
      if (shapes.size > 16 && oldest !== undefined) shapes.delete(oldest);
      return made;
    },
  };
}
