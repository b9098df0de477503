/** A venue whose books, quotes, phase and freshness are set by the test. */
import { CANDLE_FIELDS } from "#contract/candle.ts";
import type { Candle } from "#contract/candle.ts";
import type { Instrument, Kind, SessionPhase } from "#contract/instrument.ts";
import type { Code } from "#contract/kernel/id.ts";
import { SECOND_MS, epochMs, taipeiDay } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import type { Depth, Quote, RankView } from "#contract/quote.ts";
import { TAPE_STRIDE } from "#contract/tape.ts";
import { dayLimits, limitsOf, usualLimitPercent } from "#contract/tick.ts";
import type { Increase, Issue, OfferingCrowd } from "#server/venue/issue.ts";
import { monthsOf } from "#server/venue/calendar/months.ts";
import { matchingIn } from "#server/venue/calendar/session-phase.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import type { MemberFill, MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { CallBook } from "#server/venue/matching/call-auction.ts";
import type {
  LateClose,
  BlockListing,
  BookClosure,
  Call,
  CallKind,
  DemandListing,
  Matching,
  PastCall,
  Venue,
} from "#server/venue/venue.ts";
import { levelsOf, rowOf as at, units, walk } from "./fake-book.ts";
import type { FakeBook, FakeCall } from "./fake-book.ts";

export interface FakeVenue extends Venue {
  /** The members' trades that were published, and what moves prices, in order; they change neither quotes nor tapes. */
  readonly reported: MemberTrade[];
  readonly moving: MemberFill[];
  /** Changes a row and notifies listeners. */
  set(row: number, book: FakeBook): void;
  /** Sets the phase and, where it has one, its end: a closed market opens there. */
  setPhase(phase: SessionPhase, endsAt?: number | null): void;
  /** Sets the market's own orders in a row's call auctions (none by default), or that it has no auctions; `odd` for odd lots. */
  setCall(row: number, call: FakeCall | null, odd?: boolean): void;
  /** Overrides how a row is matched; null follows the phase. */
  setMatching(row: number, matching: Matching | null): void;
  /** Puts off the close of a row; null for none. */
  setLateClose(row: number, late: LateClose | null): void;
  /** Marks a row as having closed at its lower limit the day before. */
  setLimitDown(row: number): void;
  /** Executes a call auction; `at`: when it was due, by default now, and well after any before it. */
  call(kind: CallKind, rows?: readonly number[] | null, at?: number): void;
  /** Sets which calls of the session have taken place, and the minute bars around them, by code. */
  setPastCalls(calls: readonly PastCall[], bars: Readonly<Record<string, readonly Candle[]>>): void;
  /** Sets the registers that close. */
  setClosures(closures: readonly BookClosure[]): void;
  setFresh(fresh: boolean): void;
  /** Sets what sellers of blocks offer, as long as an offer lasts; null closes block trading. */
  setBlocks(offers: readonly Omit<BlockListing, "left">[] | null): void;
  /** Sets what borrowers of shares ask for; null closes lending. */
  setDemands(demands: readonly DemandListing[] | null): void;
  /** Announces issues, each with what the crowd does in its offering. */
  setIssues(issues: readonly { issue: Issue; crowd: OfferingCrowd }[]): void;
  /** Announces capital increases; their ex-events are set apart from them, as `actions`. */
  setIncreases(increases: readonly Increase[]): void;
  /** Starts another trading day and notifies listeners; by default there is one endless day. */
  setDay(opensAt: number, closesAt: number): void;
  /** Sets what an index lost to dividends at the start of the day. */
  setExDividend(row: number, points: number | null): void;
  /** Lets fee days pass, with the close of each row on the day before; by default none pass. */
  setFeeDay(day: number, closes?: Readonly<Record<number, number>>): void;
}

