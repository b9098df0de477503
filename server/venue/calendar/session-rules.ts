/** The rules of a trading day as data: when each phase begins, how often odd lots match, and when a price move halts an instrument. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";

/** The venue's hours: around the clock, the exchange's own, or a whole exchange day compressed into ten minutes, repeated. */
export const HOURS = ["always", "taiwan", "compressed"] as const;
export type Hours = (typeof HOURS)[number];

/** The phases of a day, in milliseconds from its start. */
export interface SessionRules {
  preOpenMs: number;
  openMs: number;
  /** Continuous trading ends and the closing auction begins. */
  auctionMs: number;
  closeMs: number;
  /** After-hours trading of odd lots begins; at the fixed price it begins later, and both end together. */
  oddMs: number;
  fixedMs: number;
  fixedEndMs: number;
  /** When the next day begins. */
  lengthMs: number;
  /** The length of a "minute", the unit a session is divided into. */
  minuteMs: number;
}

export const TAIWAN_DAY: SessionRules = {
  preOpenMs: 8.5 * HOUR_MS,
  openMs: 9 * HOUR_MS,
  auctionMs: 13 * HOUR_MS + 25 * MINUTE_MS,
  closeMs: 13.5 * HOUR_MS,
  oddMs: 13 * HOUR_MS + 40 * MINUTE_MS,
  fixedMs: 14 * HOUR_MS,
  fixedEndMs: 14.5 * HOUR_MS,
  lengthMs: DAY_MS,
  minuteMs: MINUTE_MS,
};

/** Every phase is long enough to act in, and continuous trading takes most of the time. */
export const COMPRESSED_DAY: SessionRules = {
  preOpenMs: 0,
  openMs: 60 * SECOND_MS,
  auctionMs: 450 * SECOND_MS,
  closeMs: 510 * SECOND_MS,
  oddMs: 515 * SECOND_MS,
  fixedMs: 525 * SECOND_MS,
  fixedEndMs: 570 * SECOND_MS,
  lengthMs: 600 * SECOND_MS,
  minuteMs: 1.5 * SECOND_MS,
};

/** When odd lots match: first this long after the open, then at this interval until the close, except while their board is in a call. */
export interface OddLotRule {
  firstMs: number;
  everyMs: number;
}

/** When a price move halts an instrument (瞬間價格穩定措施); minutes are those of the session rules. */
export interface StabilityRule {
  /** How far a trade may be from the average price of the window, in thousandths. */
  perMille: number;
  windowMinutes: number;
  pauseMinutes: number;
  /** So long before the open or the close a trial price that moves as far puts it off, the open by `pauseMinutes`. */
  watchMs: number;
  /** By how much a close is put off, and after how much of it orders are taken again. */
  closeMinutes: number;
  closeResumeMinutes: number;
}

/** How many minutes of the session rules lie between the calls of a stock under disposition: under its first one, and under a second. */
export interface PeriodicRule {
  first: number;
  second: number;
}

/** The rules of the venue's hours besides the phases; `trialMs`: how often a pending auction is matched on trial. */
interface HoursRules {
  oddLot: OddLotRule;
  stability: StabilityRule;
  periodic: PeriodicRule;
  trialMs: number;
}

/** Odd lots have a call so often, in every market. */
export const ODD_LOTS_EVERY_MS = 5 * SECOND_MS;

/** From 13:30 to 13:33, the last two minutes with orders. */
const CLOSES_LATE = { closeMinutes: 3, closeResumeMinutes: 1 };

export const VENUE_RULES: Readonly<Record<Hours, HoursRules>> = {
  always: {
    oddLot: { firstMs: 0, everyMs: ODD_LOTS_EVERY_MS },
    stability: { perMille: 35, windowMinutes: 5, pauseMinutes: 2, watchMs: MINUTE_MS, ...CLOSES_LATE },
    periodic: { first: 5, second: 20 },
    trialMs: 5 * SECOND_MS,
  },
  taiwan: {
    oddLot: { firstMs: 10 * MINUTE_MS, everyMs: ODD_LOTS_EVERY_MS },
    stability: { perMille: 35, windowMinutes: 5, pauseMinutes: 2, watchMs: MINUTE_MS, ...CLOSES_LATE },
    periodic: { first: 5, second: 20 },
    trialMs: 5 * SECOND_MS,
  },
  // A halt of two of its short minutes would be too short to act in.
  compressed: {
    oddLot: { firstMs: 15 * SECOND_MS, everyMs: ODD_LOTS_EVERY_MS },
    stability: { perMille: 35, windowMinutes: 5, pauseMinutes: 10, watchMs: 7 * SECOND_MS, ...CLOSES_LATE },
    // A minute and two of the clock.
    periodic: { first: 40, second: 80 },
    trialMs: SECOND_MS,
  },
};

/** Number of trading days, from the first one on, on which a newly listed instrument has no price limits. */
export const FREE_DAYS = 5;
