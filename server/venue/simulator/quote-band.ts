/**
 * The best bid and ask of every row. They stand still while trades alternate between them, so that who waits at a price can be
 * reached, and move with a trade beyond them.
 */
import { floats } from "#server/venue/market-data/quote-columns.ts";
import type { AggressorSide } from "#server/venue/market-data/trade-tape.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { InstrumentModel } from "./daily-process.ts";
import { nextLevel } from "./price-ladder.ts";

/** Below this many lots an average day a book is thin: its spread is up to this many ticks wide. */
const THIN_LOTS = 250;
const THIN_TICKS = 3;
/** So many ticks apart two quotes are at most. */
export const MAX_WIDTH = THIN_TICKS;
/** For how many minutes a spread stays as wide. */
const WIDTH_MINUTES = 8;

/** So many trades in a row at a price limit take all that was offered there: it is locked. An auction at the limit leaves nothing. */
const LOCK_TRADES = 3;

/** The moment of a trade: the session, the minute, and the number of the trade within it. */
export interface TradeMoment {
  session: number;
  minute: number;
  nth: number;
  byAuction: boolean;
}

type Limits = Readonly<{ up: number; down: number }>;

export class QuoteBand {
  readonly #bid: Float64Array;
  readonly #ask: Float64Array;
  /** Trades in a row at a price limit. */
  readonly #atLimit: Uint8Array;

  constructor(count: number) {
    this.#bid = floats(count);
    this.#ask = floats(count);
    this.#atLimit = new Uint8Array(count);
  }

  /** Forgets every quote, for a new session. */
  clear(): void {
    this.#bid.fill(0);
    this.#ask.fill(0);
    this.#atLimit.fill(0);
  }

  /** How many ticks apart the quotes of an instrument are at most. */
  static widthOf({ parameters: { baseLots } }: InstrumentModel): number {
    return baseLots < THIN_LOTS ? MAX_WIDTH : 1;
  }

  /** Puts quotes in the place of those of a row, which is at no limit. */
  put(row: number, bid: number, ask: number): void {
    this.#bid[row] = bid;
    this.#ask[row] = ask;
    this.#atLimit[row] = 0;
  }

  /** Puts what a row of another band is in the place of one. */
  take(row: number, from: QuoteBand, other: number): void {
    this.put(row, from.bid(other), from.ask(other));
    this.#atLimit[row] = from.#atLimit[other] ?? 0;
  }

  /** Whether so many rows, from the first one on, are the same. */
  areSame(count: number): boolean {
    for (let row = 1; row < count; row += 1)
      if (this.#bid[row] !== this.#bid[0] || this.#ask[row] !== this.#ask[0] || this.#atLimit[row] !== this.#atLimit[0]) return false;
    return true;
  }

  /** Whether a row is locked at a price limit: one side of its book is empty. */
  isLocked(row: number): boolean {
    return (this.#atLimit[row] ?? 0) >= LOCK_TRADES;
  }

  /** Sets the quotes of a row around a price; beyond the day's limit only where it is locked. */
  #set(row: number, model: InstrumentModel, { session, minute }: TradeMoment, price: number, asAsk: boolean, { up, down }: Limits): void {
    const { key, baseLots } = model.parameters;
    const wide =
      baseLots < THIN_LOTS ? (key.draw(PURPOSE.bookFace, session, Math.floor(minute / WIDTH_MINUTES), -1) >>> 8) % THIN_TICKS : 0;
    let other = price;
    for (let ticks = 0; ticks <= wide; ticks += 1) other = nextLevel(model.kind, other, asAsk ? -1 : 1);
    if (!this.isLocked(row)) other = Math.min(up, Math.max(down, other));
    this.#bid[row] = asAsk ? other : price;
    this.#ask[row] = asAsk ? price : other;
  }

  /** A draw that decides for the ask where a trade could be at either quote. */
  #drawsAsk({ parameters: { key } }: InstrumentModel, { session, minute, nth }: TradeMoment): boolean {
    return (key.draw(PURPOSE.bookFace, session, minute, nth) & 1) === 0;
  }

  /** Moves the quotes to include a trade. @returns its aggressor side; 0 for the trade of an auction */
  trade(row: number, model: InstrumentModel, price: number, limits: Limits, moment: TradeMoment): AggressorSide {
    const bid = this.#bid[row] ?? 0;
    const ask = this.#ask[row] ?? 0;
    const known = bid > 0 && ask > 0;
    const bought = known && price >= ask ? true : known && price <= bid ? false : this.#drawsAsk(model, moment);
    const isDown = price <= limits.down;
    const atLimit = isDown || price >= limits.up;
    this.#atLimit[row] = atLimit ? Math.min(LOCK_TRADES, (this.#atLimit[row] ?? 0) + (moment.byAuction ? LOCK_TRADES : 1)) : 0;
    // What is left at a limit, once locked, is the queue of those who come too late.
    if (atLimit) this.#set(row, model, moment, price, this.isLocked(row) === isDown, limits);
    else if (!known || (price !== bid && price !== ask)) this.#set(row, model, moment, price, bought, limits);
    return moment.byAuction ? 0 : bought ? 1 : -1;
  }

  /** Sets quotes around a price at which nothing has traded yet, unless there are some. */
  start(row: number, model: InstrumentModel, price: number, limits: Limits, moment: TradeMoment): void {
    if (this.#bid[row] === 0) this.#set(row, model, moment, price, this.#drawsAsk(model, moment), limits);
  }

  bid(row: number): number {
    return this.#bid[row] ?? 0;
  }

  ask(row: number): number {
    return this.#ask[row] ?? 0;
  }
}