/** Makes an instrument: by default a TWD stock with lots of 1,000 shares. */
export function fakeInstrument(row: number, code: string, over: Partial<Instrument> = {}): Instrument {
  const kind: Kind = over.kind ?? "stock";
  return {
    row,
    code: code as Code,
    zh: code,
    zhCn: code,
    en: code,
    kind,
    board: "listed",
    category: "24",
    decimals: 2,
    lotShares: kind === "crypto" ? 1 : 1000,
    issuedThousands: 0,
    tradable: true,
    shortable: true,
    dayTradable: true,
    marginable: true,
    watch: "none",
    fictitious: false,
    sellLockSeconds: 0,
    listedDay: 0,
    limitPercent: usualLimitPercent(kind),
    bonds: false,
    tradesFrom: 0,
    freeUntil: 0,
    ...over,
  };
}

/** Tells whether an instrument belongs to a ranking. The fake ranks by row only. */
function ranked(instrument: Instrument, { board, category }: RankView): boolean {
  if (board === null ? !instrument.tradable : instrument.board !== board) return false;
  return category === null || instrument.category === category;
}

const NO_PROFILE = { listedAt: null, fundamentals: null, yearHigh: null, yearLow: null, index: null, related: [] };

/** Makes a venue of these instruments, each at 100.00 with an empty book. */
export function fakeVenue(instruments: readonly Instrument[], now: () => number = Date.now): FakeVenue {
  const listeners = new Set<(rows: readonly number[]) => void>();
  const phaseListeners = new Set<(phase: SessionPhase, endsAt: number | null) => void>();
  const callListeners = new Set<(call: Call) => void>();
  let calledAt = 0;
  const calls = new Map<string, FakeCall | null>();
  const matchings = new Map<number, Matching>();
  const lateCloses = new Map<number, LateClose | null>();
  const limitDown = new Set<number>();
  let closing: readonly BookClosure[] = [];
  let past: readonly PastCall[] = [];
  let minuteBars: Readonly<Record<string, readonly Candle[]>> = {};
  let phaseNow: SessionPhase = "open";
  let phaseEndsAt: EpochMs | null = null;
  let freshNow = true;
  let listings: readonly Omit<BlockListing, "left">[] | null = [];
  const taken = new Map<string, number>();
  let asked: readonly DemandListing[] | null = [];
  let increased: readonly Increase[] = [];
  let offered: readonly { issue: Issue; crowd: OfferingCrowd }[] = [];
  const endless = { opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER };
  const days = [endless];
  const dayAt = (moment: number) => days.findLast(({ opensAt }) => opensAt <= moment) ?? endless;
  let feeDayNow = 0;
  const [closes, exDividends] = [new Map<number, number>(), new Map<number, number | null>()];
  const quotes = instruments.map(({ row }): Quote => ({
    row,
    seq: 1,
    at: 0,
    last: units(100),
    open: units(100),
    high: units(100),
    low: units(100),
    reference: units(100),
    volume: 0,
    turnover: 0,
    bid: 0,
    ask: 0,
  }));
  const depths = instruments.map(({ row }): Depth => ({
    row,
    seq: 1,
    at: 0 as EpochMs,
    bids: [],
    asks: [],
    atBid: 0,
    atAsk: 0,
    trial: null,
    pausedUntil: null,
    isDelayedOpen: false,
    isDelayedClose: false,
    ordersFrom: null,
    callsEveryMs: null,
  }));
  const tapes = instruments.map((): number[] => []);
  const reported: MemberTrade[] = [];
  const moving: MemberFill[] = [];
  const readTape: Venue["tape"] = (row, after, limit) =>
    at(tapes, row)
      .slice(after * TAPE_STRIDE)
      .slice(-limit * TAPE_STRIDE);
  const readQuote = (row: number): Quote => ({ ...at(quotes, row) });
  return {
    instruments,
    categories: [],
    blocks: {
      hours: () => ({ open: listings !== null, changesAt: null }),
      offers: (moment) =>
        (listings ?? [])
          .filter(({ opensAt, closesAt }) => opensAt <= moment && moment < closesAt)
          .map((offer) => ({ ...offer, left: offer.shares - (taken.get(offer.offerId) ?? 0) })),
      setTaken: (offerId, shares) => void taken.set(offerId, shares),
    },
    lending: {
      isOpen: () => asked !== null,
      demands: () => [...(asked ?? [])],
      demand: (demandId) => asked?.find((one) => one.demandId === demandId) ?? null,
    },
    setDemands: (demands) => void (asked = demands),
    months: monthsOf(calendarOf("taiwan")),
    setBlocks: (offers) => void (listings = offers),
    start: () => undefined,
    watched: () => undefined,
    stop: async () => undefined,
    state: (moment) => ({
      universe: "fake",
      phase: phaseNow,
      phaseEndsAt,
      opensAt: epochMs(dayAt(moment).opensAt),
      closesAt: epochMs(dayAt(moment).closesAt),
      simulated: true,
    }),
    feeDay: (moment) => feeDayNow + taipeiDay(moment) - taipeiDay(now()),
    previousClose: (row) => closes.get(row) ?? at(quotes, row).reference,
    exDividends: async () => [],
    exDividend: (row) => exDividends.get(row) ?? (exDividends.has(row) ? null : 0),
    phase: () => phaseNow,
    instrument: (code) => instruments.find((one) => one.code === code),
    quote: readQuote,
    publicQuote: readQuote,
    limits: (row, moment) => limitsOf(at(instruments, row), at(quotes, row).reference, moment),
    depth: (row) => structuredClone(at(depths, row)),
    tape: readTape,
    boardTape: readTape,
    publicTape: readTape,
    reported,
    moving,
    report: (trades, fills = []) => void [reported.push(...trades), moving.push(...fills)],
    restore: () => undefined,
    joinCalls: () => undefined,
    rank: (view) => instruments.flatMap((one) => (ranked(one, view) ? [one.row] : [])).slice(0, view.size),
    heat: () => [],
    contribution: () => null,
    actions: async () => [],
    investors: async () => null,
    profile: async (code) => {
      const one = instruments.find((known) => known.code === code);
      return one ? { ...NO_PROFILE, code: one.code, issuedThousands: one.issuedThousands } : null;
    },
    candles: async (code, _period, before, limit) => {
      const bars = (minuteBars[code] ?? []).filter(({ at: from }) => before === null || from < before);
      return { bars: bars.slice(-limit).flatMap((bar) => CANDLE_FIELDS.map((field) => bar[field])), more: false };
    },
    pastCalls: (moment) => past.filter(({ at: took }) => took <= moment),
    bookClosures: (from, until) => closing.filter(({ day }) => from <= day && day <= until),
    setClosures: (closures) => void (closing = closures),
    setPastCalls: (calls, bars) => {
      past = calls;
      minuteBars = bars;
    },
    replaySession: async () => null,
    fresh: () => freshNow,
    lotsAt: (row, side, level) => at(depths, row)[side].find(([each]) => each === level)?.[1] ?? 0,
    plan: (want) => walk(at(depths, want.row), want),
    consume: (want, executions) => {
      const depth = at(depths, want.row);
      const levels = want.side === "buy" ? depth.asks : depth.bids;
      for (const execution of executions) {
        const level = levels.find(([each]) => each === execution.price);
        if (!level || level[1] < execution.lots) throw new Error("consumed what the book does not have");
        level[1] -= execution.lots;
      }
      const left = levels.filter(([, lots]) => lots > 0);
      if (want.side === "buy") depth.asks = left;
      else depth.bids = left;
    },
    matching: (row) => matchings.get(row) ?? (lateCloses.get(row) ? "call" : matchingIn(phaseNow)),
    lateClose: (row) => lateCloses.get(row) ?? null,
    setLateClose: (row, late) => void lateCloses.set(row, late),
    callBook: (row, odd): CallBook | null => {
      const call = calls.get(`${row} ${odd}`);
      if (call === null) return null;
      const { kind } = at(instruments, row);
      const { last, reference } = at(quotes, row);
      const ordersOf = (orders: FakeCall["bids"] = []): CallBook["bids"] =>
        orders.map(([price, lots]) => [price === null ? null : units(price), lots]);
      return {
        kind,
        bids: ordersOf(call?.bids),
        asks: ordersOf(call?.asks),
        came: call?.came,
        anchor: call?.anchor === undefined ? last || reference : units(call.anchor),
        limits: dayLimits(at(instruments, row), reference),
      };
    },
    closedAtLimitDown: (row) => limitDown.has(row),
    issues: () => offered.map(({ issue }) => issue),
    issue: (code) => offered.find(({ issue }) => issue.code === code)?.issue ?? null,
    redemptionPrice: (code, moment) => {
      const ended = offered.find(({ issue }) => issue.code === code && moment >= (issue.fund?.maturesAt ?? Infinity));
      return ended ? at(quotes, ended.issue.row).reference : null;
    },
    offeringCrowd: (code) => offered.find(({ issue }) => issue.code === code)?.crowd ?? null,
    increases: () => increased,
    issueSessionsLeft: () => null,
    onIssue: () => () => undefined,
    onCall: (listener) => {
      callListeners.add(listener);
      return () => callListeners.delete(listener);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onPhase: (listener) => {
      phaseListeners.add(listener);
      return () => phaseListeners.delete(listener);
    },
    set: (row, book) => {
      const depth = at(depths, row);
      const quote = at(quotes, row);
      const { ask } = quote;
      if (book.bids) depth.bids = levelsOf(book.bids);
      if (book.asks) depth.asks = levelsOf(book.asks);
      if (book.last !== undefined) quote.last = units(book.last);
      if (book.reference !== undefined) quote.reference = units(book.reference);
      if (book.volume !== undefined) {
        const lots = book.volume - quote.volume;
        const lifted = ask > 0 && quote.last >= ask;
        const tape = at(tapes, row);
        tape.push(tape.length / TAPE_STRIDE + 1, now(), quote.last, lots, lifted ? 1 : -1);
        depth[lifted ? "atAsk" : "atBid"] += lots;
        quote.volume = book.volume;
      }
      quote.bid = depth.bids[0]?.[0] ?? 0;
      quote.ask = depth.asks[0]?.[0] ?? 0;
      quote.seq += 1;
      depth.seq = quote.seq;
      quote.at = now();
      for (const listener of listeners) listener([row]);
    },
    setPhase: (phase, endsAt = null) => {
      phaseNow = phase;
      phaseEndsAt = endsAt === null ? null : epochMs(endsAt);
      for (const listener of phaseListeners) listener(phase, endsAt);
    },
    setCall: (row, call, odd = false) => void calls.set(`${row} ${odd}`, call),
    setMatching: (row, matching) => {
      if (matching) matchings.set(row, matching);
      else matchings.delete(row);
    },
    setLimitDown: (row) => void limitDown.add(row),
    call: (kind, rows = null, at = Math.max(now(), calledAt + 2 * SECOND_MS)) => {
      calledAt = at;
      for (const listener of callListeners) listener({ kind, rows, at });
    },
    setIncreases: (increases) => void (increased = increases),
    setIssues: (issues) => void (offered = issues),
    setFresh: (fresh) => void (freshNow = fresh),
    setExDividend: (row, points) => void exDividends.set(row, points === null ? null : units(points)),
    setFeeDay: (day, closed = {}) => {
      feeDayNow = day;
      for (const [row, close] of Object.entries(closed)) closes.set(Number(row), units(close));
      for (const listener of phaseListeners) listener(phaseNow, null);
    },
    setDay: (opensAt, closesAt) => {
      days.push({ opensAt, closesAt });
      for (const listener of phaseListeners) listener(phaseNow, null);
    },
  };
}
