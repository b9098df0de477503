/** The state from which the steps of a simulation are drawn. */
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { OfferingKind } from "#contract/offering-kind.ts";
import type { Increase, Issue, OfferingCrowd } from "#server/venue/issue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import type { Trader } from "./ledger-check.ts";
import type { Funding } from "./funding.ts";
import type { Random } from "./random.ts";

/** What members may take part in, as the server has written it. */
export interface Offered {
  offeringNo: string;
  code: string;
  kind: OfferingKind;
  opensAt: number;
  closesAt: number;
}

/** What was announced so far. */
export interface PrimaryMarket {
  /** Rows of issues begin here. */
  firstRow: number;
  issues: { issue: Issue; crowd: OfferingCrowd }[];
  increases: Increase[];
  /** An increase whose ex-date is the next day. */
  dueIncrease: Increase | null;
  /** Read again whenever the clock was looked at. */
  offered: Offered[];
}

/** A dividend of the index: on which fee day, and the moment it began. */
export interface IndexDividend {
  day: number;
  at: number;
  points: number;
}

/** Mentors that members can follow, and what the index lost to dividends. */
export interface Services {
  mentors: { mentorNo: string; trader: Trader }[];
  dividends: IndexDividend[];
}

/** A call of a handler, as the client would send it. */
export interface Ask {
  trader: Trader;
  name: EndpointName;
  body: object;
}

/** The state from which steps are drawn. */
export interface World {
  random: Random;
  venue: FakeVenue;
  clock: { now: number };
  traders: readonly Trader[];
  /** The ex-events of the venue so far, by code. */
  actions: Map<string, CorporateAction[]>;
  /** The newest conversion quote of each member. */
  quotes: Map<number, string>;
  /** The member whose quote was made in the last step with one. */
  quoted: number | null;
  /** Bank accounts, wallets, proofs and quotes. */
  funding: Funding;
  /** The blocks that sellers offered last. */
  offers: string[];
  /** Offerings and increases; null in a simulation of trading alone. */
  primary: PrimaryMarket | null;
  /** Mentors and strategies; null in a simulation without. */
  services: Services | null;
  /** Earlier commands that may be repeated. */
  asked: Ask[];
}

/** Whether it has nights, in which orders are reserved: in a simulation of trading alone. */
export const hasNights = ({ primary, services }: World): boolean => primary === null && services === null;

export const isNight = (world: World): boolean => hasNights(world) && world.venue.phase(world.clock.now) === "closed";

/** Whether a row is no issue, or one that is listed. */
export const isListed = ({ primary, clock }: World, row: number): boolean =>
  primary === null || row < primary.firstRow || primary.issues.some(({ issue }) => issue.row === row && issue.tradesFrom <= clock.now);

/** The instruments that members trade. */
export const tradable = (world: World): Instrument[] =>
  world.venue.instruments.filter(({ tradable: isTraded, row }) => isTraded && isListed(world, row));
