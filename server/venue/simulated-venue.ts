/** The sandbox exchange: a market generated from a seed, opened as the venue the broker trades on. */
import type { SessionPhase } from "#contract/instrument.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { limitsOf } from "#contract/tick.ts";
import { DailyBarCache } from "#server/venue/simulator/daily-bar-cache.ts";
import { HistoryClient } from "#server/venue/history/history-client.ts";
import { DisplayedBook } from "#server/venue/simulator/displayed-book.ts";
import { AuctionBook } from "#server/venue/simulator/auction-book.ts";
import { contributionOf } from "#server/venue/market-data/index-contribution.ts";
import { tradingEligibility } from "#server/venue/simulator/trading-eligibility.ts";
import { MarketState } from "#server/venue/simulator/market-state.ts";
import { heatOf } from "#server/venue/market-data/sector-heat.ts";
import { TtlCache } from "#server/venue/market-data/ttl-cache.ts";
import { fingerprint } from "./keyed-random.ts";
import type { Seed } from "./keyed-random.ts";
import { marketOf } from "#server/venue/simulator/seeded-market.ts";
import { callAfter } from "#server/venue/calendar/session-phase.ts";
import type { Call, CallKind, Venue } from "./venue.ts";
import { profileOf } from "#server/venue/simulator/company-profile.ts";
import { UPDATE_INTERVAL_MS, TickScheduler } from "#server/venue/simulator/tick-scheduler.ts";
import { Rank } from "#server/venue/market-data/ranking.ts";
import type { MarketSnapshot } from "#server/venue/market-data/market-snapshot.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";

/** How long the market may go without an update before trading on it stops. */
const FRESH_MS = 2_000;
/** After this delay the long history of the indices is precomputed in the background, when startup is over. */
const PREPARE_AFTER_MS = 10_000;

export interface VenueOptions {
  /** The market's seed: the same seed gives the same market, at every moment, on every machine. */
  seed: Seed;
  /** Quote updates a second over the whole market. */
  rate: number;
  hours: Hours;
  /** The clock, in epoch milliseconds. */
  now?: () => number;
}

