/** Presents a feed as a venue, traded by the same rules as the sandbox. */
import type { Instrument, SessionPhase } from "#contract/instrument.ts";
import type { Code } from "#contract/kernel/id.ts";
import { epochMs, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Profile } from "#contract/profile.ts";
import { limitsOf } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import { contributionOf } from "#server/venue/market-data/index-contribution.ts";
import { heatOf } from "#server/venue/market-data/sector-heat.ts";
import { TtlCache } from "#server/venue/market-data/ttl-cache.ts";
import { callAfter, matchingIn } from "#server/venue/calendar/session-phase.ts";
import type { Call, Venue } from "#server/venue/venue.ts";
import { relatedTo } from "#server/venue/simulator/company-profile.ts";
import { Rank } from "#server/venue/market-data/ranking.ts";
import { NO_LIMITS } from "#server/venue/market-data/market-snapshot.ts";
import type { MarketSnapshot } from "#server/venue/market-data/market-snapshot.ts";
import { BOARD_INDICES } from "#server/venue/reference-data/indices.ts";
import { ConsumedLiquidity, sweepBook } from "#server/venue/matching/book-sweep.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";
import { constituentsOf } from "./listing.ts";
import { LiveMarketState } from "./live-market-state.ts";
import { LiveHistory } from "./live-history.ts";
import type { Feed, FeedLog, Tick } from "./port.ts";

/** Interval between change notifications, in milliseconds. */
const NOTIFY_INTERVAL_MS = 50;

export interface LiveVenueOptions {
  log: FeedLog;
  /** The clock, in epoch milliseconds. */
  now?: () => number;
}

/**
 * Opens a feed as a venue; it runs from `start()` to `stop()`.
 * @throws FeedFailed when the feed cannot be opened
 */
