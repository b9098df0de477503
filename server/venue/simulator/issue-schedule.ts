/** The schedule of new issues: which number is announced in which session, and the moments of its phases; it never ends. */
import { DAY_MS, epochMs } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { ANCHOR_DAY } from "#server/venue/calendar/trading-calendar.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";
import type { IssueKind, IssuePhases } from "#server/venue/issue.ts";

/** A moment of an issue: sessions after its announcement, and the place in that session. */
type Moment = readonly [sessions: number, at: "start" | "open" | "close"];

interface PhaseRules {
  opens: Moment;
  closes: Moment;
  drawn: Moment | null;
  payable: Moment;
  allotted: Moment;
  /** Sessions from the announcement to the first session of trading. */
  listing: number;
}

/** Bidding takes three sessions, and the bids are opened in the second one after them. */
interface AuctionPhaseRules extends PhaseRules {
  bidding: { opens: Moment; closes: Moment; opened: Moment };
}

interface IssueRules {
  lottery: PhaseRules;
  auctioned: AuctionPhaseRules;
  fund: PhaseRules;
  placement: PhaseRules;
  /** The issues of a few sessions, over and over: the session of each, and whether it is a plain lottery. */
  cycle: { sessions: number; issues: readonly { session: number; lottery: boolean }[] };
  /** The fewest and the most sessions in which a fund with a term trades, and how many of the last ones its holders know of. */
  term: { least: number; most: number; notice: number };
}

/** About two weeks. Lotteries begin in every second session, and each of their phases lasts at least two. */
const DAYS: IssueRules = {
  lottery: { opens: [3, "open"], closes: [5, "close"], drawn: [8, "open"], payable: [9, "close"], allotted: [10, "start"], listing: 11 },
  auctioned: {
    bidding: { opens: [1, "open"], closes: [3, "close"], opened: [5, "open"] },
    opens: [6, "open"],
    closes: [8, "close"],
    drawn: [10, "open"],
    payable: [11, "close"],
    allotted: [12, "start"],
    listing: 13,
  },
  fund: { opens: [2, "open"], closes: [6, "close"], drawn: null, payable: [6, "close"], allotted: [8, "start"], listing: 10 },
  placement: { opens: [3, "open"], closes: [4, "close"], drawn: [6, "open"], payable: [7, "close"], allotted: [8, "start"], listing: 9 },
  cycle: {
    sessions: 2,
    issues: [
      { session: 0, lottery: true },
      { session: 1, lottery: false },
    ],
  },
  term: { least: 20, most: 60, notice: 5 },
};

/** About an hour: lotteries begin in every session. */
const MINUTES: IssueRules = {
  lottery: { opens: [1, "open"], closes: [2, "close"], drawn: [4, "open"], payable: [4, "close"], allotted: [5, "start"], listing: 6 },
  auctioned: {
    bidding: { opens: [0, "open"], closes: [2, "close"], opened: [4, "open"] },
    opens: [5, "open"],
    closes: [5, "close"],
    drawn: [6, "open"],
    payable: [6, "close"],
    allotted: [7, "start"],
    listing: 8,
  },
  fund: { opens: [1, "open"], closes: [3, "close"], drawn: null, payable: [3, "close"], allotted: [5, "start"], listing: 6 },
  placement: { opens: [1, "open"], closes: [2, "close"], drawn: [3, "open"], payable: [3, "close"], allotted: [4, "start"], listing: 5 },
  cycle: {
    sessions: 2,
    issues: [
      { session: 0, lottery: true },
      { session: 0, lottery: false },
      { session: 1, lottery: true },
    ],
  },
  term: { least: 6, most: 18, notice: 2 },
};

const ISSUE_RULES: Readonly<Record<Hours, IssueRules>> = { always: DAYS, taiwan: DAYS, compressed: MINUTES };

/** The way an issue is sold. */
export type Sale = keyof Omit<IssueRules, "cycle" | "term">;

/** The first announcements: the day after the anchor day, from which on all hours have sessions of their own. */
const FIRST_DAY = ANCHOR_DAY + 1;

/** The first day on which funds with a term are announced. Those from before were announced without one, and members hold them. */
const FIRST_TERMS_DAY = Date.UTC(2026, 10, 30) / DAY_MS;

