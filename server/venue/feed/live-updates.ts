/** Applies a feed's ticks to the live market, and every 50 ms emits changed rows, new phases and call auctions. */
import type { Instrument, SessionPhase } from "#contract/instrument.ts";
import { callsAfter } from "#server/venue/calendar/session-phase.ts";
import type { Position } from "#server/venue/calendar/trading-calendar.ts";
import type { VenueEvents } from "#server/venue/venue-events.ts";
import type { LiveBook } from "./live-book.ts";
import type { LiveHistory } from "./live-history.ts";
import type { LiveMarketState } from "./live-market-state.ts";
import type { MarketClock } from "./market-clock.ts";
import type { Feed, Tick } from "./port.ts";

/** Interval between change notifications, in milliseconds. */
const NOTIFY_INTERVAL_MS = 50;

/** A market known through a feed. */
export interface LiveMarket {
  readonly feed: Feed;
  readonly clock: MarketClock;
  readonly byCode: ReadonlyMap<string, Instrument>;
  readonly state: LiveMarketState;
  readonly book: LiveBook;
  readonly history: LiveHistory;
}

/** The market is in the session of its construction; it follows the feed from `start()` to `stop()`. */
export class LiveUpdates {
  readonly #market: LiveMarket;
  readonly #events: VenueEvents;
  readonly #now: () => number;
  /** Rows that changed since the last notification. */
  readonly #touched = new Set<number>();
  #timer: ReturnType<typeof setInterval> | null = null;
  /** When, by our clock, the feed last sent any tick, and last confirmed that all ticks are still valid. */
  #lastTickAt = Number.NEGATIVE_INFINITY;
  #aliveAt = Number.NEGATIVE_INFINITY;
  /** The last phase listeners were notified of; null to notify them in any case. */
  #phase: SessionPhase | null = null;
  #phaseEndsAt: number | null = null;

  constructor(market: LiveMarket, events: VenueEvents, now: () => number) {
    this.#market = market;
    this.#events = events;
    this.#now = now;
    this.#advance(now());
  }

  /** Starts the feed and the notifications. @returns false where they have been started before */
  start(): boolean {
    if (this.#timer) return false;
    this.#market.feed.start((tick) => this.#apply(tick));
    this.#notify();
    this.#timer = setInterval(() => this.#notify(), NOTIFY_INTERVAL_MS);
    return true;
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    await this.#market.feed.stop();
  }

  /** Reports a row with the next notification. */
  touch(row: number): void {
    this.#touched.add(row);
  }

  /** Whether the feed's data is recent enough to trade on: of the market, or of one row. */
  fresh(at: number, row?: number): boolean {
    const confirmedAt = row === undefined ? this.#lastTickAt : Math.max(this.#aliveAt, this.#market.state.lastTickAt(row));
    return at - confirmedAt < this.#market.feed.patienceMs;
  }

  /** Follows the market's clock into another session. */
  #advance(at: number): void {
    const { book, byCode, clock, history, state } = this.#market;
    if (!state.advance(clock.at(at))) return;
    book.clear();
    history.begin(clock.calendar.dayOf(state.session));
    for (const { row } of byCode.values()) this.#touched.add(row);
    this.#phase = null;
  }

  #apply(tick: Tick): void {
    const { byCode, clock, state } = this.#market;
    const at = this.#now();
    if (tick.kind === "lost") {
      this.#aliveAt = this.#lastTickAt = Number.NEGATIVE_INFINITY;
      for (const row of state.clearBooks()) this.#touched.add(row);
    } else if (tick.kind === "alive") {
      this.#aliveAt = this.#lastTickAt = at;
    } else {
      const row = byCode.get(tick.code)?.row;
      if (row === undefined) return;
      this.#advance(at);
      if (state.apply(row, tick, clock.at(at), at)) this.#touched.add(row);
      if (state.lastTickAt(row) === at) this.#lastTickAt = at;
    }
  }

  #notify(): void {
    const at = this.#now();
    this.#advance(at);
    const position = this.#market.clock.position(at);
    this.#market.book.prune();
    if (position.phase !== this.#phase) this.#beginPhase(position, at);
    if (this.#touched.size === 0) return;
    const rows = [...this.#touched];
    this.#touched.clear();
    this.#events.change.emit(rows);
  }

  #beginPhase({ phase, endsAt }: Position, now: number): void {
    const kinds = this.#phase ? callsAfter(this.#phase, phase) : [];
    const at = this.#phaseEndsAt ?? now;
    this.#phase = phase;
    this.#phaseEndsAt = endsAt;
    this.#events.phase.emit(phase, endsAt);
    for (const kind of kinds) this.#events.call.emit({ kind, rows: null, at });
  }
}
