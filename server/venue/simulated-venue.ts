/** The sandbox exchange: a market generated from a seed, opened as the venue the broker trades on. */
import type { CandlePeriod } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { hasEnded, reservesFor } from "#contract/instrument.ts";
import type { Category, Instrument, SessionPhase, VenueState } from "#contract/instrument.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { InvestorDay } from "#contract/investor.ts";
import type { Profile } from "#contract/profile.ts";
import type { Depth, Quote, RankView } from "#contract/quote.ts";
import type { Contribution } from "#contract/sector-heat.ts";
import { limitsOf } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";
import { monthsOf } from "#server/venue/calendar/months.ts";
import { pastCallsOf } from "#server/venue/calendar/past-calls.ts";
import { calendarOf, feeDayOf } from "#server/venue/calendar/trading-calendar.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { MINUTE_SESSIONS } from "#server/venue/history/bar-history.ts";
import { SimulatedHistory } from "#server/venue/history/simulated-history.ts";
import { MarketStatistics } from "#server/venue/market-data/market-statistics.ts";
import type { MemberFill, MemberLog, MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Execution, Want } from "#server/venue/matching/book-sweep.ts";
import { inUnits } from "#server/venue/matching/call-auction.ts";
import type { CallBook, JoinedOrders } from "#server/venue/matching/call-auction.ts";
import type { Increase, Issue, OfferingCrowd } from "#server/venue/issue.ts";
import type { StoredUpTo } from "#server/venue/matching/member-effect.ts";
import { bestOf } from "#server/venue/simulator/auction-order-flow.ts";
import { AuctionBook } from "#server/venue/simulator/auction-book.ts";
import { BookEffects } from "#server/venue/simulator/book-effects.ts";
import { closuresOf } from "#server/venue/simulator/book-closures.ts";
import { FairIndices } from "#server/venue/simulator/fair-index.ts";
import { OptionOutlooks } from "#server/venue/simulator/option-outlook.ts";
import { BlockSellers } from "#server/venue/simulator/block-sellers.ts";
import { DisplayedBook } from "#server/venue/simulator/displayed-book.ts";
import { IncreaseSchedule } from "#server/venue/simulator/increase-schedule.ts";
import { issueRange } from "#server/venue/simulator/issue-table.ts";
import { ListedTable } from "#server/venue/simulator/listed-table.ts";
import { LendingBorrowers } from "#server/venue/simulator/lending-borrowers.ts";
import { MemberTrades } from "#server/venue/simulator/member-trades.ts";
import { MovedMarket } from "#server/venue/simulator/moved-market.ts";
import { PublicMarket } from "#server/venue/simulator/public-market.ts";
import { MarketState } from "#server/venue/simulator/market-state.ts";
import { ShownIndices } from "#server/venue/simulator/shown-index.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import { UpdateLoop } from "#server/venue/simulator/update-loop.ts";
import { fingerprint } from "./keyed-random.ts";
import type { VenueOptions } from "./venue-options.ts";
import { VenueEvents } from "./venue-events.ts";
import type { BlockTrading, BookClosure, LendingMarket, Matching, Months, PastCall, SessionReplay, Venue } from "./venue.ts";

/** A market as of its construction; its parts are the books, the statistics, the history and the loop that moves it. */
class SimulatedVenue implements Venue {
  readonly #table: ListedTable;
  readonly blocks: BlockTrading;
  readonly lending: LendingMarket;
  readonly months: Months;
  readonly effects: BookEffects;
  readonly boardTape: Venue["boardTape"];
  readonly fairIndex: NonNullable<Venue["fairIndex"]>;
  readonly indexOutlook: NonNullable<Venue["indexOutlook"]>;
  readonly watched = (): void => this.#history.watched();
  readonly #universe: string;
  readonly #closes: boolean;
  #watched = -1;
  readonly #now: () => number;
  readonly #calendar: Calendar;
  readonly #state: MarketState;
  readonly #public: PublicMarket;
  readonly #indices: ShownIndices;
  readonly #book: DisplayedBook;
  readonly #auctions: AuctionBook;
  readonly #statistics: MarketStatistics;
  readonly #history: SimulatedHistory;
  readonly #increases: IncreaseSchedule;
  readonly #events = new VenueEvents();
  readonly #updates: UpdateLoop;

