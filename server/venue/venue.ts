/** The venue as the broker sees it: a market of instruments with quotes, books and candles, which knows nothing of members. */
import type { CandlePeriod } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import type { Category, Instrument, SessionPhase, VenueState } from "#contract/instrument.ts";
import type { OptionInput } from "#contract/option-price.ts";
import type { InvestorDay } from "#contract/investor.ts";
import type { Profile } from "#contract/profile.ts";
import type { Depth, Quote, RankView } from "#contract/quote.ts";
import type { ClosureReason } from "#contract/short-cover.ts";
import type { DayLimits } from "#contract/tick.ts";
import type { Increase, Issue, IssueEvent, OfferingCrowd } from "#server/venue/issue.ts";
import type { Execution, Want } from "#server/venue/matching/book-sweep.ts";
import type { BookSide } from "#server/venue/matching/consumed-liquidity.ts";
import type { CallBook, JoinedOrders } from "#server/venue/matching/call-auction.ts";
import type { MarketEffects, StoredUpTo } from "#server/venue/matching/member-effect.ts";
import type { MemberFill, MemberLog, MemberTrade } from "#server/venue/matching/member-trade.ts";

/** How the board matches an instrument: continuously, in a call auction, or not at all. */
export type Matching = "continuous" | "call" | "none";

/**
 * The kind of call auction: at the open, at the close, after a volatility halt, in between where a stock under disposition is traded by calls alone,
 * odd lots, or after hours the orders at the closing price and the odd lots.
 */
export type CallKind = "opening" | "closing" | "resume" | "periodic" | "odd" | "fixed" | "lateOdd";

/** A call auction takes place now, for some rows or (null) all of them. */
export interface Call {
  kind: CallKind;
  rows: readonly number[] | null;
  /** When it was due by our clock: the same on every server, however late it takes place. */
  at: number;
}

/** A closing call that is put off (暫緩收盤): when orders are taken again, and when it is held. */
export interface LateClose {
  takesFrom: number;
  heldAt: number;
}

/** A register that closes: for whom shares are borrowed, they must be back before. */
export interface BookClosure {
  row: number;
  reason: ClosureReason;
  /** The first day on which it is closed, as `taipeiDay` counts. */
  day: number;
  /** The ex-date it closes for, as `taipeiDay` counts, and the free new shares per share, in millionths; none before a meeting. */
  ex?: { day: number; freeMillionths: number };
}

/** A board call of the current session that has taken place. */
export interface PastCall {
  kind: "opening" | "closing" | "periodic";
  at: number;
  /** The part of its clock minute's volume that traded in the call itself. */
  share: number;
  /** The only rows it was held in; or all but which, because their calls were put off. Absent: all of them. */
  rows?: readonly number[];
  except?: readonly number[];
}

/** The whole market replayed up to a moment of a session. */
export interface SessionReplay {
  opensAt: number;
  closesAt: number;
  /** Flat QUOTE_FIELDS of every row, without its best bid and ask. */
  quotes: number[];
  /** Flat HEAT_FIELDS in category order. */
  heat: number[];
  /** For the indices of whole boards. */
  contributions: Contribution[];
  /** Lots of an average day per row; 0 where there were too few days. */
  averageLots: number[];
  /** The session's ex-events. */
  actions: { row: number; action: CorporateAction }[];
  /** Funds whose last session it is (null), or whose term has ended with the session before: the value they were redeemed at. */
  endings: { row: number; price: number | null }[];
}

/** What one seller of a block offers. */
export interface BlockListing {
  offerId: string;
  row: number;
  price: number;
  shares: number;
  /** Not taken yet. */
  left: number;
  opensAt: number;
  closesAt: number;
  /** When the next trading day begins. */
  unlocksAt: number;
}

/** The exchange's block trades: its hours, and its sellers. */
export interface BlockTrading {
  hours(at: number): { open: boolean; changesAt: number | null };
  /** What can be bought now, those that close first first; nothing of an instrument that is halted. */
  offers(at: number): BlockListing[];
  /** Sets how many shares of an offer are taken. */
  setTaken(offerId: string, shares: number): void;
}

/** What one borrower of shares asks for. */
export interface DemandListing {
  demandId: string;
  row: number;
  lots: number;
  days: number;
  /** Days until the shares are back after a recall. */
  noticeDays: number;
  /** The rate in thousandths of the highest one for the instrument. */
  partPerMille: number;
  /** The least amount that is borrowed. */
  minimumCents: number;
}

/** The borrowers of shares. */
export interface LendingMarket {
  isOpen(at: number): boolean;
  /** What is asked for now, at most one demand an instrument; nothing while the market is closed. */
  demands(at: number): DemandListing[];
  demand(demandId: string, at: number): DemandListing | null;
}

