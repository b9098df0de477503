/** The new issues in a venue's table: which numbers have a row, their terms, and how many of them are announced at a moment. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import type { Issue, OfferingCrowd } from "#server/venue/issue.ts";
import { Key } from "#server/venue/keyed-random.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import { textKey } from "#server/venue/seeded-random.ts";
import type { Listing } from "#server/venue/reference-data/listings.ts";
import { endingSession, freeSessions, issueListing, issueOf, listedSession } from "./issue-listing.ts";
import { IssueSchedule } from "./issue-schedule.ts";
import { IssueTermsReader, numberOf } from "./issue-terms.ts";
import type { IssueTerms } from "./issue-terms.ts";
import { crowdOf } from "./offering-crowd.ts";

/** Rows are allocated for the issues of so many sessions after the start of the process. */
export const SESSIONS_AHEAD = 500;
/**
 * How many of the latest issues stay in the table, besides those that members hold. With a session every ten minutes they would fill
 * it; elsewhere all stay.
 */
const STAY: Readonly<Record<Hours, number>> = { always: Infinity, taiwan: Infinity, compressed: 144 };

/** The numbers that have rows, in row order: some old ones, then all from `from` up to, not including, `until`. */
export interface IssueRange {
  held: readonly number[];
  from: number;
  until: number;
}

/** The range of a process that starts in a session; `held`: codes that must stay. */
export function issueRange(calendar: Calendar, session: number, held: readonly string[]): IssueRange {
  const schedule = new IssueSchedule(calendar);
  const announced = schedule.count(session);
  const from = Math.max(0, announced - STAY[calendar.hours]);
  const numbers = held.map(numberOf).filter((number): number is number => number !== null && number < from);
  return { held: [...new Set(numbers)].toSorted((a, b) => a - b), from, until: schedule.count(session + SESSIONS_AHEAD) };
}

/** What the simulation needs of an issue besides its listing: its first session, and what it is worth then. */
export interface Debut {
  listing: Listing;
  listed: number;
  freeSessions: number;
  fair: number;
  /** The first session in which it does not trade any more; null for none. */
  ends: number | null;
}

export class IssueTable {
  readonly #schedule: IssueSchedule;
  readonly #calendar: Calendar;
  readonly #key: Key;
  readonly #firstRow: number;
  readonly #numbers: readonly number[];
  readonly #terms: readonly IssueTerms[];
  readonly #range: IssueRange;

  /** `firstRow`: the row after the last one of the market without new issues. */
  constructor(seed: Seed, calendar: Calendar, range: IssueRange, firstRow: number) {
    const { held, from, until } = range;
    this.#schedule = new IssueSchedule(calendar);
    this.#calendar = calendar;
    this.#key = Key.of(seed, "issues");
    this.#firstRow = firstRow;
    this.#range = range;
    this.#numbers = [...held, ...Array.from({ length: until - from }, (_, nth) => from + nth)];
    const reader = new IssueTermsReader(this.#key, this.#schedule);
    this.#terms = this.#numbers.map((number) => reader.read(number));
  }

  get rows(): number {
    return this.#terms.length;
  }

  /** Every issue that has a row, announced or not. */
  debuts(): Debut[] {
    return this.#terms.map((terms, nth) => ({
      listing: issueListing(terms, this.#firstRow + nth, this.#schedule, this.#calendar),
      listed: listedSession(terms, this.#schedule),
      freeSessions: freeSessions(terms),
      fair: terms.fair,
      ends: endingSession(terms, this.#schedule),
    }));
  }

  /** How many rows belong to issues announced by a session, its own included. */
  shown(session: number): number {
    const { held, from, until } = this.#range;
    return held.length + Math.max(0, Math.min(until, this.#schedule.count(session)) - from);
  }

  /** The sessions after one for which the table has rows. */
  sessionsLeft(session: number): number {
    return this.#schedule.announced(this.#range.until) - 1 - session;
  }

  /** The public facts of the `nth` issue in the table. */
  issue(nth: number): Issue | null {
    const terms = this.#terms[nth];
    return terms ? issueOf(terms, this.#firstRow + nth, this.#schedule) : null;
  }

  /** The crowd in the offering of the `nth` issue. */
  crowd(nth: number): OfferingCrowd | null {
    const terms = this.#terms[nth];
    return terms ? crowdOf(terms, this.#key) : null;
  }

  /** Identifies which issues the rows are; empty where none has left the table. */
  get layout(): string {
    const { held, from } = this.#range;
    return from === 0 ? "" : `.${(textKey([...held, from].join()) >>> 0).toString(36)}`;
  }
}
