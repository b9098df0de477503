/** Presents a feed as a venue, traded by the same rules as the sandbox. */
import type { CandlePeriod } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import type { Category, Instrument, SessionPhase, VenueState } from "#contract/instrument.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Profile } from "#contract/profile.ts";
import type { Depth, Quote, RankView } from "#contract/quote.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import { limitsOf } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";
import { monthsOf } from "#server/venue/calendar/months.ts";
import { matchingIn } from "#server/venue/calendar/session-phase.ts";
import { calendarOf, feeDayOf } from "#server/venue/calendar/trading-calendar.ts";
import { NO_LIMITS } from "#server/venue/market-data/market-columns.ts";
import { MarketStatistics } from "#server/venue/market-data/market-statistics.ts";
import type { Indices } from "#server/venue/market-data/market-statistics.ts";
import type { Increase, Issue } from "#server/venue/issue.ts";
import type { Execution, Want } from "#server/venue/matching/book-sweep.ts";
import type { BookSide } from "#server/venue/matching/consumed-liquidity.ts";
import type { CallBook } from "#server/venue/matching/call-auction.ts";
import { NO_BLOCKS } from "#server/venue/block-trading.ts";
import { NO_LENDING } from "#server/venue/lending-market.ts";
import { VenueEvents } from "#server/venue/venue-events.ts";
import type { Call, Matching, Months, SessionReplay, Venue } from "#server/venue/venue.ts";
import { indicesOf } from "./feed-market.ts";
import { LiveBook } from "./live-book.ts";
import { LiveHistory } from "./live-history.ts";
import { LiveMarketState } from "./live-market-state.ts";
import { liveProfileOf } from "./live-profile.ts";
import { LiveUpdates } from "./live-updates.ts";
import type { LiveMarket } from "./live-updates.ts";
import { MarketClock } from "./market-clock.ts";
import type { Feed, FeedLog, FeedMarket } from "./port.ts";

export interface LiveVenueOptions {
  log: FeedLog;
  /** The clock, in epoch milliseconds. */
  now?: () => number;
}

/** A market as a feed reports it; its parts are the state, the book, the statistics, the history and the updates that move it. */
class LiveVenue implements Venue {
  readonly blocks = NO_BLOCKS;
  readonly lending = NO_LENDING;
  readonly months: Months;
  readonly instruments: readonly Instrument[];
  readonly categories: readonly Category[];
  readonly #feedMarket: FeedMarket;
  readonly #log: FeedLog;
  readonly #now: () => number;
  readonly #market: LiveMarket;
  readonly #indices: Indices;
  readonly #statistics: MarketStatistics;
  readonly #events = new VenueEvents();
  readonly #updates: LiveUpdates;