/** A month and the moment in or after it that something is due at: the open of a session. */
export interface MonthlyDue {
  /** `2026-07`; in compressed hours `M` and a number. */
  month: string;
  at: EpochMs;
}

export interface Months {
  /** The first due moment of a day of the month (1 to 31; a month that has no such day: its last) later than a moment. */
  next(day: number, after: number): MonthlyDue;
}

/** What an index lost to dividends on a fee day, in price units. */
export interface ExDividend {
  day: number;
  lost: number;
}

/** When an option expires: its session's open, and from when on its settlement price is averaged until the close. */
export interface OptionExpiry {
  opensAt: number;
  averagedFrom: number;
}

/** What options of an expiry are priced by: the days until then, of 252 a year, as much as varies in them, and the volatility until then. */
export type OptionOutlook = Pick<OptionInput, "days" | "smile">;

/** How far an index is expected to move until options on it expire; null once they have. */
export interface IndexOutlook {
  now(row: number, at: number, expiry: OptionExpiry): OptionOutlook | null;
  /** At the close before a fee day. */
  before(row: number, day: number, expiry: OptionExpiry): OptionOutlook | null;
}

export interface Venue {
  /** In row order. A new issue is appended when it is announced; nothing else changes while the venue is open. */
  readonly instruments: readonly Instrument[];
  readonly categories: readonly Category[];
  readonly blocks: BlockTrading;
  readonly lending: LendingMarket;
  /** When what is due on a day of each month is due. */
  readonly months: Months;
  /** Starts the market; quotes change only between start and stop. */
  start(): void;
  /** Somebody watches: what takes long and that they may ask for is begun. Nobody has to call it. */
  watched(): void;
  stop(): Promise<void>;
  state(now: number): VenueState;
  /**
   * The number of the day that a moment belongs to, as fees count days: of its trading day in the calendar, so that a weekend counts as three; in
   * compressed hours each trading day counts as one.
   */
  feeDay(now: number): number;
  /** The close of a row on the trading day before, as it was; 0 without one. */
  previousClose(row: number): number;
  /** What an index lost to the dividends of the current session's ex-dates, in price units; 0 for any other row, null where it is not known. */
  exDividend(row: number): number | null;
  /**
   * What an index lost to dividends on the fee days after one and before another, each with its day; days without any are left out. Null
   * where it is not known.
   */
  exDividends(row: number, after: number, before: number): Promise<ExDividend[] | null>;
  /**
   * The level an index would have if each of its shares traded at a moment at its own price, in price units; null outside continuous trading.
   * Only a simulated market knows it: elsewhere the index is known by last trades alone.
   */
  readonly fairIndex?: (row: number, now: number) => number | null;
  /** What options on an index are priced by. Only a simulated market knows it. */
  readonly indexOutlook?: IndexOutlook;
  phase(now: number): SessionPhase;
  instrument(code: string): Instrument | undefined;
  /**
   * The quote of the market alone, without members' trades and without what they move it by. Whatever depends on money reads this one: margin,
   * triggers, settlement. Nobody can move it.
   */
  quote(row: number): Quote;
  /** The quote as it is published, with members' trades in its prices, volume and turnover. */
  publicQuote(row: number): Quote;
  /** The day's price limits of a row; null where there are none, or no reference to compute them from. */
  limits(row: number, now: number): DayLimits | null;
  depth(row: number): Depth;
  /** The newest trades of a row without members', numbered above `after`, at most `limit`, flat TAPE_FIELDS, oldest first. */
  tape(row: number, after: number, limit: number): number[];
  /** The same at the prices they were printed at, which members' fills have moved. */
  boardTape(row: number, after: number, limit: number): number[];
  /** The same with members' trades, as it is published; they are numbered together. */
  publicTape(row: number, after: number, limit: number): number[];
  /** Rows of a ranking, best first; what is no security or not tradable appears only in its own board's rankings. */
  rank(view: RankView): number[];
  /** Performance of every category, flat HEAT_FIELDS in category order; computed at most once a second. */
  heat(): number[];
  /** An index's breadth and its largest contributors; null for a row that is no index. */
  contribution(row: number): Contribution | null;
  /** The ex-events of an instrument within its history, oldest first. */
  actions(code: string): Promise<CorporateAction[]>;
  /** The profile of an instrument, with fictitious fundamentals; null for a code the venue does not list. */
  profile(code: string): Promise<Profile | null>;
  /** The published institutional trading and margin balances of an instrument, newest first; null where the venue does not report them. */
  investors(code: string): Promise<InvestorDay[] | null>;
  /** Bars oldest first as flat CANDLE_FIELDS, ending before `before` (null: including the bar now forming); runs off the event loop. */
  candles(code: string, period: CandlePeriod, before: number | null, limit: number): Promise<{ bars: number[]; more: boolean }>;
  /** Bars of the market alone, which money depends on: an index has its own without what members add to it. The same as `candles` where omitted. */
  readonly ownCandles?: Venue["candles"];
  /**
   * Replays the session that opened at `opensAt` up to `until`, to the minute (past its close: the whole session); runs off the
   * event loop. Null where the venue does not keep enough of its past.
   */
  replaySession(opensAt: number, until: number): Promise<SessionReplay | null>;
  /** Whether the data is recent enough to trade on: of the market, or of one row. */
  fresh(now: number, row?: number): boolean;
  /** The executions an order would get from the book now, in the units of orders; changes nothing. */
  plan(want: Want): Execution[];
  /** The lots displayed at a price of one side, in the units of orders; 0 where none are, null beyond what the venue can see. */
  lotsAt(row: number, side: BookSide, price: number): number | null;
  /** Takes planned executions out of the displayed book: the market refills them little by little. */
  consume(want: Want, executions: readonly Execution[]): void;
  /** Lets members' orders (null: none) count in the trial prices that are published before a board call. */
  joinCalls(orders: (row: number) => JoinedOrders | null): void;
  /**
   * Publishes members' trades on the board, and what moves its prices, once they are committed; `stored` names the newest of them in the database. A
   * real market is never changed.
   */
  report(trades: readonly MemberTrade[], fills?: readonly MemberFill[], stored?: StoredUpTo): void;
  /** Replaces what members traded and moved prices by: by what the log has of it from before the start. Call it before `start`. */
  restore(log: MemberLog): void;
  /** When the oldest session opened of which a simulated market shows minutes. */
  readonly minutesSince?: (now: number) => number;
  /** How the board matches a row at a moment; not at all after hours. */
  matching(row: number, now: number): Matching;
  /** Set while the closing call of a row is put off, although the session is over for all others. */
  lateClose(row: number, now: number): LateClose | null;
  /**
   * The market's own orders in a row's current call auction, or in its latest one until the next begins, in the units of orders; of single
   * shares where `odd`. Null where there is no auction, or single shares wait for the board's. An `onCall` listener must read the book synchronously.
   */
  callBook(row: number, odd: boolean): CallBook | null;
  /** The board's calls of the current session that have taken place, the earliest first; none where there are no auctions. */
  pastCalls(now: number): PastCall[];
  /** The registers that close from one day to another, both as `taipeiDay` counts. */
  bookClosures(from: number, until: number): readonly BookClosure[];
  /** Whether a row closed at its lower limit in the previous session. */
  closedAtLimitDown(row: number): boolean;
  /** The announced issues in the table, the earliest first; none where the venue has no new issues. */
  issues(now: number): readonly Issue[];
  /** The issue with this code; null for any other instrument, or before it is announced. */
  issue(code: string): Issue | null;
  /**
   * The net asset value in price units at which a unit of a fund is redeemed whose term has ended by a moment: its last close without
   * what members bought and sold; null for any other instrument.
   */
  redemptionPrice(code: string, now: number): number | null;
  /** What the simulated crowd does in the offering of an issue, which must not publish it too early; null where `issue` is. */
  offeringCrowd(code: string): OfferingCrowd | null;
  /** The capital increases that are announced and not listed yet, the earliest first; their ex-events are among the `actions`. */
  increases(now: number): readonly Increase[];
  /** Sessions until the table has no rows left for new issues, which a restart extends; null where there are none. */
  issueSessionsLeft(now: number): number | null;
  /** Calls the listener when a new issue was announced (its row is in the table) or can be traded. Returns how to unsubscribe. */
  onIssue(listener: (issue: Issue, event: IssueEvent) => void): () => void;
  /** Calls the listener after each batch of changes with the changed rows, each once. Returns how to unsubscribe. */
  onChange(listener: (rows: readonly number[]) => void): () => void;
  onPhase(listener: (phase: SessionPhase, endsAt: number | null) => void): () => void;
  /** Calls the listener when a call auction takes place, after the phase it leads to began. Returns how to unsubscribe. */
  onCall(listener: (call: Call) => void): () => void;
  /** What members do to a simulated market, for servers that show the same; absent where they cannot change it. */
  readonly effects?: MarketEffects;
}

/** Whether a row trades now as it does all day: continuously or, under disposition, by one call after the other. */
export function isTrading(venue: Pick<Venue, "instruments" | "matching" | "phase">, row: number, at: number): boolean {
  const matching = venue.matching(row, at);
  return (
    matching === "continuous" || (matching === "call" && venue.phase(at) === "open" && venue.instruments[row]?.watch === "disposition")
  );
}

/** Whether a row is under disposition and traded by calls all day, which take nothing but limit orders good for the day. */
export function isByCalls(venue: Pick<Venue, "instruments" | "matching">, row: number, at: number): boolean {
  return venue.instruments[row]?.watch === "disposition" && venue.matching(row, at) !== "continuous";
}
