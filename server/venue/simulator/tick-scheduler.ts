/** Schedules market updates: every 50 ms the key trades that are due, and as many minor changes as the rate allows. */
import type { SessionPhase } from "#contract/instrument.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { isTradedIn } from "./daily-process.ts";
import type { MarketState } from "./market-state.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import { MAX_KEY_TRADES } from "./key-trades.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";

export const UPDATE_INTERVAL_MS = 50;
/** The longest elapsed time made up for after a stall: missed changes show in the next one anyway. */
const MAX_ELAPSED_MS = 100;
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
  readonly #updatedIn: Int32Array;
  #pickable: number[] = [];
  #updateNo = 0;
  #minute = -2;
  #session = -1;
  #slot = 0;
  #budget = 0;
  #cursor = 0;
  #lastAt = 0;
  #indicesAt = 0;
  /** Rows with trades to be published, each once. */
  #due: number[] = [];
  readonly #isDue: Uint8Array;

  constructor(state: MarketState, rate: number) {
    this.#state = state;
    this.#rate = rate;
    this.#slots = state.market.calendar.minuteMs / UPDATE_INTERVAL_MS;
    this.#heads = new Int32Array(this.#slots);
    this.#next = new Int32Array(state.count * MAX_KEY_TRADES);
    this.#updatedIn = new Int32Array(state.count);
    this.#isDue = new Uint8Array(state.count);
    this.#weights = new Float64Array(state.count);
    this.#weigh();
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

  /** Advances to a moment; returns the changed rows, each once. */
  update(now: number, phase: SessionPhase, offsetMs: number, began: boolean, touched: Iterable<number>): number[] {
    const state = this.#state;
    this.#updateNo += 1;
    const changed: number[] = [];
    const elapsed = Math.min(MAX_ELAPSED_MS, Math.max(0, now - this.#lastAt));
    this.#lastAt = now;
    if (began) this.#weigh();
    this.#budget = Math.min(this.#pickable.length, this.#budget + (this.#rate * elapsed) / SECOND_MS);
    if (state.minute !== this.#minute || state.session !== this.#session) this.#startMinute(offsetMs);
    if (began) {
      for (let row = 0; row < state.shown; row += 1) changed.push(row);
      return changed;
    }
    const mark = (row: number): boolean => {
      if (this.#updatedIn[row] === this.#updateNo) return false;
      this.#updatedIn[row] = this.#updateNo;
      changed.push(row);
      return true;
    };
    for (const row of touched) mark(row);
    this.#collect(offsetMs);
    // An auction matches the whole market at once, whatever the rate.
    if (this.#auction()) this.#budget = Math.max(0, this.#budget) + this.#due.length;
    this.#printDue(offsetMs, now, mark);
    if (phase !== "closed") this.#fill(offsetMs, now, mark);
    this.#indices(now, phase, mark);
    return changed;
  }

  /** Starts a new minute: queues every key trade for the update it is due in. */
  #startMinute(offsetMs: number): void {
    const state = this.#state;
    const { count, offset } = state.trades;
    // Trades still queued were counted when their minute ended; they only need to be published.
    for (const row of this.#unpublishedRows()) this.#markDue(row);
    this.#heads.fill(-1);
    this.#minute = state.minute;
    this.#session = state.session;
    this.#slot = Math.floor(offsetMs / UPDATE_INTERVAL_MS);
    for (const row of this.#pickable) {
      for (let nth = 0; nth < (count[row] ?? 0); nth += 1) {
        const place = row * MAX_KEY_TRADES + nth;
        // What was due before this update is due in it.
        const slot = Math.max(this.#slot, Math.ceil((offset[place] ?? 0) / UPDATE_INTERVAL_MS));
        if (slot >= this.#slots) continue;
        this.#next[place] = this.#heads[slot] ?? -1;
        this.#heads[slot] = place;
      }
    }
  }

  #auction(): boolean {
    const { minutes, continuous } = this.#state.market.calendar;
    return continuous < minutes && (this.#minute === 0 || this.#minute === minutes - 1) && this.#slot <= 2;
  }

  /** Rows with unpublished trades of the minute that is over. */
  #unpublishedRows(): number[] {
    const rows: number[] = [];
    for (let slot = this.#slot; slot < this.#slots && this.#minute !== -2; slot += 1) {
      for (let place = this.#heads[slot] ?? -1; place >= 0; place = this.#next[place] ?? -1) rows.push(Math.floor(place / MAX_KEY_TRADES));
    }
    return rows;
  }

  #collect(offsetMs: number): void {
    const until = Math.min(this.#slots - 1, Math.floor(offsetMs / UPDATE_INTERVAL_MS));
    for (; this.#slot <= until; this.#slot += 1) {
      for (let place = this.#heads[this.#slot] ?? -1; place >= 0; place = this.#next[place] ?? -1) {
        this.#markDue(Math.floor(place / MAX_KEY_TRADES));
      }
    }
  }

  /** Marks a row to be published as soon as the budget allows. */
  #markDue(row: number): void {
    if (this.#isDue[row] === 1) return;
    this.#isDue[row] = 1;
    this.#due.push(row);
  }

  #printDue(offsetMs: number, now: number, mark: (row: number) => boolean): void {
    let at = 0;
    for (; at < this.#due.length && this.#budget >= 1; at += 1) {
      const row = this.#due[at] ?? 0;
      this.#isDue[row] = 0;
      // A row that is published anyway has its trade printed all the same.
      mark(row);
      this.#state.print(row, offsetMs, now);
      this.#budget -= 1;
    }
    this.#due = at === this.#due.length ? [] : this.#due.slice(at);
  }

  #fill(offsetMs: number, now: number, mark: (row: number) => boolean): void {
    let draw = this.#state.market.key.draw(PURPOSE.minorTrades, this.#updateNo, Math.floor(now / UPDATE_INTERVAL_MS));
    for (; this.#budget >= 1; this.#budget -= 1) {
      draw = mix(draw, 1);
      let row = this.#pick(unit(draw));
      // A row already published in this update gives way to the next quiet one, so that all rows get their turn.
      for (let tries = 0; !mark(row); tries += 1) {
        if (tries > this.#pickable.length) return;
        this.#cursor = (this.#cursor + 1) % this.#pickable.length;
        row = this.#pickable[this.#cursor] ?? 0;
      }
      this.#state.print(row, offsetMs, now);
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

  #indices(now: number, phase: SessionPhase, mark: (row: number) => boolean): void {
    const every = this.#rate >= FAST_INDEX_RATE ? SECOND_MS : 5 * SECOND_MS;
    // Near the end of each second, when the last trades of a minute are in.
    const due = Math.floor((now + UPDATE_INTERVAL_MS) / every);
    if (due === this.#indicesAt) return;
    const first = this.#indicesAt === 0;
    this.#indicesAt = due;
    if (first || (phase === "closed" && this.#state.minute >= this.#state.market.calendar.minutes)) return;
    this.#state.indices.publish(this.#state.minute, now);
    for (const row of this.#state.indices.rows) if (mark(row)) this.#budget -= 1;
  }
}
