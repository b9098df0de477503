/** The market of one seed: its instruments, and every day and minute it ever had or will have, generated on demand. */
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { DailyProcess, UNLIMITED, dayOf, debutVariance, firstOf, limitsIn } from "./daily-process.ts";
import type { Day, Start, InstrumentModel } from "./daily-process.ts";
import { EarlierReader, earlierOf } from "./earlier-process.ts";
import { exEventsOf, termsOf } from "./corporate-actions.ts";
import { clockOf } from "./day-clock.ts";
import { factorsOf } from "./factor-model.ts";
import type { Factor } from "./factor-model.ts";
import { Key } from "#server/venue/keyed-random.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import { sessionProfileOf } from "./session-profile.ts";
import type { SessionProfile } from "./session-profile.ts";
import { calledDay } from "./called-day.ts";
import { UNWATCHED, WATCH_SESSIONS, WIDELY_HELD, WatchRecord } from "./watch-list.ts";
import type { Watch } from "./watch-list.ts";
import { IssueTable } from "./issue-table.ts";
import type { Debut, IssueRange } from "./issue-table.ts";
import { priceParametersOf } from "./price-parameters.ts";
import { FREE_DAYS } from "#server/venue/calendar/session-rules.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import { arrange, listReferenceData } from "#server/venue/reference-data/listings.ts";
import type { ReferenceData } from "#server/venue/reference-data/listings.ts";

/** Sessions a reader runs before its first one so that its reference is right: a locked close depends on the close before it. */
const LEAD_SESSIONS = 12;
/** Calm sessions up to the anchor day, on which every price is a known one: none of them locks. */
const CALM_SESSIONS = 16;

export interface SeededMarket {
  /** The key of random draws that belong to no single instrument. */
  readonly key: Key;
  /** Its listings include issues that are not announced yet. */
  readonly referenceData: ReferenceData;
  /** The new issues; null for a market without any. */
  readonly issues: IssueTable | null;
  readonly calendar: Calendar;
  /** By row; null for an index, which has no process of its own. */
  readonly models: readonly (InstrumentModel | null)[];
  /** The factor of the whole market. */
  readonly factor: Factor;
  /** What all instruments of a session share; the last few are cached. */
  sessionProfile(session: number): SessionProfile;
}

/** A process advanced to a session, which goes on from the last close by earlier rules if there were any. */
export function processAt(model: InstrumentModel, session: number): DailyProcess {
  if (!model.earlier) return DailyProcess.to(model, session);
  const last = model.earlier.until - 1;
  const process = DailyProcess.after(model, last, new EarlierReader(model, model.earlier, last).skip().close);
  while (process.session < session) process.step();
  return process;
}

/** Reads the days of one instrument, session after session. */
export class DailyProcessReader {
  readonly #model: InstrumentModel;
  /** What reads the sessions by earlier rules; null once they are over. */
  #earlier: EarlierReader | null = null;
  #process: DailyProcess | null = null;
  #close = 0;
  #limits = UNLIMITED;
  /** The watch list as it followed from the sessions so far; null for what never comes on it. */
  readonly #watch: WatchRecord | null;