/** Opens the exchange as of now; it runs from `start()` to `stop()`. */
export function openVenue(options: VenueOptions): Venue {
  const now = options.now ?? ((): number => Date.now());
  const market = marketOf(options.seed, options.hours);
  const { calendar, referenceData: listed } = market;
  // Public: tells markets apart and reveals nothing of the seed.
  const universe = `sandbox-${options.hours}-${fingerprint(options.seed)}-4`;
  const instruments = listed.listings.map(({ instrument }) => tradingEligibility(instrument, market.key, calendar));
  const byCode = new Map(instruments.map((instrument) => [String(instrument.code), instrument]));
  const state = new MarketState(market);
  const book = new DisplayedBook(state);
  const auctions = new AuctionBook(state, (row) => (instruments[row]?.tradable ? instruments[row].lotShares : 0));
  const snapshot: MarketSnapshot = {
    instruments,
    categories: listed.categories,
    columns: state,
    previous: (row) => state.previous(row),
    limits: (row) => state.limits(row),
  };
  const rank = new Rank(snapshot);
  const heat = new TtlCache(() => heatOf(snapshot));
  const contribution = new TtlCache((row: number) => contributionOf(snapshot, row, state.indices.constituents(row)));
  const scheduler = new TickScheduler(state, options.rate);
  const dailyBars = new DailyBarCache(market);
  const historyClient = new HistoryClient(options.seed, options.hours);
  const changeListeners = new Set<(rows: readonly number[]) => void>();
  const phaseListeners = new Set<(phase: SessionPhase, endsAt: number | null) => void>();
  const callListeners = new Set<(call: Call) => void>();
  const touched = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let preparing: ReturnType<typeof setTimeout> | null = null;
  let lastUpdateAt = Number.NEGATIVE_INFINITY;
  let phase = calendar.at(now()).phase;
  let oddLotCall = auctions.oddLotCallNumber(now());
  state.advance(calendar.at(now()), now());

  const call = (kind: CallKind, rows: readonly number[] | null): void => {
    for (const listener of callListeners) listener({ kind, rows });
  };

  const advance = (): void => {
    const at = now();
    const position = calendar.at(at);
    const began = state.advance(position, at);
    for (const row of state.halted) touched.add(row);
    const rows = scheduler.update(at, position.phase, position.offsetMs, began, touched);
    touched.clear();
    book.prune();
    state.prepareNextSession();
    lastUpdateAt = at;
    if (began || position.phase !== phase) {
      const kind = callAfter(phase, position.phase);
      phase = position.phase;
      for (const listener of phaseListeners) listener(phase, position.endsAt);
      if (kind) call(kind, null);
    }
    if (state.resumed.length > 0) call("resume", [...state.resumed]);
    const oddCall = auctions.oddLotCallNumber(at);
    if (oddCall !== oddLotCall && oddCall >= 0) call("odd", null);
    oddLotCall = oddCall;
    if (rows.length > 0) for (const listener of changeListeners) listener(rows);
  };
  const schedule = (): void => {
    // Updates are aligned to the clock, so that a late one does not delay the next.
    timer = setTimeout(
      () => {
        schedule();
        advance();
      },
      UPDATE_INTERVAL_MS - (now() % UPDATE_INTERVAL_MS),
    );
  };

  return {
    instruments,
    categories: listed.categories,
    start() {
      if (timer) return;
      advance();
      schedule();
      preparing = setTimeout(() => historyClient.prepare(state.session), PREPARE_AFTER_MS);
      preparing.unref();
    },
    async stop() {
      if (timer) clearTimeout(timer);
      timer = null;
      if (preparing) clearTimeout(preparing);
      preparing = null;
      historyClient.stop();
    },
    state(at) {
      const position = calendar.at(at);
      return {
        universe,
        phase: position.phase,
        phaseEndsAt: position.endsAt === null ? null : epochMs(position.endsAt),
        opensAt: epochMs(calendar.opensAt(position.session)),
        closesAt: epochMs(calendar.closesAt(position.session)),
        simulated: true,
      };
    },
    phase: (at) => calendar.at(at).phase,
    instrument: (code) => byCode.get(code),
    quote(row) {
      const trial = auctions.trialBook(row, now());
      const best = trial ? { bid: trial.bids[0]?.[0] ?? 0, ask: trial.asks[0]?.[0] ?? 0 } : book.best(row);
      return state.quote(row, best, instruments[row]?.lotShares ?? 1);
    },
    limits(row, at) {
      const instrument = instruments[row];
      return instrument ? limitsOf(instrument, state.reference[row] ?? 0, at) : null;
    },
    depth(row) {
      const at = now();
      const shown = auctions.trialBook(row, at);
      const pausedUntil = auctions.haltedUntil(row, at);
      return {
        row,
        seq: state.seq[row] ?? 0,
        at: epochMs(state.at[row] ?? 0),
        bids: shown ? shown.bids : book.side(row, "bids"),
        asks: shown ? shown.asks : book.side(row, "asks"),
        atBid: state.tape.atBid[row] ?? 0,
        atAsk: state.tape.atAsk[row] ?? 0,
        trial: shown && shown.trial,
        pausedUntil: pausedUntil === null ? null : epochMs(pausedUntil),
      };
    },
    tape: (row, after, limit) => state.readTape(row, after, limit),
    rank: (view) => rank.first(view, now()),
    heat: () => heat.get(null, now()),
    contribution: (row) => (state.indices.rows.includes(row) ? contribution.get(row, now()) : null),
    async candles(code, period, before, limit) {
      const row = byCode.get(code)?.row;
      if (row === undefined) return { bars: [], more: false };
      return historyClient.query({ what: "bars", row, period, before, limit, current: state.liveBars(row) });
    },
    async actions(code) {
      const row = byCode.get(code)?.row;
      return row === undefined ? [] : historyClient.query({ what: "actions", row, session: state.session });
    },
    async profile(code) {
      const row = byCode.get(code)?.row ?? -1;
      const listing = listed.listings[row];
      if (!listing) return null;
      const { session } = state;
      const [actions, yearRange] = await Promise.all([
        historyClient.query({ what: "actions", row, session }),
        historyClient.query({ what: "yearRange", row, session }),
      ]);
      const highs = [yearRange?.high ?? 0, state.high[row] ?? 0];
      const lows = [yearRange?.low ?? 0, state.low[row] ?? 0];
      return profileOf(listed, listing, market.models[row]?.parameters.key ?? null, { actions, highs, lows, now: now() });
    },
    replaySession: (opensAt, until) => historyClient.query({ what: "replay", opensAt, until }),
    // Between the start of a session and its first update the prices are still those of the session before.
    fresh: (at) => at - lastUpdateAt < FRESH_MS && calendar.at(at).session === state.session,
    // An instrument in a call auction does not trade before the auction.
    plan: (want) => (auctions.matching(want.row, now()) === "call" ? [] : book.plan(want)),
    consume(want, executions) {
      if (executions.length === 0) return;
      book.consume(want, executions);
      state.seq[want.row] = (state.seq[want.row] ?? 0) + 1;
      touched.add(want.row);
    },
    matching: (row, at) => auctions.matching(row, at),
    callBook: (row, odd) => (odd ? auctions.oddBook(row, now()) : auctions.book(row, now())),
    lastCall: (row, at) => auctions.lastCall(row, at),
    closedAtLimitDown(row) {
      const model = market.models[row];
      const before = state.session - 1;
      if (!model || before < Math.max(1, model.listed)) return false;
      const { close, down } = dailyBars.day(row, before);
      return close === down;
    },
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
