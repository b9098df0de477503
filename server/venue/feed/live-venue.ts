/** A real market as the venue the broker knows: what a feed tells, shown and traded on by the same rules as the sandbox's. */
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

/** How often listeners hear of what changed. */
const BEAT_MS = 50;

export interface LiveOptions {
  log: FeedLog;
  /** The clock, in epoch milliseconds. */
  now?: () => number;
}

/**
 * Open a feed as a venue; it lives from `start()` to `stop()`.
 * @throws FeedFailed when the feed cannot be opened
 */
export async function openLiveVenue(feed: Feed, { log, now = Date.now }: LiveOptions): Promise<Venue> {
  const listing = await feed.open();
  const { instruments, categories } = listing;
  const calendar = calendarOf(listing.hours);
  const byCode = new Map(instruments.map((instrument) => [String(instrument.code), instrument]));
  const floor = new LiveMarketState(listing, calendar);
  const history = new LiveHistory(feed, listing, floor);
  const taken = new ConsumedLiquidity(floor.book);
  const constituents = constituentsOf(instruments);
  /** The feed's own word; where it has none, what follows from the reference. */
  const limits = (row: number): DayLimits | null => {
    const told = floor.limitsTold(row);
    const instrument = instruments[row];
    if (told !== null || !instrument) return told === "none" ? null : told;
    return limitsOf(instrument, floor.reference[row] ?? 0, feed.clock(now()));
  };
  const snapshot: MarketSnapshot = {
    instruments,
    categories,
    columns: floor,
    // A feed tells the reference of an ex-date, and not what went out with it.
    previous: (row) => floor.reference[row] ?? 0,
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
  /** When, by our clock, the feed last spoke of anything, and last said that all of it holds. */
  let spokeAt = Number.NEGATIVE_INFINITY;
  let aliveAt = Number.NEGATIVE_INFINITY;
  /** The phase listeners know; null when they must hear of it whatever it is. */
  let phase: SessionPhase | null = null;

  /** When, by our clock, a moment of the market is. */
  const ours = (moment: number, at: number): number => Math.round(at + (moment - feed.clock(at)) / feed.speed);

  /** Follow the market's clock into another session. */
  const move = (at: number): void => {
    if (!floor.move(feed.clock(at))) return;
    history.begin(calendar.dayOf(floor.session));
    for (const row of instruments.keys()) touched.add(row);
    phase = null;
  };

  const tell = (tick: Tick): void => {
    const at = now();
    if (tick.kind === "lost") {
      aliveAt = spokeAt = Number.NEGATIVE_INFINITY;
      for (const row of floor.forget()) touched.add(row);
    } else if (tick.kind === "alive") {
      aliveAt = spokeAt = at;
    } else {
      const row = byCode.get(tick.code)?.row;
      if (row === undefined) return;
      move(at);
      if (floor.take(row, tick, feed.clock(at), at)) touched.add(row);
      if (floor.heard(row) === at) spokeAt = at;
    }
  };

  const beat = (): void => {
    const at = now();
    move(at);
    const position = calendar.at(feed.clock(at));
    taken.sweep();
    if (position.phase !== phase) {
      const before = phase;
      phase = position.phase;
      const endsAt = position.endsAt === null ? null : ours(position.endsAt, at);
      for (const listener of phaseListeners) listener(phase, endsAt);
      const kind = before && callAfter(before, phase);
      if (kind) for (const listener of callListeners) listener({ kind, rows: null });
    }
    if (touched.size === 0) return;
    const rows = [...touched];
    touched.clear();
    for (const listener of changeListeners) listener(rows);
  };

  /** Who asks how fresh a row is, or for its book, means to trade on it. */
  const focus = (row: number): void => feed.focus?.(instruments[row]?.code ?? "");

  const fresh = (at: number, row?: number): boolean => {
    if (row === undefined) return at - spokeAt < feed.patienceMs;
    focus(row);
    return at - Math.max(aliveAt, floor.heard(row)) < feed.patienceMs;
  };

  const side = (row: number, which: "bids" | "asks"): Level[] => {
    const gone = taken.of(row, which);
    return floor.shown(row)[which].flatMap(([price, lots]): Level[] => {
      const left = lots - (gone?.get(price) ?? 0);
      return left > 0 ? [[price, left]] : [];
    });
  };

  /** The index of an instrument's board; of an index, that of its constituents', unless it is that one. */
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
    related: relatedTo(instrument, instruments, ({ row, issuedThousands }) => issuedThousands * (floor.reference[row] ?? 0)),
  });

  move(now());

  return {
    instruments,
    categories,
    start() {
      if (timer) return;
      feed.start(tell);
      beat();
      timer = setInterval(beat, BEAT_MS);
      log.info({ universe: listing.universe, instruments: instruments.length }, "the feed has begun");
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
        phaseEndsAt: position.endsAt === null ? null : epochMs(ours(position.endsAt, at)),
        opensAt: epochMs(calendar.opensAt(position.session)),
        closesAt: epochMs(calendar.closesAt(position.session)),
        simulated: listing.simulated,
      };
    },
    phase: (at) => calendar.at(feed.clock(at)).phase,
    instrument: (code) => byCode.get(code),
    quote(row) {
      const best = { bid: side(row, "bids")[0]?.[0] ?? 0, ask: side(row, "asks")[0]?.[0] ?? 0 };
      return floor.quote(row, best, instruments[row]?.lotShares ?? 1);
    },
    limits,
    depth(row) {
      focus(row);
      return {
        row,
        seq: floor.seq[row] ?? 0,
        at: epochMs(floor.at[row] ?? 0),
        bids: side(row, "bids"),
        asks: side(row, "asks"),
        atBid: floor.tape.atBid[row] ?? 0,
        atAsk: floor.tape.atAsk[row] ?? 0,
        // A feed's trial book is what the trial left over, and no feed tells what it would strike.
        trial: null,
        pausedUntil: null,
      };
    },
    tape: (row, after, limit) => floor.tape.read(row, after, limit),
    rank: (view) => rank.first(view, now()),
    heat: () => heat.get(null, now()),
    contribution: (row) => (constituents.has(row) ? contribution.get(row, now()) : null),
    // The feeds there are tell no ex-events: the references of an ex-date are already made from them.
    actions: async () => [],
    async profile(code) {
      const instrument = byCode.get(code);
      return instrument ? profile(instrument) : null;
    },
    async candles(code, period, before, limit) {
      const instrument = byCode.get(code);
      return instrument ? history.candles(instrument, period, before, limit) : { bars: [], more: false };
    },
    // It knows of its past what it saw, which is not enough to tell of.
    review: async () => null,
    fresh,
    plan(want) {
      // A book that is being tried out, or that nobody has confirmed lately, gives nothing.
      if (floor.shown(want.row).trial || !fresh(now(), want.row)) return [];
      return sweepBook(side(want.row, want.side === "buy" ? "asks" : "bids"), want);
    },
    consume(want, executions) {
      if (executions.length === 0) return;
      taken.take(want, executions);
      floor.seq[want.row] = (floor.seq[want.row] ?? 0) + 1;
      touched.add(want.row);
    },
    matching(row, at) {
      const matching = matchingIn(calendar.at(feed.clock(at)).phase);
      return matching === "continuous" && floor.shown(row).trial ? "call" : matching;
    },
    callBook(row, odd) {
      const instrument = instruments[row];
      if (!instrument?.tradable || odd) return null;
      const { last, reference } = floor;
      const anchor = (last[row] ?? 0) || (reference[row] ?? 0);
      return {
        kind: instrument.kind,
        bids: side(row, "bids"),
        asks: side(row, "asks"),
        anchor,
        limits: limits(row),
      };
    },
    // The feeds there are do not tell how a day before ended.
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
