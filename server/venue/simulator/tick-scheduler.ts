/**
 * Schedules market updates: every 50 ms the trades that are due, and as many changes of books as the rate allows. What a slot of 50 ms
 * prints depends on the seed, the rate and the slots of its minute before it, and on nothing else: every server shows the same.
 */
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Position } from "#server/venue/calendar/trading-calendar.ts";
import { isTradedIn } from "./daily-process.ts";
import type { MarketState } from "./market-state.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import { MAX_KEY_TRADES } from "./key-trades.ts";
import { MAX_MINOR } from "./minor-trades.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";

export const UPDATE_INTERVAL_MS = 50;
/** In this time every row is printed at least once, whatever else is. */
const TURN_MS = MINUTE_MS;
const TURN_SLOTS = TURN_MS / UPDATE_INTERVAL_MS;
/** A key trade's places in the queue, its own and those of the minor trades before it; and a row's. */
const KEY_PLACES = 1 + MAX_MINOR;
const ROW_PLACES = MAX_KEY_TRADES * KEY_PLACES;
/** Below this rate the indices are published every five seconds, as by the exchange. */
const FAST_INDEX_RATE = 200;

export class TickScheduler {
  readonly #state: MarketState;
  readonly #rate: number;
  /** Cumulative weights of the rows, for a binary search when picking one at random. */
  readonly #weights: Float64Array;
  /** The rows of new issues that trade. */
  #debuts = -1;
  /** Update intervals per minute. */
  readonly #slots: number;
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  /** The update each row was last noted in, and the slot it was last printed in. */
  readonly #changedIn: Int32Array;
  readonly #printedAt: Float64Array;
  #changed: number[] = [];
  #pickable: number[] = [];
  #updateNo = 1;
  #minute = -2;
  #session = -1;
  #slot = 0;
  #budget = 0;
  #cursor = 0;
  #stoodAt = -1;
  /** Rows with trades to be printed, each once. */
  #due: number[] = [];
  readonly #isDue: Uint8Array;

  constructor(state: MarketState, rate: number) {
    this.#state = state;
    this.#rate = rate;
    this.#slots = state.market.calendar.minuteMs / UPDATE_INTERVAL_MS;
    this.#heads = new Int32Array(this.#slots);
    this.#next = new Int32Array(state.count * ROW_PLACES);
    this.#changedIn = new Int32Array(state.count);
    this.#printedAt = new Float64Array(state.count);
    this.#isDue = new Uint8Array(state.count);
    this.#weights = new Float64Array(state.count);
    this.#weigh();
  }

  /** For so many minutes before it a market must have run to show the same as one that ran all the time. */
  get turnMinutes(): number {
    return Math.ceil(TURN_MS / this.#state.market.calendar.minuteMs);
  }

  /** Weighs the rows; again when a new issue is listed, or one ends. */
  #weigh(): void {
    const { count, session, market } = this.#state;
    const debuts = market.models.filter((model) => model && model.debut !== null && session >= model.listed).length;
    const ended = market.models.filter((model) => model && model.ends !== null && session >= model.ends).length;
    if (debuts + ended === this.#debuts) return;
    this.#debuts = debuts + ended;
    this.#pickable = [];
    let sum = 0;
    for (let row = 0; row < count; row += 1) {
      const model = market.models[row];
      if (model && (model.debut === null || isTradedIn(model, session))) {
        sum += Math.sqrt(model.parameters.baseLots * model.anchor);
        this.#pickable.push(row);
      }
      this.#weights[row] = sum;
    }
  }

  /** Advances to a moment; returns the changed rows, each once, `touched` ones among them. */
  update(position: Position, now: number, began: boolean, touched: Iterable<number>): number[] {
    const state = this.#state;
    this.#startMinute();
    if (position.minute < 0 || position.minute >= state.market.calendar.minutes) this.#standStill(position, now);
    else this.#run(Math.min(this.#slots, Math.floor(position.offsetMs / UPDATE_INTERVAL_MS) + 1));
    for (const row of touched) this.#note(row);
    if (began) for (let row = 0; row < state.shown; row += 1) this.#note(row);
    const changed = this.#changed;
    this.#changed = [];
    this.#updateNo += 1;
    return changed;
  }

  /** Runs what is left of the current minute. */
  finishMinute(): void {
    const { minute, market } = this.#state;
    this.#startMinute();
    if (minute >= 0 && minute < market.calendar.minutes) this.#run(this.#slots);
  }

  /** Between the sessions' minutes nothing trades, but books still change. What was missed is not made up for. */
  #standStill({ phase }: Position, now: number): void {
    const number = Math.floor(now / UPDATE_INTERVAL_MS);
    if (number === this.#stoodAt) return;
    this.#stoodAt = number;
    this.#allot();
    if (phase !== "closed") this.#fill(number, 0, now);
    const isOver = phase === "closed" && this.#state.minute >= this.#state.market.calendar.minutes;
    if (!isOver) this.#indices(now);
  }

  #allot(): void {
    this.#budget = Math.min(this.#pickable.length, this.#budget + (this.#rate * UPDATE_INTERVAL_MS) / SECOND_MS);
  }