export async function openLiveVenue(feed: Feed, { log, now = Date.now }: LiveVenueOptions): Promise<Venue> {
  const listing = await feed.open();
  const { instruments, categories } = listing;
  const calendar = calendarOf(listing.hours);
  const byCode = new Map(instruments.map((instrument) => [String(instrument.code), instrument]));
  const state = new LiveMarketState(listing, calendar);
  const history = new LiveHistory(feed, listing, state);
  const consumed = new ConsumedLiquidity(state.book);
  const constituents = constituentsOf(instruments);
  /** The limits reported by the feed; where there are none, those computed from the reference. */
  const limits = (row: number): DayLimits | null => {
    const reported = state.feedLimits(row);
    const instrument = instruments[row];
    if (reported !== null || !instrument) return reported === "none" ? null : reported;
    return limitsOf(instrument, state.reference[row] ?? 0, feed.clock(now()));
  };
  const snapshot: MarketSnapshot = {
    instruments,
    categories,
    columns: state,
    // A feed reports the reference of an ex-date, but not the dividend.
    previous: (row) => state.reference[row] ?? 0,
    limits: (row) => limits(row) ?? NO_LIMITS,
  };
  const rank = new Rank(snapshot);
  const heat = new TtlCache(() => heatOf(snapshot));
  const contribution = new TtlCache((row: number) => contributionOf(snapshot, row, constituents.get(row) ?? []));
  const changeListeners = new Set<(rows: readonly number[]) => void>();
  const phaseListeners = new Set<(phase: SessionPhase, endsAt: number | null) => void>();
  const callListeners = new Set<(call: Call) => void>();
  const touched = new Set<number>();
  let timer: ReturnType<typeof setInterval> | null = null;
  /** When, by our clock, the feed last sent any tick, and last confirmed that all ticks are still valid. */
  let lastTickAt = Number.NEGATIVE_INFINITY;
  let aliveAt = Number.NEGATIVE_INFINITY;
  /** The last phase listeners were notified of; null to notify them in any case. */
  let phase: SessionPhase | null = null;

  /** The moment by our clock of a market time. */
  const toOurClock = (moment: number, at: number): number => Math.round(at + (moment - feed.clock(at)) / feed.speed);

  /** Follows the market's clock into another session. */
  const advance = (at: number): void => {
    if (!state.advance(feed.clock(at))) return;
    history.begin(calendar.dayOf(state.session));
    for (const row of instruments.keys()) touched.add(row);
    phase = null;
  };

  const onTick = (tick: Tick): void => {
    const at = now();
    if (tick.kind === "lost") {
      aliveAt = lastTickAt = Number.NEGATIVE_INFINITY;
      for (const row of state.clearBooks()) touched.add(row);
    } else if (tick.kind === "alive") {
      aliveAt = lastTickAt = at;
    } else {
      const row = byCode.get(tick.code)?.row;
      if (row === undefined) return;
      advance(at);
      if (state.apply(row, tick, feed.clock(at), at)) touched.add(row);
      if (state.lastTickAt(row) === at) lastTickAt = at;
    }
  };

  const notify = (): void => {
    const at = now();
    advance(at);
    const position = calendar.at(feed.clock(at));
    consumed.prune();
    if (position.phase !== phase) {
      const before = phase;
      phase = position.phase;
      const endsAt = position.endsAt === null ? null : toOurClock(position.endsAt, at);
      for (const listener of phaseListeners) listener(phase, endsAt);
      const kind = before && callAfter(before, phase);
      if (kind) for (const listener of callListeners) listener({ kind, rows: null });
    }
    if (touched.size === 0) return;
    const rows = [...touched];
    touched.clear();
    for (const listener of changeListeners) listener(rows);
  };

  /** A caller that checks how fresh a row is, or reads its book, is about to trade on it. */
  const focus = (row: number): void => feed.focus?.(instruments[row]?.code ?? "");

  const fresh = (at: number, row?: number): boolean => {
    if (row === undefined) return at - lastTickAt < feed.patienceMs;
    focus(row);
    return at - Math.max(aliveAt, state.lastTickAt(row)) < feed.patienceMs;
  };

  const levels = (row: number, side: "bids" | "asks"): Level[] => {
    const taken = consumed.of(row, side);
    return state.shown(row)[side].flatMap(([price, lots]): Level[] => {
      const left = lots - (taken?.get(price) ?? 0);
      return left > 0 ? [[price, left]] : [];
    });
  };

  /** The index of an instrument's board; for an index that of its constituents' board, unless it is the same. */
  const indexOf = ({ row, code, kind, board }: Instrument): Code | null => {
    const [listed, otc] = BOARD_INDICES;
    const own = kind === "index" ? instruments[constituents.get(row)?.[0] ?? -1]?.board : board;
    const index = own === "listed" ? listed : own === "otc" ? otc : null;
    return index === null || index === code ? null : (byCode.get(index)?.code ?? null);
  };

  const profile = (instrument: Instrument): Profile => ({
    code: instrument.code,
    listedAt: instrument.listedDay > 0 ? taipeiMidnight(instrument.listedDay) : null,
    fundamentals: null,
    yearHigh: null,
    yearLow: null,
    index: indexOf(instrument),
    related: relatedTo(instrument, instruments, ({ row, issuedThousands }) => issuedThousands * (state.reference[row] ?? 0)),
  });

  advance(now());

  return {
    instruments,
    categories,
    start() {
      if (timer) return;
      feed.start(onTick);
      notify();
      timer = setInterval(notify, NOTIFY_INTERVAL_MS);
      log.info({ universe: listing.universe, instruments: instruments.length }, "feed started");
    },
    async stop() {
      if (timer) clearInterval(timer);
      timer = null;
      await feed.stop();
    },
    state(at) {
      const position = calendar.at(feed.clock(at));
      return {
        universe: listing.universe,
        phase: position.phase,
        phaseEndsAt: position.endsAt === null ? null : epochMs(toOurClock(position.endsAt, at)),
        opensAt: epochMs(calendar.opensAt(position.session)),
        closesAt: epochMs(calendar.closesAt(position.session)),
        simulated: listing.simulated,
      };
    },
    phase: (at) => calendar.at(feed.clock(at)).phase,
    instrument: (code) => byCode.get(code),
    quote(row) {
      const best = { bid: levels(row, "bids")[0]?.[0] ?? 0, ask: levels(row, "asks")[0]?.[0] ?? 0 };
      return state.quote(row, best, instruments[row]?.lotShares ?? 1);
    },
    limits,
    depth(row) {
      focus(row);
      return {
        row,
        seq: state.seq[row] ?? 0,
        at: epochMs(state.at[row] ?? 0),
        bids: levels(row, "bids"),
        asks: levels(row, "asks"),
        atBid: state.tape.atBid[row] ?? 0,
        atAsk: state.tape.atAsk[row] ?? 0,
        // A feed's trial book is what is left after the trial match, and no feed reports the trial price.
        trial: null,
        pausedUntil: null,
      };
    },
    tape: (row, after, limit) => state.tape.read(row, after, limit),
    rank: (view) => rank.first(view, now()),
    heat: () => heat.get(null, now()),
    contribution: (row) => (constituents.has(row) ? contribution.get(row, now()) : null),
    // The current feeds report no ex-events: the references on ex-dates already include them.
    actions: async () => [],
    async profile(code) {
      const instrument = byCode.get(code);
      return instrument ? profile(instrument) : null;
    },
    async candles(code, period, before, limit) {
      const instrument = byCode.get(code);
      return instrument ? history.candles(instrument, period, before, limit) : { bars: [], more: false };
    },
    // What it has observed of its past is not enough for a replay.
    replaySession: async () => null,
    fresh,
    plan(want) {
      // Nothing trades on the book of a trial match, or on one that was not confirmed recently.
      if (state.shown(want.row).trial || !fresh(now(), want.row)) return [];
      return sweepBook(levels(want.row, want.side === "buy" ? "asks" : "bids"), want);
    },
    consume(want, executions) {
      if (executions.length === 0) return;
      consumed.consume(want, executions);
      state.seq[want.row] = (state.seq[want.row] ?? 0) + 1;
      touched.add(want.row);
    },
    matching(row, at) {
      const matching = matchingIn(calendar.at(feed.clock(at)).phase);
      return matching === "continuous" && state.shown(row).trial ? "call" : matching;
    },
    callBook(row, odd) {
      const instrument = instruments[row];
      if (!instrument?.tradable || odd) return null;
      const { last, reference } = state;
      const anchor = (last[row] ?? 0) || (reference[row] ?? 0);
      return {
        kind: instrument.kind,
        bids: levels(row, "bids"),
        asks: levels(row, "asks"),
        anchor,
        limits: limits(row),
      };
    },
    // The book of a call that is over is not kept by anybody.
    lastCall: () => null,
    // The current feeds do not report how the previous day ended.
    closedAtLimitDown: () => false,
    onCall(listener) {
      callListeners.add(listener);
      return () => callListeners.delete(listener);
    },
    onChange(listener) {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
    onPhase(listener) {
      phaseListeners.add(listener);
      return () => phaseListeners.delete(listener);
    },
  };
}
