/** The market of one seed: who trades in it, and every day and every minute it ever had or will have, made on demand. */
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { DailyProcess, dayOf } from "./daily-process.ts";
import type { Day, Start, InstrumentModel } from "./daily-process.ts";
import { exEventsOf, termsOf } from "./corporate-actions.ts";
import { factorsOf } from "./factor-model.ts";
import type { Factor } from "./factor-model.ts";
import { Key } from "#server/venue/keyed-random.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import { sessionProfileOf } from "./session-profile.ts";
import type { SessionProfile } from "./session-profile.ts";
import { priceParametersOf } from "./price-parameters.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import { listReferenceData } from "#server/venue/reference-data/listings.ts";
import type { ReferenceData } from "#server/venue/reference-data/listings.ts";

/** Sessions walked before a session so that its reference is right (a locked close needs the close before it). */
const LEAD = 3;

export interface Market {
  /** What everything is drawn from that is no single instrument's. */
  readonly key: Key;
  readonly referenceData: ReferenceData;
  readonly calendar: Calendar;
  /** By row; null for an index, which has no walk of its own. */
  readonly models: readonly (InstrumentModel | null)[];
  /** The move of the whole market. */
  readonly factor: Factor;
  /** What a session's instruments share; the last few are kept. */
  shape(session: number): SessionProfile;
}

/** Walks one instrument through consecutive sessions, day after day. */
export class DailyProcessReader {
  readonly #who: InstrumentModel;
  readonly #walk: DailyProcess;
  #close: number;

  /** The first day `next` gives is that of session `from`. */
  constructor(who: InstrumentModel, from: number) {
    this.#who = who;
    const start = Math.max(0, from - LEAD);
    this.#walk = DailyProcess.to(who, start);
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
  const referenceData = listReferenceData();
  const calendar = calendarOf(hours);
  const key = Key.of(seed, "market");
  const factor = factorsOf(seed);
  const market: Factor = factor("market");
  const models = referenceData.listings.map((listing): InstrumentModel | null => {
    if (listing.basket) return null;
    const { kind, limitPercent, listedDay } = listing.instrument;
    const parameters = priceParametersOf(listing, seed, calendar.sessionsPerYear, factor);
    const listed = listedDay > 0 ? calendar.sessionOn(listedDay) : 0;
    const events = exEventsOf(listing, parameters.key, calendar);
    return { kind, limitPercent, listed, events, anchor: listing.anchor, parameters, market, calendar };
  });
  const shapes = new Map<number, SessionProfile>();
  return {
    key,
    referenceData,
    calendar,
    models,
    factor: market,
    shape(session) {
      const kept = shapes.get(session);
      if (kept) return kept;
      const made = sessionProfileOf(key, session, calendar, market.deviation(session));
      shapes.set(session, made);
      const oldest = shapes.keys().next().value;
      if (shapes.size > 16 && oldest !== undefined) shapes.delete(oldest);
      return made;
    },
  };
}
