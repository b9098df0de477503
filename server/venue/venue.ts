/** The venue as the broker sees it: a market of instruments with quotes, books and candles, and no idea of members. */
import type { CandlePeriod } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import type { Category, Instrument, SessionPhase, VenueState } from "#contract/instrument.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Profile } from "#contract/profile.ts";
import type { Depth, Quote, RankView } from "#contract/quote.ts";
import type { DayLimits } from "#contract/tick.ts";
import type { CallBook } from "#server/venue/matching/call-auction.ts";

/** What a matcher is asked: whole lots on one side, at market (`limit` null) or at a price or better. */
export interface Want {
  row: number;
  side: "buy" | "sell";
  limit: Price | null;
  lots: number;
}

/** One execution against a level of the book, with why it got its price. */
export interface Execution {
  price: Price;
  lots: number;
  /** 1 for the best level. */
  level: number;
  /** The best price on the side traded against, at that moment. */
  best: Price;
}

/** How the board matches an instrument: trade by trade, by gathering orders for a call, or not at all. */
export type Matching = "continuous" | "call" | "none";

/** What is called: the board at the open, at the close, or after a pause; the odd-lot market; the orders at the day's close, after hours. */
export type CallKind = "opening" | "closing" | "resume" | "odd" | "fixed";

/** A call is struck now, of some rows or (null) of every one. */
export interface Call {
  kind: CallKind;
  rows: readonly number[] | null;
}

/** The whole market as it stood at a moment of a session. */
export interface Review {
  opensAt: number;
  closesAt: number;
  /** Flat QUOTE_FIELDS of every row, without its best bid and ask. */
  quotes: number[];
  /** Flat HEAT_FIELDS in the order of the categories. */
  heat: number[];
  /** Of the indices of whole boards. */
  contributions: Contribution[];
  /** Per row the lots of an ordinary day; 0 where there were too few days to tell. */
  ordinary: number[];
  /** The session's ex-events. */
  actions: { row: number; action: CorporateAction }[];
}

export interface Venue {
  readonly instruments: readonly Instrument[];
  readonly categories: readonly Category[];
  /** Begin the market's life; quotes change only between start and stop. */
  start(): void;
  stop(): Promise<void>;
  state(now: number): VenueState;
  phase(now: number): SessionPhase;
  instrument(code: string): Instrument | undefined;
  quote(row: number): Quote;
  /** The day's limits of a row; null where there are none, or no reference to tell them from. */
  limits(row: number, now: number): DayLimits | null;
  depth(row: number): Depth;
  /** The newest trades of a row numbered above `after`, at most `limit`, flat TAPE_FIELDS, oldest first. */
  tape(row: number, after: number, limit: number): number[];
  /** Rows of a ranking's first instruments, best first; instruments that are not tradable are in no ranking but their own board's. */
  rank(view: RankView): number[];
  /** How every category fares, flat HEAT_FIELDS in the order of the categories; made at most once a second. */
  heat(): number[];
  /** How broad an index moves and who moves it; null for what is no index. */
  contribution(row: number): Contribution | null;
  /** The ex-events of an instrument within its history, oldest first. */
  actions(code: string): Promise<CorporateAction[]>;
  /** What an instrument is, with fictitious fundamentals; null for a code the venue does not list. */
  profile(code: string): Promise<Profile | null>;
  /** Bars oldest first as flat CANDLE_FIELDS, ending before `before` (null: with the bar now forming); off the event loop. */
  candles(code: string, period: CandlePeriod, before: number | null, limit: number): Promise<{ bars: number[]; more: boolean }>;
  /**
   * Review the session that opened at `opensAt` as it stood at `until`, to the minute (past its close: as it ended); off the event
   * loop. Null where the venue does not know its own past that well.
   */
  review(opensAt: number, until: number): Promise<Review | null>;
  /** Whether the feed has spoken lately enough to trade on: of anything, or of one row. */
  fresh(now: number, row?: number): boolean;
  /** What the book would give this order now; changes nothing. */
  plan(want: Want): Execution[];
  /** Take planned executions out of the displayed book until its next change. */
  consume(want: Want, executions: readonly Execution[]): void;
  /** How the board matches a row at a moment; after hours, in the phase `fixedPrice`, not at all. */
  matching(row: number, now: number): Matching;
  /**
   * The market's own orders in a row's next call, or, until the next one gathers, in its latest; of single shares where `odd`. Null
   * where nothing is called. Whoever hears of a call takes the book there and then.
   */
  callBook(row: number, odd: boolean): CallBook | null;
  /** Whether a row closed at its lower limit the session before. */
  closedAtLimitDown(row: number): boolean;
  /** Told after each burst of changes, with the changed rows (each once). Returns how to stop listening. */
  onChange(listener: (rows: readonly number[]) => void): () => void;
  onPhase(listener: (phase: SessionPhase, endsAt: number | null) => void): () => void;
  /** Told at the moment a call is struck, after the phase it leads to began. Returns how to stop listening. */
  onCall(listener: (call: Call) => void): () => void;
}
