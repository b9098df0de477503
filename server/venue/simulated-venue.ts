/** The sandbox exchange: a market made from a seed, opened as the venue the broker knows. */
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
import { BEAT_MS, TickScheduler } from "#server/venue/simulator/tick-scheduler.ts";
import { Rank } from "#server/venue/market-data/ranking.ts";
import type { MarketSnapshot } from "#server/venue/market-data/market-snapshot.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";

/** How long the feed may be silent before nothing is traded on it. */
const FRESH_MS = 2_000;
/** When the server has settled down, the indices' long past is prepared in the background. */
const PREPARE_AFTER_MS = 10_000;

export interface VenueOptions {
  /** The market's seed: the same seed is the same market, at every moment, on every machine. */
  seed: Seed;
  /** Quote updates a second over the whole market. */
  rate: number;
  hours: Hours;
  /** The clock, in epoch milliseconds. */
  now?: () => number;
}

/** Open the exchange as it stands now; it lives from `start()` to `stop()`. */
export function openVenue(options: VenueOptions): Venue {
  const now = options.now ?? ((): number => Date.now());
  const market = marketOf(options.seed, options.hours);
  const { calendar, referenceData: listed } = market;
  // Everybody reads it: it tells markets apart, and nothing of the seed.
  const universe = `sandbox-${options.hours}-${fingerprint(options.seed)}-4`;
  const instruments = listed.listings.map(({ instrument }) => tradingEligibility(instrument, market.key, calendar));
  const byCode = new Map(instruments.map((instrument) => [String(instrument.code), instrument]));
  const state = new MarketState(market);
  const book = new DisplayedBook(state);
  const calling = new AuctionBook(state, (row) => (instruments[row]?.tradable ? instruments[row].lotShares : 0));
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
  const pulse = new TickScheduler(state, options.rate);
  const dailyBars = new DailyBarCache(market);
  const historyClient = new HistoryClient(options.seed, options.hours);
  const changeListeners = new Set<(rows: readonly number[]) => void>();
  const phaseListeners = new Set<(phase: SessionPhase, endsAt: number | null) => void>();
  const callListeners = new Set<(call: Call) => void>();
  const touched = new Set<number>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let preparing: ReturnType<typeof setTimeout> | null = null;
  let lastBeat = Number.NEGATIVE_INFINITY;
  let phase = calendar.at(now()).phase;
  let oddRound = calling.oddRound(now());
  state.move(calendar.at(now()), now());

  const call = (kind: CallKind, rows: readonly number[] | null): void => {
    for (const listener of callListeners) listener({ kind, rows });
  };

  const beat = (): void => {
    const at = now();
    const position = calendar.at(at);
    const began = state.move(position, at);
    for (const row of state.pausing) touched.add(row);
    const rows = pulse.beat(at, position.phase, position.offsetMs, began, touched);
    touched.clear();
    book.sweep();
    state.anticipate();
    lastBeat = at;
    if (began || position.phase !== phase) {
      const kind = callAfter(phase, position.phase);
      phase = position.phase;
      for (const listener of phaseListeners) listener(phase, position.endsAt);
      if (kind) call(kind, null);
    }
    if (state.resuming.length > 0) call("resume", [...state.resuming]);
    const round = calling.oddRound(at);
    if (round !== oddRound && round >= 0) call("odd", null);
    oddRound = round;
    if (rows.length > 0) for (const listener of changeListeners) listener(rows);
  };
  const schedule = (): void => {
    // Beats stand on the clock, so that one that is late does not push the next.
    timer = setTimeout(
      () => {
        schedule();
        beat();
      },
      BEAT_MS - (now() % BEAT_MS),
    );
  };

  return {
    instruments,
    categories: listed.categories,
    start() {
      if (timer) return;
      beat();
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
      const trial = calling.shown(row, now());
      const best = trial ? { bid: trial.bids[0]?.[0] ?? 0, ask: trial.asks[0]?.[0] ?? 0 } : book.best(row);
      return state.quote(row, best, instruments[row]?.lotShares ?? 1);
    },
    limits(row, at) {
      const instrument = instruments[row];
      return instrument ? limitsOf(instrument, state.reference[row] ?? 0, at) : null;
    },
    depth(row) {
      const at = now();
      const shown = calling.shown(row, at);
      const pausedUntil = calling.pausedUntil(row, at);
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
    tape: (row, after, limit) => state.told(row, after, limit),
    rank: (view) => rank.first(view, now()),
    heat: () => heat.get(null, now()),
    contribution: (row) => (state.indices.rows.includes(row) ? contribution.get(row, now()) : null),
    async candles(code, period, before, limit) {
      const row = byCode.get(code)?.row;
      if (row === undefined) return { bars: [], more: false };
      return historyClient.ask({ what: "bars", row, period, before, limit, live: state.live(row) });
    },
    async actions(code) {
      const row = byCode.get(code)?.row;
      return row === undefined ? [] : historyClient.ask({ what: "actions", row, session: state.session });
    },
    async profile(code) {
      const row = byCode.get(code)?.row ?? -1;
      const listing = listed.listings[row];
      if (!listing) return null;
      const { session } = state;
      const [actions, reach] = await Promise.all([
        historyClient.ask({ what: "actions", row, session }),
        historyClient.ask({ what: "reach", row, session }),
      ]);
      const highs = [reach?.high ?? 0, state.high[row] ?? 0];
      const lows = [reach?.low ?? 0, state.low[row] ?? 0];
      return profileOf(listed, listing, market.models[row]?.parameters.key ?? null, { actions, highs, lows, now: now() });
    },
    review: (opensAt, until) => historyClient.ask({ what: "review", opensAt, until }),
    // Between a session's beginning and its first beat the prices are still those of the session before.
    fresh: (at) => at - lastBeat < FRESH_MS && calendar.at(at).session === state.session,
    // What gathers for a call is not traded before it is struck.
    plan: (want) => (calling.matching(want.row, now()) === "call" ? [] : book.plan(want)),
    consume(want, executions) {
      if (executions.length === 0) return;
      book.consume(want, executions);
      state.seq[want.row] = (state.seq[want.row] ?? 0) + 1;
      touched.add(want.row);
    },
    matching: (row, at) => calling.matching(row, at),
    callBook: (row, odd) => (odd ? calling.oddBook(row, now()) : calling.book(row, now())),
    closedAtLimitDown(row) {
      const who = market.models[row];
      const before = state.session - 1;
      if (!who || before < Math.max(1, who.listed)) return false;
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