  /** Runs the slots of the current minute before `until`, also those that a stall has missed. */
  #run(until: number): void {
    const { minute, session, market } = this.#state;
    const { calendar } = market;
    const startsAt = calendar.opensAt(session) + minute * calendar.minuteMs;
    const isClosing = calendar.continuous < calendar.minutes && minute === calendar.minutes - 1;
    for (; this.#slot < until; this.#slot += 1) {
      const offsetMs = this.#slot * UPDATE_INTERVAL_MS;
      const now = startsAt + offsetMs;
      this.#allot();
      this.#collect();
      // An auction matches the whole market at once, whatever the rate.
      if (this.#isAuction()) this.#budget = Math.max(0, this.#budget) + this.#due.length;
      this.#printDue(offsetMs, now);
      if (!isClosing) {
        this.#takeTurns(minute * this.#slots + this.#slot, offsetMs, now);
        this.#fill(minute * this.#slots + this.#slot, offsetMs, now);
      }
      this.#indices(now);
    }
  }

  /** Starts a new minute, if it is one: queues every trade for the slot it is due in. Nothing of the last minute counts in it. */
  #startMinute(): void {
    const state = this.#state;
    if (state.minute === this.#minute && state.session === this.#session) return;
    if (state.session !== this.#session) this.#weigh();
    const { count, offset } = state.trades;
    // Trades still queued were counted when their minute ended; they only need to be published.
    for (const row of this.#due) this.#note(row);
    for (const row of this.#unpublishedRows()) this.#note(row);
    this.#due = [];
    this.#isDue.fill(0);
    this.#heads.fill(-1);
    this.#minute = state.minute;
    this.#session = state.session;
    this.#slot = 0;
    this.#budget = 0;
    this.#cursor = 0;
    for (const row of this.#pickable) {
      const model = state.market.models[row];
      if (!model) continue;
      for (let nth = 0; nth < (count[row] ?? 0); nth += 1) {
        const minor = state.minorTrades(row, model, nth);
        const place = row * ROW_PLACES + nth * KEY_PLACES;
        for (let each = 0; each < minor.count; each += 1) this.#queue(place + 1 + each, minor.offset(each));
        this.#queue(place, offset[row * MAX_KEY_TRADES + nth] ?? 0);
      }
    }
  }

  /** Queues a trade for the slot it is due in. */
  #queue(place: number, offsetMs: number): void {
    const slot = Math.ceil(offsetMs / UPDATE_INTERVAL_MS);
    if (slot >= this.#slots) return;
    this.#next[place] = this.#heads[slot] ?? -1;
    this.#heads[slot] = place;
  }

  #isAuction(): boolean {
    const { minutes, continuous } = this.#state.market.calendar;
    return continuous < minutes && (this.#minute === 0 || this.#minute === minutes - 1) && this.#slot <= 1;
  }

  /** Notes a row as changed, once an update. */
  #note(row: number): void {
    if (this.#changedIn[row] === this.#updateNo) return;
    this.#changedIn[row] = this.#updateNo;
    this.#changed.push(row);
  }

  /** Prints a row, once a slot. @returns whether it had not been printed in this slot */
  #print(row: number, offsetMs: number, now: number): boolean {
    if (this.#printedAt[row] === now) return false;
    this.#printedAt[row] = now;
    this.#state.print(row, offsetMs, now);
    this.#budget -= 1;
    this.#note(row);
    return true;
  }

  /** Rows with unpublished trades of the minute that is over. */
  #unpublishedRows(): number[] {
    const rows: number[] = [];
    for (let slot = this.#slot; slot < this.#slots && this.#minute !== -2; slot += 1) {
      for (let place = this.#heads[slot] ?? -1; place >= 0; place = this.#next[place] ?? -1) rows.push(Math.floor(place / ROW_PLACES));
    }
    return rows;
  }

  /** Queues the rows with trades that are due in this slot, each once. */
  #collect(): void {
    for (let place = this.#heads[this.#slot] ?? -1; place >= 0; place = this.#next[place] ?? -1) {
      const row = Math.floor(place / ROW_PLACES);
      if (this.#isDue[row] === 1) continue;
      this.#isDue[row] = 1;
      this.#due.push(row);
    }
  }

  /** Prints queued rows as far as the budget allows. */
  #printDue(offsetMs: number, now: number): void {
    let at = 0;
    for (; at < this.#due.length && this.#budget >= 1; at += 1) {
      const row = this.#due[at] ?? 0;
      this.#isDue[row] = 0;
      this.#print(row, offsetMs, now);
    }
    this.#due = at === this.#due.length ? [] : this.#due.slice(at);
  }

  /** Prints the rows whose turn it is: each in `TURN_MS`, so that a market that starts later soon shows the same. */
  #takeTurns(slot: number, offsetMs: number, now: number): void {
    const { length } = this.#pickable;
    if (this.#rate * TURN_MS < 2 * length * SECOND_MS) return;
    const turn = slot % TURN_SLOTS;
    const end = Math.floor(((turn + 1) * length) / TURN_SLOTS);
    for (let at = Math.floor((turn * length) / TURN_SLOTS); at < end; at += 1) this.#print(this.#pickable[at] ?? 0, offsetMs, now);
  }

  #fill(slot: number, offsetMs: number, now: number): void {
    let draw = this.#state.market.key.draw(PURPOSE.minorTrades, this.#state.session, slot);
    while (this.#budget >= 1) {
      draw = mix(draw, 1);
      let row = this.#pick(unit(draw));
      // A row already printed in this slot gives way to the next quiet one, so that all rows get their turn.
      for (let tries = 0; !this.#print(row, offsetMs, now); tries += 1) {
        if (tries > this.#pickable.length) return;
        this.#cursor = (this.#cursor + 1) % this.#pickable.length;
        row = this.#pickable[this.#cursor] ?? 0;
      }
    }
  }

  #pick(at: number): number {
    const weights = this.#weights;
    const target = at * (weights[weights.length - 1] ?? 0);
    let low = 0;
    let high = weights.length - 1;
    while (low < high) {
      const mid = (low + high) >> 1;
      if ((weights[mid] ?? 0) > target) high = mid;
      else low = mid + 1;
    }
    return low;
  }

  /** Publishes the indices near the end of each second, when the last trades of a minute are in. */
  #indices(now: number): void {
    const every = this.#rate >= FAST_INDEX_RATE ? SECOND_MS : 5 * SECOND_MS;
    if (Math.floor((now + UPDATE_INTERVAL_MS) / every) === Math.floor(now / every)) return;
    this.#state.indices.publish(this.#state.minute, now);
    for (const row of this.#state.indices.rows) {
      this.#note(row);
      this.#budget -= 1;
    }
  }
}