  constructor(options: VenueOptions) {
    const { seed, hours, codes, newIssues = false, bookClosures = false, held = [], rate, changedAt = null } = options;
    const { now = () => Date.now() } = options;
    const issues = newIssues ? issueRange(calendarOf(hours), calendarOf(hours).at(now()).session, held) : null;
    const market = marketOf(seed, hours, codes, issues, changedAt);
    const { calendar } = market;
    const state = new MarketState(market);
    const table = new ListedTable(market);
    const { instruments } = table;
    this.#table = table;
    this.#increases = new IncreaseSchedule(market);
    // Public: tells markets apart and reveals nothing of the seed.
    const isHalted = (row: number, at: number): boolean => this.#auctions.isHalted(row, at);
    this.blocks = new BlockSellers(market, instruments, isHalted, (row, session) => state.paths.watch(row, session));
    this.lending = new LendingBorrowers(market, instruments);
    this.#closes = bookClosures;
    // What follows the point tells tables of one market apart: in this one digital currency is traded.
    this.#universe = `sandbox-${hours}-${fingerprint(seed)}-${changedAt === null ? 6 : 5}.1${market.issues?.layout ?? ""}`;
    this.#now = now;
    this.#calendar = calendar;
    this.months = monthsOf(calendar);
    this.#state = state;
    const trades = new MemberTrades(calendar, MINUTE_SESSIONS);
    const moved = new MovedMarket(state, trades);
    const published = new PublicMarket(state, trades, moved);
    this.#public = published;
    this.#indices = new ShownIndices(state, published);
    this.#book = new DisplayedBook(state, moved);
    const fair = new FairIndices(state);
    this.indexOutlook = new OptionOutlooks(state);
    this.fairIndex = (row, at) => fair.at(row, calendar.at(at));
    this.boardTape = (row, after, limit) => moved.tape(row, after, limit);
    const lotShares = (row: number): number => (instruments[row]?.tradable ? instruments[row].lotShares : 0);
    this.#auctions = new AuctionBook(state, lotShares, (row) => published.close(row));
    const joined = (row: number): JoinedOrders | null => this.#auctions.joined(row);
    this.effects = new BookEffects({ book: this.#book, joined, touch: (row) => this.#touch(row) });
    const ranked = {
      instruments,
      categories: table.categories,
      get columns() {
        return published.columns;
      },
      previous: (row: number) => state.dayOf(row)?.previous ?? 0,
      issued: (row: number) => (instruments[row]?.issuedThousands ?? 0) * (state.dayOf(row)?.shares ?? 1),
      limits: (row: number) => state.limits(row),
    };
    this.#statistics = new MarketStatistics(ranked, state.indices);
    this.#history = new SimulatedHistory({ seed, hours, codes, issues, changedAt }, state, published, this.#indices);
    const begun = (): void => this.#admit(state.session);
    const phased = (): void => this.#watch();
    this.#updates = new UpdateLoop({ state, moved, book: this.#book, auctions: this.#auctions, begun, phased }, this.#events, {
      rate,
      now,
    });
  }

  get instruments(): readonly Instrument[] {
    return this.#table.instruments;
  }

  get categories(): readonly Category[] {
    return this.#table.categories;
  }