  constructor(feed: Feed, feedMarket: FeedMarket, { log, now = () => Date.now() }: LiveVenueOptions) {
    const { instruments, categories } = feedMarket;
    const clock = new MarketClock(feed, calendarOf(feedMarket.hours));
    const state = new LiveMarketState(feedMarket, clock.calendar);
    this.instruments = instruments;
    this.categories = categories;
    this.months = monthsOf(clock.calendar);
    this.#feedMarket = feedMarket;
    this.#log = log;
    this.#now = now;
    this.#market = {
      feed,
      clock,
      byCode: new Map(instruments.map((instrument) => [String(instrument.code), instrument])),
      state,
      book: new LiveBook(state),
      history: new LiveHistory(feed, feedMarket, state),
    };
    const snapshot = {
      instruments,
      categories,
      columns: state,
      // A feed reports the reference of an ex-date, but not the dividend.
      previous: (row: number) => state.reference[row] ?? 0,
      issued: (row: number) => instruments[row]?.issuedThousands ?? 0,
      limits: (row: number) => this.limits(row) ?? NO_LIMITS,
    };
    this.#indices = indicesOf(instruments);
    this.#statistics = new MarketStatistics(snapshot, this.#indices);
    this.#updates = new LiveUpdates(this.#market, this.#events, now);
  }

  start(): void {
    if (!this.#updates.start()) return;
    this.#log.info({ universe: this.#feedMarket.universe, instruments: this.instruments.length }, "feed started");
  }

  /** A feed's past is read when it is asked for. */
  watched(): void {}

  stop(): Promise<void> {
    return this.#updates.stop();
  }

  state(at: number): VenueState {
    const { clock } = this.#market;
    const { session, phase, endsAt } = clock.position(at);
    return {
      universe: this.#feedMarket.universe,
      phase,
      phaseEndsAt: endsAt === null ? null : epochMs(endsAt),
      opensAt: epochMs(clock.calendar.opensAt(session)),
      closesAt: epochMs(clock.calendar.closesAt(session)),
      simulated: this.#feedMarket.simulated,
    };
  }

  feeDay(at: number): number {
    const { clock } = this.#market;
    return feeDayOf(clock.calendar, clock.position(at).session);
  }

  /** The feeds do not report what an index lost to dividends. */
  async exDividends(): Promise<null> {
    return null;
  }

  exDividend(): null {
    return null;
  }

  /** A feed reports the reference of an ex-date, but not the dividend. */
  previousClose(row: number): number {
    return this.#market.state.reference[row] ?? 0;
  }

  phase(at: number): SessionPhase {
    return this.#market.clock.position(at).phase;
  }

  instrument(code: string): Instrument | undefined {
    return this.#market.byCode.get(code);
  }

  quote(row: number): Quote {
    const { book, state } = this.#market;
    return state.quote(row, book.best(row), this.instruments[row]?.lotShares ?? 1);
  }

  /** The limits reported by the feed; where there are none, those computed from the reference. */
  limits(row: number): DayLimits | null {
    const { clock, state } = this.#market;
    const reported = state.feedLimits(row);
    const instrument = this.instruments[row];
    if (reported !== null || !instrument) return reported === "none" ? null : reported;
    return limitsOf(instrument, state.reference[row] ?? 0, clock.at(this.#now()));
  }

  depth(row: number): Depth {
    const { book, state } = this.#market;
    this.#focus(row);
    const { delayed } = state.shown(row);
    return {
      row,
      seq: state.seq[row] ?? 0,
      at: epochMs(state.at[row] ?? 0),
      bids: book.side(row, "bids"),
      asks: book.side(row, "asks"),
      atBid: state.tape.atBid[row] ?? 0,
      atAsk: state.tape.atAsk[row] ?? 0,
      // A feed's trial book is what is left after the trial match, and no feed reports the trial price.
      trial: null,
      pausedUntil: null,
      isDelayedOpen: delayed === "open",
      isDelayedClose: delayed === "close",
      ordersFrom: null,
      callsEveryMs: state.callsEvery(row),
    };
  }

  publicQuote(row: number): Quote {
    return this.quote(row);
  }

  publicTape(row: number, after: number, limit: number): number[] {
    return this.tape(row, after, limit);
  }

  /** A feed tells the trial prices of its calls. */
  joinCalls(): void {}

  boardTape(row: number, after: number, limit: number): number[] {
    return this.tape(row, after, limit);
  }

  report(): void {}

  restore(): void {}

  tape(row: number, after: number, limit: number): number[] {
    return this.#market.state.tape.read(row, after, limit);
  }

  rank(view: RankView): number[] {
    return this.#statistics.rank(view, this.#now());
  }

  heat(): number[] {
    return this.#statistics.heat(this.#now());
  }

  contribution(row: number): Contribution | null {
    return this.#statistics.contribution(row, this.#now());
  }

  /** The current feeds report no ex-events: the references on ex-dates already include them. */
  async actions(): Promise<CorporateAction[]> {
    return [];
  }

  /** No feed reports them. */
  async investors(): Promise<null> {
    return null;
  }

  async profile(code: string): Promise<Profile | null> {
    const instrument = this.instrument(code);
    return instrument ? liveProfileOf(instrument, this.instruments, this.#indices, this.#market.state.reference) : null;
  }

  async candles(code: string, period: CandlePeriod, before: number | null, limit: number): Promise<{ bars: number[]; more: boolean }> {
    const instrument = this.instrument(code);
    return instrument ? this.#market.history.candles(instrument, period, before, limit) : { bars: [], more: false };
  }

  /** What it has observed of its past is not enough for a replay. */
  async replaySession(): Promise<SessionReplay | null> {
    return null;
  }

  fresh(at: number, row?: number): boolean {
    if (row !== undefined) this.#focus(row);
    return this.#updates.fresh(at, row);
  }

  plan(want: Want): Execution[] {
    const { book } = this.#market;
    // Nothing trades on the book of a trial match, or on one that was not confirmed recently.
    return book.isTrial(want.row) || !this.fresh(this.#now(), want.row) ? [] : book.plan(want);
  }

  lotsAt(row: number, side: BookSide, price: number): number | null {
    return this.#market.book.lotsAt(row, side, price);
  }

  consume(want: Want, executions: readonly Execution[]): void {
    if (executions.length === 0) return;
    const { book, state } = this.#market;
    book.consume(want, executions);
    state.seq[want.row] = (state.seq[want.row] ?? 0) + 1;
    this.#updates.touch(want.row);
  }

  matching(row: number, at: number): Matching {
    const matching = matchingIn(this.phase(at));
    return matching === "continuous" && this.#market.book.isTrial(row) ? "call" : matching;
  }

  lateClose(): null {
    return null;
  }

  callBook(row: number, odd: boolean): CallBook | null {
    const { book, state } = this.#market;
    const instrument = this.instruments[row];
    if (!instrument?.tradable || odd) return null;
    return {
      kind: instrument.kind,
      bids: book.side(row, "bids"),
      asks: book.side(row, "asks"),
      anchor: (state.last[row] ?? 0) || (state.reference[row] ?? 0),
      limits: this.limits(row),
    };
  }

  /** Of the time the server was down it knows no prices. */
  pastCalls(): [] {
    return [];
  }

  /** No feed reports them. */
  bookClosures(): [] {
    return [];
  }

  /** The current feeds do not report how the previous day ended. */
  closedAtLimitDown(): boolean {
    return false;
  }

  onChange(listener: (rows: readonly number[]) => void): () => void {
    return this.#events.change.add(listener);
  }

  /** A feed announces no new issues. */
  issues(): readonly Issue[] {
    return [];
  }

  issue(): null {
    return null;
  }

  redemptionPrice(): number | null {
    return null;
  }

  offeringCrowd(): null {
    return null;
  }

  increases(): readonly Increase[] {
    return [];
  }

  issueSessionsLeft(): null {
    return null;
  }

  onIssue(): () => void {
    return () => undefined;
  }

  onPhase(listener: (phase: SessionPhase, endsAt: number | null) => void): () => void {
    return this.#events.phase.add(listener);
  }

  onCall(listener: (call: Call) => void): () => void {
    return this.#events.call.add(listener);
  }

  /** A caller that checks how fresh a row is, or reads its book, is about to trade on it. */
  #focus(row: number): void {
    this.#market.feed.focus?.(this.instruments[row]?.code ?? "");
  }
}

/**
 * Opens a feed as a venue; it runs from `start()` to `stop()`.
 * @throws FeedFailed when the feed cannot be opened
 */
export async function openLiveVenue(feed: Feed, options: LiveVenueOptions): Promise<Venue> {
  return new LiveVenue(feed, await feed.open(), options);
}