  /** The first day `next` returns is that of session `from`. */
  constructor(model: InstrumentModel, from: number) {
    this.#model = model;
    this.#watch = model.watchable ? new WatchRecord(model.calendar) : null;
    const until = model.earlier?.until ?? 0;
    if (model.earlier && from < until) {
      this.#earlier = new EarlierReader(model, model.earlier, from);
      return;
    }
    const process = processAt(model, Math.max(firstOf(model), until - 1, from - (this.#watch ? WATCH_SESSIONS : LEAD_SESSIONS)));
    this.#process = process;
    this.#close = process.close(UNLIMITED);
    while (process.session < from - 1) this.#advance(process);
  }

  /** The process by the present rules; null as long as earlier ones hold. */
  #current(): DailyProcess | null {
    const { earlier } = this.#model;
    if (!this.#process && earlier && !this.#earlier?.more) {
      this.#process = DailyProcess.after(this.#model, earlier.until - 1, this.#close);
      this.#earlier = null;
    }
    return this.#process;
  }

  /** Advances by one session. @returns the session's starting point */
  #advance(process: DailyProcess): Start {
    const before = this.#close;
    process.step();
    const { event, shares } = process;
    const { cash, reference } = event ? termsOf(event, this.#model.kind, before) : { cash: 0, reference: before };
    this.#limits = limitsIn(this.#model, process.session, reference);
    this.#close = process.close(this.#limits);
    this.#watch?.add(process.session, this.#limits === UNLIMITED ? null : Math.log(this.#close / reference));
    return { reference, previous: event ? (reference * before) / (before - cash) : before, shares };
  }

  /** What the exchange watches the instrument as in the next session. */
  get watchNext(): Watch {
    return this.#watch?.next() ?? UNWATCHED;
  }

  /** Advances past a session; returns only where it started and closed. */
  skip(): Start & { close: number } {
    const process = this.#current();
    if (process) return { ...this.#advance(process), close: this.#close };
    const start = this.#earlierReader().skip();
    this.#close = start.close;
    return start;
  }

  /** The bar of the next session. */
  next(): Day {
    const process = this.#current();
    if (process) {
      const watch = this.watchNext;
      const day = dayOf(this.#model, process, this.#advance(process), this.#close, this.#limits, watch);
      return watch.everyMinutes > 0 ? calledDay(this.#model, day) : day;
    }
    const day = this.#earlierReader().next();
    this.#close = day.close;
    return day;
  }

  #earlierReader(): EarlierReader {
    if (!this.#earlier) throw new Error("the reader has no process");
    return this.#earlier;
  }
}

/** Adds the issues that have rows to the reference data, and the categories that only they have. */
function withIssues({ listings, categories }: ReferenceData, debuts: readonly Debut[]): ReferenceData {
  const own = debuts.map(({ listing }) => listing);
  const known = new Set(categories.map(({ board, code }) => `${board} ${code}`));
  const added = arrange(own).categories.filter(({ board, code }) => !known.has(`${board} ${code}`));
  return { listings: [...listings, ...own], categories: [...categories, ...added] };
}

/**
 * Builds the market of a seed, of all instruments or those with the given codes, and the new issues of a range of numbers; cheap,
 * since its history is generated on demand. `changedAt`: when it was given its present rules of prices; they hold from the next session on.
 */
export function marketOf(
  seed: Seed,
  hours: Hours,
  codes?: readonly string[],
  range: IssueRange | null = null,
  changedAt: number | null = null,
): SeededMarket {
  const listed = listReferenceData(codes);
  const calendar = calendarOf(hours);
  const issues = range && new IssueTable(seed, calendar, range, listed.listings.length);
  const debuts = issues?.debuts() ?? [];
  const referenceData = withIssues(listed, debuts);
  const key = Key.of(seed, "market");
  const calm = [calendar.anchor - CALM_SESSIONS, calendar.anchor] as const;
  const factor = factorsOf(seed, clockOf(calendar), calm);
  const market: Factor = factor("market");
  const since = changedAt === null ? null : Math.max(calendar.anchor, calendar.at(changedAt).session) + 1;
  const earlier = since === null ? null : earlierOf(seed, calendar.sessionsPerYear, since);
  const models = referenceData.listings.map((listing): InstrumentModel | null => {
    if (listing.basket) return null;
    const { kind, limitPercent, listedDay, row, issuedThousands } = listing.instrument;
    const debut = debuts[row - (referenceData.listings.length - debuts.length)];
    const variance = debut && debutVariance(debut.listed);
    const parameters = priceParametersOf(listing, seed, { sessionsPerYear: calendar.sessionsPerYear, calm, factor }, variance);
    const ends = debut?.ends ?? null;
    const events = exEventsOf(listing, parameters.key, calendar).filter(({ session }) => ends === null || session < ends);
    const isOlder = since !== null && (debut?.listed ?? 0) < since;
    const known = {
      kind,
      limitPercent,
      events,
      anchor: listing.anchor,
      market,
      calendar,
      parameters,
      ends,
      watchable: kind === "stock" && issuedThousands < WIDELY_HELD,
      earlier: isOlder ? (earlier?.(listing, debut !== undefined) ?? null) : null,
    };
    if (debut) return { ...known, listed: debut.listed, freeSessions: debut.freeSessions, debut: debut.fair };
    const listed = listedDay > 0 ? calendar.sessionOn(listedDay) : 0;
    return { ...known, listed, freeSessions: FREE_DAYS, debut: null };
  });
  const profiles = new Map<number, SessionProfile>();
  return {
    key,
    referenceData,
    issues,
    calendar,
    models,
    factor: market,
    sessionProfile(session) {
      const cached = profiles.get(session);
      if (cached) return cached;
      const profile = sessionProfileOf(key, session, calendar);
      profiles.set(session, profile);
      const oldest = profiles.keys().next().value;
      if (profiles.size > 16 && oldest !== undefined) profiles.delete(oldest);
      return profile;
    },
  };
}
