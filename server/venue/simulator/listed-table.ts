/** The table that the venue shows: its instruments and categories, which grow with every new issue that is announced. */
import type { Category, Instrument } from "#contract/instrument.ts";
import type { Issue, OfferingCrowd } from "#server/venue/issue.ts";
import { mix } from "#server/venue/seeded-random.ts";
import type { SeededMarket } from "./seeded-market.ts";
import { tradingEligibility, watchedAs } from "./trading-eligibility.ts";
import type { Watch } from "./watch-list.ts";

export class ListedTable {
  /** These arrays grow in place: statistics and rankings read them. */
  readonly instruments: Instrument[];
  readonly categories: Category[];
  readonly byCode: Map<string, Instrument>;
  readonly issues: Issue[] = [];
  readonly #market: SeededMarket;
  /** The watched instruments as they are otherwise. */
  readonly #unwatched = new Map<number, Instrument>();
  /** Tells the watch lists of sessions apart. */
  #watchKey = 0;
  /** The instruments of issues that are not announced yet follow these. */
  readonly #firstIssue: number;
  /** The newest session; -1 before the first. */
  #session = -1;

  constructor(market: SeededMarket) {
    const { referenceData, issues, key, calendar } = market;
    const { listings } = referenceData;
    this.#market = market;
    this.#firstIssue = listings.length - (issues?.rows ?? 0);
    this.instruments = listings.slice(0, this.#firstIssue).map(({ instrument }) => tradingEligibility(instrument, key, calendar));
    this.categories = referenceData.categories.map((category) => ({ ...category, count: this.#count(category) }));
    this.byCode = new Map(this.instruments.map((instrument) => [String(instrument.code), instrument]));
  }

  #count({ board, code }: Category): number {
    return this.instruments.filter((one) => one.board === board && one.category === code).length;
  }

  /** Appends the issues announced by a session. @returns what is new since the last call */
  advance(session: number): { announced: Issue[]; listed: Issue[] } {
    const { issues, models, referenceData } = this.#market;
    const shown = issues?.shown(session) ?? 0;
    const announced: Issue[] = [];
    while (this.issues.length < shown) {
      const nth = this.issues.length;
      const issue = issues?.issue(nth);
      const instrument = referenceData.listings[this.#firstIssue + nth]?.instrument;
      if (!issue || !instrument) break;
      this.issues.push(issue);
      this.instruments.push(instrument);
      this.byCode.set(instrument.code, instrument);
      announced.push(issue);
    }
    if (announced.length > 0) this.#recount(announced);
    const before = this.#session;
    this.#session = Math.max(before, session);
    const listed = this.issues.filter(({ row }) => {
      const first = models[row]?.listed ?? 0;
      return first > before && first <= session;
    });
    return { announced, listed: before < 0 ? [] : listed };
  }

  /** Puts the watch list of a session into the table. */
  watch(watchOf: (row: number) => Watch): void {
    for (const [row, instrument] of this.#unwatched) this.#set(row, instrument);
    this.#unwatched.clear();
    this.#watchKey = 0;
    for (const instrument of this.instruments) {
      const { row } = instrument;
      const watch = watchOf(row);
      if (watch.level === "none") continue;
      this.#unwatched.set(row, instrument);
      this.#set(row, watchedAs(instrument, watch, this.#market.calendar));
      this.#watchKey = mix(mix(this.#watchKey, row), watch.until);
    }
  }

  #set(row: number, instrument: Instrument): void {
    this.instruments[row] = instrument;
    this.byCode.set(instrument.code, instrument);
  }

  #recount(announced: readonly Issue[]): void {
    this.categories.forEach((category, place) => {
      const added = announced.filter((one) => one.board === category.board && one.category === category.code).length;
      if (added > 0) this.categories[place] = { ...category, count: category.count + added };
    });
  }

  /** The end of the table's id: its first number grows with every issue, the second one changes with the watch list. */
  get suffix(): string {
    return `+${this.#market.issues ? this.issues.length : 0}+${this.#watchKey >>> 0}`;
  }

  issue(code: string): Issue | null {
    return this.issues[this.#nth(code)] ?? null;
  }

  crowd(code: string): OfferingCrowd | null {
    const nth = this.#nth(code);
    return nth < 0 ? null : (this.#market.issues?.crowd(nth) ?? null);
  }

  /** The place of a code among the issues; -1 for any other. */
  #nth(code: string): number {
    const row = this.byCode.get(code)?.row ?? -1;
    return row < this.#firstIssue ? -1 : row - this.#firstIssue;
  }
}