  /** Announces and lists the issues that are due in a session. */
  #admit(session: number): void {
    const { announced, listed } = this.#table.advance(session);
    this.#watch();
    this.#state.shown = this.instruments.length;
    for (const { row } of announced) if (this.instruments[row]) this.#statistics.add(this.instruments[row]);
    for (const issue of announced) this.#events.issue.emit(issue, "announced");
    for (const issue of listed) this.#events.issue.emit(issue, "listed");
  }

  /** Publishes the watch list: that of the next session from the moment on from which its orders may be reserved. */
  #watch(): void {
    const session = this.#state.session + (reservesFor(this.state(this.#now())) === null ? 0 : 1);
    this.#watched = session;
    this.#table.watch((row) => this.#state.paths.watch(row, session));
  }

  start(): void {
    this.#history.start();
    this.#updates.start();
  }

  async stop(): Promise<void> {
    this.#updates.stop();
    this.#history.stop();
  }

  state(at: number): VenueState {
    const { session, phase, endsAt } = this.#calendar.at(at);
    return {
      universe: this.#universe + this.#table.suffix,
      phase,
      phaseEndsAt: endsAt === null ? null : epochMs(endsAt),
      opensAt: epochMs(this.#calendar.opensAt(session)),
      closesAt: epochMs(this.#calendar.closesAt(session)),
      simulated: true,
    };
  }

  readonly feeDay = (at: number): number => feeDayOf(this.#calendar, this.#calendar.at(at).session);
  readonly minutesSince = (at: number): number => this.#calendar.opensAt(Math.max(0, this.#calendar.at(at).session - MINUTE_SESSIONS));

  readonly exDividends: Venue["exDividends"] = (row, after, before) => this.#history.exDividends(row, after, before);
  readonly exDividend = (row: number): number => this.#state.indices.exDividend(row);
  readonly previousClose = (row: number): number => this.#state.dayOf(row)?.previous ?? 0;

  readonly phase = (at: number): SessionPhase => this.#calendar.at(at).phase;

  instrument(code: string): Instrument | undefined {
    return this.#table.byCode.get(code);
  }

  quote(row: number): Quote {
    const trial = this.#auctions.trialBook(row, this.#now());
    return this.#state.quote(row, trial ? bestOf(trial) : this.#book.ownBest(row), this.instruments[row]?.lotShares ?? 1);
  }

  publicQuote(row: number): Quote {
    const trial = this.#auctions.publicTrial(row, this.#now());
    const lotShares = this.instruments[row]?.lotShares ?? 1;
    const quote = this.#indices.quote(this.#public.quote(this.quote(row), lotShares), lotShares);
    const best = trial ? bestOf(trial) : this.#book.isMoved(row) ? this.#book.best(row) : null;
    return best ? { ...quote, ...best } : quote;
  }

  limits(row: number, at: number): DayLimits | null {
    const instrument = this.instruments[row];
    return instrument ? limitsOf(instrument, this.#state.reference[row] ?? 0, at) : null;
  }

  depth(row: number): Depth {
    const at = this.#now();
    const trial = this.#auctions.publicTrial(row, at);
    const late = this.#auctions.lateClose(row, at);
    const until = this.#auctions.pausedUntil(row, at);
    return {
      row,
      seq: this.#state.seq[row] ?? 0,
      at: epochMs(this.#state.at[row] ?? 0),
      bids: trial ? trial.bids : this.#book.side(row, "bids"),
      asks: trial ? trial.asks : this.#book.side(row, "asks"),
      ...this.#public.sides(row),
      trial: trial && trial.trial,
      pausedUntil: until === null ? null : epochMs(until),
      isDelayedOpen: this.#auctions.isDelayedOpen(row, at),
      isDelayedClose: late !== null,
      ordersFrom: late && at < late.takesFrom ? epochMs(late.takesFrom) : null,
      callsEveryMs: this.#auctions.callsEvery(row, this.#watched),
    };
  }

  readonly tape: Venue["tape"] = (row, after, limit) => this.#state.readTape(row, after, limit);
  readonly publicTape: Venue["publicTape"] = (row, after, limit) => this.#public.tape(row, after, limit);

  get #refreshed(): MarketStatistics {
    this.#public.refresh();
    return this.#statistics;
  }

  readonly rank = (view: RankView): number[] => this.#refreshed.rank(view, this.#now());

  readonly heat = (): number[] => this.#refreshed.heat(this.#now());
  readonly contribution = (row: number): Contribution | null => this.#refreshed.contribution(row, this.#now());

  async actions(code: string): Promise<CorporateAction[]> {
    const row = this.#table.byCode.get(code)?.row;
    return row === undefined ? [] : this.#history.actions(row);
  }

  async profile(code: string): Promise<Profile | null> {
    const row = this.#table.byCode.get(code)?.row;
    return row === undefined ? null : this.#history.profile(row, this.#now());
  }

  async investors(code: string): Promise<InvestorDay[] | null> {
    const instrument = this.#table.byCode.get(code);
    return instrument ? this.#history.investors(instrument, this.#now()) : null;
  }

  readonly candles: Venue["candles"] = (...asked) => this.#bars(false, ...asked);
  readonly ownCandles: Venue["candles"] = (...asked) => this.#bars(true, ...asked);

  async #bars(alone: boolean, code: string, ...asked: [CandlePeriod, number | null, number]): ReturnType<Venue["candles"]> {
    const row = this.#table.byCode.get(code)?.row;
    return row === undefined ? { bars: [], more: false } : this.#history.candles(row, ...asked, alone);
  }

  readonly replaySession = (opensAt: number, until: number): Promise<SessionReplay | null> => this.#history.replaySession(opensAt, until);

  readonly fresh = (at: number): boolean => this.#updates.fresh(at);

  plan(want: Want): Execution[] {
    // An instrument in a call auction does not trade before the auction.
    return this.#auctions.matching(want.row, this.#now()) === "call" ? [] : this.#book.plan(want);
  }

  readonly lotsAt: Venue["lotsAt"] = (row, side, price) => this.#book.lotsAt(row, side, price);

  readonly consume = (want: Want, executions: readonly Execution[]): void => this.effects.consume(want, executions);

  #touch(row: number): void {
    this.#state.seq[row] = (this.#state.seq[row] ?? 0) + 1;
    this.#updates.touch(row);
  }

  joinCalls(orders: (row: number) => JoinedOrders | null): void {
    this.#auctions.joined = orders;
  }

  report(trades: readonly MemberTrade[], fills: readonly MemberFill[] = [], stored?: StoredUpTo): void {
    for (const trade of trades) this.#public.report(trade);
    for (const { row, at, lots } of fills) this.#public.fill(row, at, lots);
    for (const { row, at } of [...trades, ...fills]) if (this.#public.isPast(at)) this.#history.addedTo(row);
    for (const { row } of [...trades, ...fills]) this.#touch(row);
    this.effects.emit({ reported: { trades, fills, stored } });
  }

  restore(log: MemberLog): void {
    this.#public.restore(log);
    this.#history.restored(log.past);
    this.#indices.restored();
  }

  readonly matching = (row: number, at: number): Matching => this.#auctions.matching(row, at);
  readonly lateClose: Venue["lateClose"] = (row, at) => this.#auctions.lateClose(row, at);

  callBook(row: number, odd: boolean): CallBook | null {
    const book = (odd ? this.#auctions.oddLots : this.#auctions).book(row, this.#now());
    return book && inUnits(book);
  }

  readonly pastCalls = (at: number): PastCall[] => pastCallsOf(this.#calendar, at, this.#auctions.ownCalls());

  bookClosures(from: number, until: number): readonly BookClosure[] {
    return this.#closes ? closuresOf(this.#state.market, from, until) : [];
  }

  readonly closedAtLimitDown = (row: number): boolean => this.#history.closedAtLimitDown(row);

  readonly onChange: Venue["onChange"] = (listener) => this.#events.change.add(listener);
  readonly onPhase: Venue["onPhase"] = (listener) => this.#events.phase.add(listener);

  readonly issues = (): readonly Issue[] => this.#table.issues;
  readonly issue = (code: string): Issue | null => this.#table.issue(code);

  redemptionPrice(code: string, at: number): number | null {
    const instrument = this.instrument(code);
    if (!instrument || !hasEnded(instrument, at) || this.#state.session !== this.#calendar.at(at).session) return null;
    return this.#state.reference[instrument.row] || null;
  }

  readonly offeringCrowd = (code: string): OfferingCrowd | null => this.#table.crowd(code);

  increases(at: number): readonly Increase[] {
    return this.#increases.announced(at, (row) => this.#state.reference[row] ?? 0);
  }

  issueSessionsLeft(at: number): number | null {
    return this.#state.market.issues?.sessionsLeft(this.#calendar.at(at).session) ?? null;
  }

  readonly onIssue: Venue["onIssue"] = (listener) => this.#events.issue.add(listener);

  readonly onCall: Venue["onCall"] = (listener) => this.#events.call.add(listener);
}

/** Opens the exchange as of now; it runs from `start()` to `stop()`. */
export function openVenue(options: VenueOptions): Venue {
  return new SimulatedVenue(options);
}
