/** Makes the instrument of a new issue, with what the simulation needs to know of it. */
import { Code } from "#contract/kernel/id.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { FREE_DAYS } from "#server/venue/calendar/session-rules.ts";
import type { FundFacts, Issue } from "#server/venue/issue.ts";
import { limitPercentOf } from "#server/venue/reference-data/funds.ts";
import { TERMS } from "#server/venue/reference-data/listings.ts";
import type { Listing } from "#server/venue/reference-data/listings.ts";
import { distributionsOf } from "./corporate-actions.ts";
import { saleOf } from "./issue-schedule.ts";
import type { IssueSchedule } from "./issue-schedule.ts";
import type { IssueTerms } from "./issue-terms.ts";

/** A convertible bond moves less than a share: its own daily volatility in hundredths of a percent. */
const BOND_VOLATILITY = 80;

/** Sessions without price limits from the listing on. */
export const freeSessions = ({ instrumentKind }: Pick<IssueTerms, "instrumentKind">): number =>
  instrumentKind === "stock" ? FREE_DAYS : 0;

/** The first session of trading. */
export const listedSession = (terms: IssueTerms, schedule: IssueSchedule): number =>
  schedule.listed(terms.number, saleOf(terms.kind, terms.auctioned));

/** The first session in which a fund with a term does not trade any more; null for what has no term. */
export const endingSession = (terms: IssueTerms, schedule: IssueSchedule): number | null =>
  terms.term === null ? null : listedSession(terms, schedule) + terms.term;

/** The instrument of an issue in a row. Its anchor is the underwriting price: the fair value appears in nothing that is shown. */
export function issueListing(terms: IssueTerms, row: number, schedule: IssueSchedule, calendar: Calendar): Listing {
  const { category: _category, ...trading } = TERMS[terms.instrumentKind];
  const listed = listedSession(terms, schedule);
  const free = freeSessions(terms);
  const ends = endingSession(terms, schedule);
  const instrument: Instrument = {
    row,
    code: Code.parse(terms.code),
    ...terms.names,
    kind: terms.instrumentKind,
    board: terms.board,
    category: terms.category,
    ...trading,
    // As for every new listing: paid in full, and held overnight.
    shortable: false,
    dayTradable: false,
    marginable: false,
    watch: "none",
    issuedThousands: terms.issuedThousands,
    fictitious: true,
    listedDay: calendar.dayOf(listed),
    limitPercent: limitPercentOf(terms.instrumentKind, terms.style),
    bonds: terms.instrumentKind === "bond",
    tradesFrom: calendar.acceptsOrdersAt(listed),
    freeUntil: free > 0 ? calendar.acceptsOrdersAt(listed + free) : 0,
    ...(ends === null ? {} : { tradesUntil: calendar.acceptsOrdersAt(ends) }),
  };
  return { instrument, anchor: terms.price, style: terms.style, volatility: terms.kind === "bond" ? BOND_VOLATILITY : 0, basket: null };
}

/** The index that funds of a style follow. */
const FOLLOWED: Partial<Record<IssueTerms["style"], string>> = { m: "IX0001", t: "IX0027", f: "IX0039" };

function factsOf(terms: IssueTerms, schedule: IssueSchedule): FundFacts {
  const ends = endingSession(terms, schedule);
  const maturity = ends === null ? { maturesAt: null } : schedule.maturity(ends);
  return { ...distributionsOf(terms.style), indexCode: FOLLOWED[terms.style] ?? null, ...maturity };
}

/** What is public of an issue. */
export function issueOf(terms: IssueTerms, row: number, schedule: IssueSchedule): Issue {
  const { number, code, kind, auctioned, board, category, names, price, lots, minimumPrice, auctionLots, leadBroker } = terms;
  return {
    number,
    row,
    code,
    kind,
    board,
    category,
    ...names,
    price,
    lots,
    leadBroker,
    ...schedule.phases(number, saleOf(kind, auctioned)),
    ...(kind === "fund" ? { fund: factsOf(terms, schedule) } : {}),
    auction: auctioned ? { ...schedule.bidding(number), minimumPrice, lots: auctionLots } : null,
  };
}
