/** Runs the simulated market: advances it every 50 ms and emits changed rows, new phases and call auctions. */
import type { SessionPhase } from "#contract/instrument.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";
import { callsAfter } from "#server/venue/calendar/session-phase.ts";
import type { Position } from "#server/venue/calendar/trading-calendar.ts";
import type { CallKind } from "#server/venue/venue.ts";
import type { VenueEvents } from "#server/venue/venue-events.ts";
import type { AuctionBook } from "./auction-book.ts";
import type { DisplayedBook } from "./displayed-book.ts";
import type { MarketState } from "./market-state.ts";
import type { MovedMarket } from "./moved-market.ts";
import { TickScheduler, UPDATE_INTERVAL_MS } from "./tick-scheduler.ts";

/** How long the market may go without an update before trading on it stops. */
const FRESH_MS = 2_000;

/** The calls of the whole board. */
const BOARD: ReadonlySet<CallKind> = new Set(["opening", "closing"]);

/** What every update advances. */
export interface SimulatedMarket {
  readonly state: MarketState;
  readonly book: DisplayedBook;
  readonly auctions: AuctionBook;
  readonly moved: MovedMarket;
  /** Called when a session has begun, before anything is emitted. */
  readonly begun: () => void;
  /** The same when another phase has. */
  readonly phased: () => void;
}

export interface UpdateLoopOptions {
  /** Quote updates a second over the whole market. */
  rate: number;
  /** The clock, in epoch milliseconds. */
  now: () => number;
}

/** The market stands at the moment of construction; it moves from `start()` to `stop()`. */
export class UpdateLoop {
  readonly #market: SimulatedMarket;
  readonly #events: VenueEvents;
  readonly #now: () => number;
  readonly #scheduler: TickScheduler;
  /** Rows that the next update publishes whatever the scheduler picks. */
  readonly #touched = new Set<number>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #updatedAt = Number.NEGATIVE_INFINITY;
  #phase: SessionPhase;
  #phaseEndsAt: number | null;
  #oddLotCall: number;
  #trialStep = -1;

  constructor(market: SimulatedMarket, events: VenueEvents, { rate, now }: UpdateLoopOptions) {
    this.#market = market;
    this.#events = events;
    this.#now = now;
    this.#scheduler = new TickScheduler(market.state, rate);
    const at = now();
    const position = this.#position(at);
    this.#phase = position.phase;
    this.#phaseEndsAt = position.endsAt;
    this.#oddLotCall = market.auctions.oddLots.number(at);
    this.#advance(position, at);
    market.begun();
    this.#scheduler.update(position, at, true, []);
  }

  /** Updates now and from then on at every interval; a second call does nothing. */
  start(): void {
    if (this.#timer) return;
    this.#update();
    this.#schedule();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Publishes a row with the next update. */
  touch(row: number): void {
    this.#touched.add(row);
  }

  /**
   * Whether the market was updated recently enough to trade on. Between the start of a session and its first update the prices are
   * still those of the session before.
   */
  fresh(at: number): boolean {
    return at - this.#updatedAt < FRESH_MS && this.#position(at).session === this.#market.state.session;
  }

  #position(at: number): Position {
    return this.#market.state.market.calendar.at(at);
  }

  /** Advances the market to a position. @returns whether a new session began */
  #advance(position: Position, at: number): boolean {
    const { turnMinutes } = this.#scheduler;
    return this.#market.state.advance(position, at, turnMinutes, () => this.#scheduler.finishMinute());
  }