const SALE_OF_KIND: Readonly<Record<IssueKind, Sale>> = { share: "lottery", bond: "lottery", fund: "fund", placement: "placement" };

/** How an issue of a kind is sold. */
export const saleOf = (kind: IssueKind, auctioned: boolean): Sale => (auctioned ? "auctioned" : SALE_OF_KIND[kind]);

export class IssueSchedule {
  readonly #calendar: Calendar;
  readonly #rules: IssueRules;
  readonly #first: number;

  constructor(calendar: Calendar) {
    this.#calendar = calendar;
    this.#rules = ISSUE_RULES[calendar.hours];
    // The last session before the first day is known in all hours; the next one is the first of it.
    this.#first = calendar.sessionOn(FIRST_DAY - 1) + 1;
  }

  /** The session in which an issue is announced. */
  announced(number: number): number {
    const { sessions, issues } = this.#rules.cycle;
    const place = issues[number % issues.length];
    return this.#first + Math.floor(number / issues.length) * sessions + (place?.session ?? 0);
  }

  /** How many issues have been announced by a session, its own included. */
  count(session: number): number {
    if (session < this.#first) return 0;
    const { sessions, issues } = this.#rules.cycle;
    const since = session - this.#first;
    const whole = Math.floor(since / sessions);
    return whole * issues.length + issues.filter((one) => one.session <= since - whole * sessions).length;
  }

  /** Whether an issue is a plain lottery, and the count of its sort before it. */
  place(number: number): { lottery: boolean; nth: number } {
    const { issues } = this.#rules.cycle;
    const at = number % issues.length;
    const lottery = issues[at]?.lottery ?? true;
    const same = issues.filter((one) => one.lottery === lottery).length;
    return {
      lottery,
      nth: Math.floor(number / issues.length) * same + issues.slice(0, at).filter((one) => one.lottery === lottery).length,
    };
  }

  /** How long funds with a term trade, in sessions. */
  get term(): { least: number; most: number } {
    return this.#rules.term;
  }

  /** Whether a fund of this number may have a term. */
  hasTerms(number: number): boolean {
    return this.#calendar.dayOf(this.announced(number)) >= FIRST_TERMS_DAY;
  }

  /** The end of a fund that trades in the sessions before `ends`. */
  maturity(ends: number): { maturesAt: EpochMs; lastTradedAt: EpochMs; noticeAt: EpochMs } {
    const calendar = this.#calendar;
    return {
      maturesAt: epochMs(calendar.acceptsOrdersAt(ends)),
      lastTradedAt: epochMs(calendar.closesAt(ends - 1)),
      noticeAt: epochMs(calendar.acceptsOrdersAt(ends - this.#rules.term.notice)),
    };
  }

  /** The first session of trading. */
  listed(number: number, sale: Sale): number {
    return this.announced(number) + this.#rules[sale].listing;
  }

  #momentOf(number: number, [sessions, at]: Moment): EpochMs {
    const session = this.announced(number) + sessions;
    const calendar = this.#calendar;
    if (at === "start") return epochMs(calendar.acceptsOrdersAt(session));
    return epochMs(at === "open" ? calendar.opensAt(session) : calendar.closesAt(session));
  }

  phases(number: number, sale: Sale): IssuePhases {
    const { opens, closes, drawn, payable, allotted, listing } = this.#rules[sale];
    return {
      announcedAt: this.#momentOf(number, [0, "start"]),
      opensAt: this.#momentOf(number, opens),
      closesAt: this.#momentOf(number, closes),
      drawnAt: drawn && this.#momentOf(number, drawn),
      payableUntil: this.#momentOf(number, payable),
      allottedAt: this.#momentOf(number, allotted),
      tradesFrom: this.#momentOf(number, [listing, "start"]),
    };
  }

  bidding(number: number): { opensAt: EpochMs; closesAt: EpochMs; openedAt: EpochMs } {
    const { opens, closes, opened } = this.#rules.auctioned.bidding;
    return {
      opensAt: this.#momentOf(number, opens),
      closesAt: this.#momentOf(number, closes),
      openedAt: this.#momentOf(number, opened),
    };
  }
}
