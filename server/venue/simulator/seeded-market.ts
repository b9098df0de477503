/** The market of one seed: its instruments, and every day and minute it ever had or will have, generated on demand. */
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

/** Sessions the process runs before a session so that its reference is right (a locked close needs the close before it). */
const LEAD_SESSIONS = 3;

export interface SeededMarket {
  /** The key of random draws that belong to no single instrument. */
  readonly key: Key;
  readonly referenceData: ReferenceData;
  readonly calendar: Calendar;
  /** By row; null for an index, which has no process of its own. */
  readonly models: readonly (InstrumentModel | null)[];
  /** The factor of the whole market. */
  readonly factor: Factor;
  /** What all instruments of a session share; the last few are cached. */
  sessionProfile(session: number): SessionProfile;
}

/** Reads the days of one instrument's daily process, session after session. */
export class DailyProcessReader {
  readonly #model: InstrumentModel;
  readonly #process: DailyProcess;
  #close: number;

  /** The first day `next` returns is that of session `from`. */
  constructor(model: InstrumentModel, from: number) {
    this.#model = model;
    const start = Math.max(0, from - LEAD_SESSIONS);
    this.#process = DailyProcess.to(model, start);
    this.#close = this.#process.close(0);
    while (this.#process.session < from - 1) this.#advance();
  }

  /** Advances by one session. @returns the session's starting point */
  #advance(): Start {
    const before = this.#close;
    this.#process.step();
    const { event, shares } = this.#process;
    if (!event) {
      this.#close = this.#process.close(before);
      return { reference: before, previous: before, shares };
    }
    const { cash, reference } = termsOf(event, this.#model.kind, before);
    this.#close = this.#process.close(reference);
    return { reference, previous: (reference * before) / (before - cash), shares };
  }

  /** Advances past a session; returns only where it started and closed. */
  skip(): Start & { close: number } {
    const start = this.#advance();
    return { ...start, close: this.#close };
  }

  /** The bar of the next session. */
  next(): Day {
    const start = this.#advance();
    return dayOf(this.#model, this.#process, start, this.#close);
  }
}

/** Builds the market of a seed, of all instruments or those with the given codes; cheap, since its history is generated on demand. */
export function marketOf(seed: Seed, hours: Hours, codes?: readonly string[]): SeededMarket {
  const referenceData = listReferenceData(codes);
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
  const profiles = new Map<number, SessionProfile>();
  return {
    key,
    referenceData,
    calendar,
    models,
    factor: market,
    sessionProfile(session) {
      const cached = profiles.get(session);
      if (cached) return cached;
      const profile = sessionProfileOf(key, session, calendar, market.deviation(session));
      profiles.set(session, profile);
      const oldest = profiles.keys().next().value;
      if (profiles.size > 16 && oldest !== undefined) profiles.delete(oldest);
      return profile;
    },
  };
}