  #schedule(): void {
    // Updates are aligned to the clock, so that a late one does not delay the next.
    this.#timer = setTimeout(
      () => {
        this.#schedule();
        this.#update();
      },
      UPDATE_INTERVAL_MS - (this.#now() % UPDATE_INTERVAL_MS),
    );
  }

  #update(): void {
    const { state, book, moved } = this.#market;
    const at = this.#now();
    const position = this.#position(at);
    const began = this.#advance(position, at);
    if (began) {
      book.clear();
      this.#market.begun();
    }
    const { halted, openedLate, resumed, called, between, closedLate } = state.events;
    const closed = closedLate.length > 0 ? [...closedLate, ...state.indices.rows] : [];
    for (const row of [...halted, ...called.keys(), ...closed, ...this.#onTrial(at)]) this.#touched.add(row);
    for (const row of moved.changed(at)) {
      state.requote(row, at);
      this.#touched.add(row);
    }
    const rows = this.#scheduler.update(position, at, began || state.events.slept, this.#touched);
    this.#touched.clear();
    book.prune();
    state.prepareNextSession();
    this.#updatedAt = at;
    if (began || position.phase !== this.#phase) this.#beginPhase(position, at);
    const calls = { opening: openedLate, resume: resumed, periodic: between };
    for (const kind of ["opening", "resume", "periodic"] as const) this.#callInSession(kind, calls[kind]);
    this.#callOddLots(at);
    this.#callLate(closedLate);
    state.events.forgetCallsBefore(state.minute, (row) => state.path(row));
    if (rows.length > 0) this.#events.change.emit(rows);
  }

  #beginPhase({ phase, endsAt }: Position, now: number): void {
    const { state } = this.#market;
    const missed = this.#missedCalls(phase, now);
    // After a stall a later call of a row is held in this very update: one book fills one call.
    const apart: Partial<Record<CallKind, readonly number[]>> = {
      opening: [...state.rowsWhere(({ opensIn }) => opensIn > 0), ...state.events.between],
      closing: state.rowsWhere(({ closing }) => closing !== null),
    };
    this.#phase = phase;
    this.#phaseEndsAt = endsAt;
    this.#market.phased();
    this.#events.phase.emit(phase, endsAt);
    for (const { kind, at } of missed) this.#events.call.emit({ kind, rows: this.#rowsWithout(apart[kind] ?? []), at });
  }

  /**
   * The calls that ended the phases since the last update, which after a stall may be several; those of an earlier session are over. Of the board's
   * the latest, whose orders the book still has.
   */
  #missedCalls(phase: SessionPhase, now: number): { kind: CallKind; at: number }[] {
    const { state } = this.#market;
    const calls: { kind: CallKind; at: number }[] = [];
    let [before, endsAt] = [this.#phase, this.#phaseEndsAt];
    while (endsAt !== null && endsAt <= now) {
      const next = state.market.calendar.at(endsAt);
      const at = endsAt;
      if (next.session === state.session) calls.push(...callsAfter(before, next.phase).map((kind) => ({ kind, at })));
      [before, endsAt] = [next.phase, next.endsAt];
    }
    if (before !== phase) calls.push(...callsAfter(before, phase).map((kind) => ({ kind, at: now })));
    const board = calls.findLast(({ kind }) => BOARD.has(kind));
    return calls.filter((call) => !BOARD.has(call.kind) || call === board);
  }

  /**
   * The rows that are in a call while others trade, when their trial prices change: those in a halt or called at intervals would be shown
   * when their turn comes, and those whose close is put off never. Before the open and the close the whole market is, and takes turns.
   */
  #onTrial(at: number): Iterable<number> {
    const { state } = this.#market;
    const { market, late } = state;
    const step = Math.floor(at / VENUE_RULES[market.calendar.hours].trialMs);
    if (step === this.#trialStep) return [];
    this.#trialStep = step;
    if (this.#phase !== "open") return late.rows;
    return state.rowsWhere((path) => path.calls !== null || path.haltAt(state.minute) !== null);
  }

  /** The closing calls that were put off, and the last ones of the odd lots that waited for them. */
  #callLate(rows: readonly number[]): void {
    const at = this.#market.state.late.heldAt;
    if (rows.length > 0) for (const kind of ["closing", "odd"] as const) this.#events.call.emit({ kind, rows: [...rows], at });
  }

  /** Calls rows that have calls of their own, each at the minute it was due: the end of a halt, or a mark of a day of calls. */
  #callInSession(kind: "opening" | "resume" | "periodic", rows: readonly number[]): void {
    const { state } = this.#market;
    const { calendar } = state.market;
    const dueAt = (row: number): number => {
      const path = state.path(row);
      const due = kind === "periodic" ? path?.calls?.minutes[path.calls.latest(state.minute)] : path?.latestHalt(state.minute)?.until;
      return due ?? state.minute;
    };
    for (const [minute, some] of Map.groupBy(rows, dueAt))
      this.#events.call.emit({ kind, rows: some, at: calendar.opensAt(state.session) + minute * calendar.minuteMs });
  }

  /** The rows without some; null for all of them. */
  #rowsWithout(left: readonly number[]): number[] | null {
    const out = new Set(left);
    const { count } = this.#market.state;
    return out.size === 0 ? null : Array.from({ length: count }, (_, row) => row).filter((row) => !out.has(row));
  }

  /** Odd lots have auctions of their own all day, at fixed times. Rows whose board is in a call are left out: their orders wait for its price. */
  #callOddLots(at: number): void {
    const { oddLots } = this.#market.auctions;
    const number = oddLots.number(at);
    const rows = number !== this.#oddLotCall && number >= 0 ? oddLots.rows(at) : [];
    if (rows === null || rows.length > 0) this.#events.call.emit({ kind: "odd", rows, at: oddLots.dueAt(at) });
    this.#oddLotCall = number;
  }
}
