/**
 * Where members' resting orders stand in the exchange's queues: behind what was displayed at their price when they came. They advance as
 * lots trade or are cancelled before them, by the same rule in the sandbox and, as an estimate, in a live market.
 */
import { unitsPerWhole } from "#contract/instrument.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Trade } from "#contract/tape.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { RestingOrder, Side } from "./order-book.ts";
import { cancelAhead, insert, lotsBefore, putInOrder, takeAhead, trade, tradeThrough } from "./queue-level.ts";
import type { Place } from "./queue-level.ts";

/** How often orders ahead are cancelled. */
export const QUEUE_STEP_MS = 5_000;

/** A place as it is stored. */
export interface SavedPlace {
  order_no: string;
  price: number;
  turn: string;
  ahead: number | null;
}

/** The queue at one price. */
interface Level {
  readonly row: number;
  readonly side: Side;
  readonly price: number;
  readonly places: Place[];
  /** Lots displayed when the queue was last looked at, what traded since, and when that was. */
  shown: number;
  traded: number;
  at: number;
  /** Whether it was traded continuously when it was last looked at. */
  isOpen: boolean;
}

const bookSide = (side: Side): "bids" | "asks" => (side === "buy" ? "bids" : "asks");
const keyOf = (row: number, side: Side, price: number): string => `${side} ${row} ${price}`;

/** A resting order that waits at a price of the board; only such have a place. */
type Limited = RestingOrder & { limit: number };
const isLimited = (order: RestingOrder): order is Limited => order.market === "board" && !order.atMarket && order.limit !== null;

export class QueuePlaces {
  readonly #venue: Venue;
  readonly #now: () => number;
  readonly #levels = new Map<string, Level>();
  readonly #byRow = new Map<number, Set<Level>>();
  readonly #levelOf = new Map<string, Level>();
  /** Places read from the database whose orders have not been put yet. */
  readonly #saved = new Map<string, SavedPlace>();
  /** The number of the last trade of a row that has run down its queues. */
  readonly #seen = new Map<number, number>();
  /** Orders whose place was not known when they came, as a rule because they came in a call: where they stand in it is told by their time. */
  readonly #cameInCall = new Set<string>();
  /** What the database knows of each place. */
  readonly #stored = new Map<string, number | null>();

  constructor(venue: Venue, now: () => number) {
    this.#venue = venue;
    this.#now = now;
  }

  /** Takes the places from before a restart; the orders themselves follow by `put`. */
  restore(places: readonly SavedPlace[]): void {
    for (const place of places) this.#saved.set(place.order_no, place);
  }

  /** The lots before an order: the market's and other members'; null while it has no place, or one that is not known. */
  before(orderNo: string): number | null {
    const level = this.#levelOf.get(orderNo);
    return level && (level.isOpen || !this.#cameInCall.has(orderNo)) ? lotsBefore(level.places, orderNo) : null;
  }

  /** An order in a call, with the place it had when the call began where that is known. */
  inCall(order: RestingOrder): RestingOrder {
    const ahead = this.#cameInCall.has(order.orderNo) ? null : (this.#placeOf(order.orderNo)?.ahead ?? null);
    return ahead === null ? order : { ...order, ahead: Math.ceil(ahead), aheadOf: this.#levelOf.get(order.orderNo)?.shown ?? 0 };
  }

  /** Moves an order up to where a call has left it, and others that are before it, unless it has a new place since. */
  heldCall({ orderNo, timePriority }: RestingOrder, ahead: number): void {
    const level = this.#levelOf.get(orderNo);
    const place = this.#placeOf(orderNo);
    if (!level || place?.timePriority !== timePriority) return;
    this.#cameInCall.delete(orderNo);
    place.ahead = Math.min(place.ahead ?? Infinity, ahead);
    if (level.isOpen) putInOrder(level.places);
  }

  /** The market's whole lots before an order that another one meets; none before one without a place. */
  marketAhead(orderNo: string): number {
    const place = this.#placeOf(orderNo);
    return place ? (place.ahead === null ? Infinity : Math.ceil(place.ahead)) : 0;
  }

  /** Lots of an order that trades have reached and that are to be booked. */
  due(orderNo: string): number {
    return this.#placeOf(orderNo)?.due ?? 0;
  }

  #placeOf(orderNo: string): Place | undefined {
    return this.#levelOf.get(orderNo)?.places.find((place) => place.orderNo === orderNo);
  }

  /** The place an order has or, if it has just come or got another price, would get now; null for one that waits at no price. */
  placeFor(order: RestingOrder): SavedPlace | null {
    if (!isLimited(order)) return null;
    const { orderNo, row, side, limit: price, timePriority: turn } = order;
    const level = this.#levelOf.get(orderNo);
    const place = this.#placeOf(orderNo);
    const stays = level?.price === price && place?.timePriority === turn;
    const saved = this.#saved.get(orderNo);
    const known = stays ? place : saved?.price === price && saved.turn === turn ? saved : null;
    return { order_no: orderNo, price, turn, ahead: known ? known.ahead : this.#displayed(row, side, price) };
  }

  /** What is displayed at a price in continuous trading; before it begins, no place is known. */
  #displayed(row: number, side: Side, price: number): number | null {
    if (this.#venue.matching(row, this.#now()) !== "continuous") return null;
    return this.#venue.lotsAt(row, bookSide(side), price);
  }

  /** Adds an order, or updates it; `place` is what was stored with it. */
  put(order: RestingOrder, place: SavedPlace | null): void {
    if (!isLimited(order) || !place) return this.remove(order.orderNo);
    const existing = this.#placeOf(order.orderNo);
    if (existing && this.#levelOf.get(order.orderNo)?.price === order.limit && existing.timePriority === order.timePriority) {
      existing.lots = order.lots;
      existing.due = Math.min(existing.due, order.lots);
      return;
    }
    this.remove(order.orderNo);
    this.#saved.delete(order.orderNo);
    // Trades before it came must not shorten its queue.
    this.observe(order.row);
    const level = this.#level(order);
    insert(level.places, { orderNo: order.orderNo, timePriority: order.timePriority, lots: order.lots, ahead: place.ahead, due: 0 });
    this.#levelOf.set(order.orderNo, level);
    if (place.ahead === null) this.#cameInCall.add(order.orderNo);
    this.#stored.set(order.orderNo, place.ahead);
  }

  #level({ row, side, limit: price }: Limited): Level {
    const key = keyOf(row, side, price);
    const known = this.#levels.get(key);
    if (known) return known;
    const shown = this.#displayed(row, side, price);
    const level: Level = { row, side, price, places: [], shown: shown ?? 0, traded: 0, at: this.#now(), isOpen: shown !== null };
    this.#levels.set(key, level);
    const levels = this.#byRow.get(row);
    if (levels) levels.add(level);
    else {
      this.#byRow.set(row, new Set([level]));
      this.#seen.set(row, this.#newest(row));
    }
    return level;
  }

  #newest(row: number): number {
    return this.#venue.boardTape(row, 0, 1)[0] ?? 0;
  }

  /** Removes an order, if it has a place. */
  remove(orderNo: string): void {
    const level = this.#levelOf.get(orderNo);
    if (!level) return;
    this.#levelOf.delete(orderNo);
    this.#cameInCall.delete(orderNo);
    this.#stored.delete(orderNo);
    level.places.splice(
      level.places.findIndex((place) => place.orderNo === orderNo),
      1,
    );
    if (level.places.length > 0) return;
    this.#levels.delete(keyOf(level.row, level.side, level.price));
    const levels = this.#byRow.get(level.row);
    levels?.delete(level);
    if (levels?.size !== 0) return;
    this.#byRow.delete(level.row);
    this.#seen.delete(level.row);
  }

  /** Books lots that an order was due. */
  served(orderNo: string, lots: number): void {
    const place = this.#placeOf(orderNo);
    if (place) place.due = Math.max(0, place.due - lots);
  }

  /** Takes lots that a member bought or sold at a price out of the front of its queue. */
  taken(row: number, side: Side, price: number, lots: number): void {
    const level = this.#levels.get(keyOf(row, side, price));
    if (!level) return;
    takeAhead(level.places, lots);
    level.traded += lots;
  }

  /** Lets the trades of a row since the last look run down its queues. @returns the orders that are due lots */
  observe(row: number): string[] {
    const levels = this.#byRow.get(row);
    if (!levels) return [];
    const newest = this.#newest(row);
    const seen = this.#seen.get(row) ?? 0;
    this.#seen.set(row, newest);
    // In a new session trades are numbered from 1 again. Those just before a call still count.
    // The tape counts whole coins, the queues what orders count.
    const per = this.#unitsPerWhole(row);
    const flat = newest > seen ? this.#venue.boardTape(row, seen, MAX_TRADES) : [];
    for (let at = 0; at < flat.length; at += TAPE_STRIDE) this.#run(levels, tradeAt(flat, at), per);
    const isContinuous = this.#venue.matching(row, this.#now()) === "continuous";
    for (const level of levels) this.#refresh(level, isContinuous);
    return [...levels].flatMap((level) => level.places.filter((place) => place.due > 0).map((place) => place.orderNo));
  }

  #unitsPerWhole(row: number): number {
    const instrument = this.#venue.instruments[row];
    return instrument ? unitsPerWhole(instrument) : 1;
  }

  /** Closes a queue for a call, or opens it after one: as many stand before members as did in the call, and no more than are displayed. */
  #refresh(level: Level, isContinuous: boolean): void {
    // After a start there may be places from a call that it has missed.
    const isFormed = level.isOpen && level.places.every(({ ahead }) => ahead !== null);
    const shown = isContinuous && !isFormed ? this.#displayed(level.row, level.side, level.price) : null;
    if (level.isOpen && !isContinuous) for (const { orderNo } of level.places) this.#cameInCall.delete(orderNo);
    level.isOpen = isContinuous;
    if (shown === null) return;
    for (const place of level.places) place.ahead = Math.min(place.ahead ?? Infinity, shown);
    putInOrder(level.places);
    this.#look(level, shown);
  }

  /** Takes what a level shows now as what the next look is compared with. */
  #look(level: Level, shown: number): void {
    Object.assign(level, { shown, traded: 0, at: this.#now() });
  }

  /** Lets one trade run down the queues it reaches, the better prices first: no lot of it counts at two prices. */
  #run(levels: ReadonlySet<Level>, { price, lots, side }: Trade, per: number): void {
    const queued: Side | null = side < 0 ? "buy" : side > 0 ? "sell" : null;
    const better = queued === "buy" ? -1 : 1;
    const reached = [...levels].filter((level) => level.isOpen && level.side === queued && better * (level.price - price) <= 0);
    let left = lots * per;
    for (const level of reached.toSorted((a, b) => better * (a.price - b.price))) {
      if (left === 0) break;
      const standing = Math.max(0, level.shown - level.traded);
      const here = level.price === price ? left : tradeThrough(level.places, left, standing);
      if (level.price === price) trade(level.places, left);
      level.traded += here;
      left -= here;
    }
  }

  /** Lets orders ahead be cancelled in every queue that was not looked at for a while. */
  step(): void {
    const now = this.#now();
    for (const row of this.#byRow.keys()) this.observe(row);
    for (const level of this.#levels.values()) {
      const elapsedMs = now - level.at;
      if (elapsedMs < QUEUE_STEP_MS) continue;
      const shown = this.#displayed(level.row, level.side, level.price);
      const { bid, ask } = this.#venue.quote(level.row);
      const isLocked = (level.side === "buy" ? ask : bid) === 0;
      if (shown !== null) cancelAhead(level.places, { before: level.shown, now: shown, traded: level.traded, elapsedMs, isLocked });
      // Time during which nothing was known must not count as one in which orders ahead were cancelled.
      this.#look(level, shown ?? 0);
    }
  }

  /** The places that moved by a whole lot, or a whole coin, since they were stored; call `saved` when they are. */
  unsaved(): SavedPlace[] {
    const changed: SavedPlace[] = [];
    for (const { row, price, places } of this.#levels.values()) {
      const per = this.#unitsPerWhole(row);
      for (const { orderNo, timePriority: turn, ahead } of places) {
        const stored = this.#stored.get(orderNo) ?? null;
        const isSame = ahead === null || stored === null ? ahead === stored : Math.ceil(ahead / per) === Math.ceil(stored / per);
        if (!isSame) changed.push({ order_no: orderNo, price, turn, ahead });
      }
    }
    return changed;
  }

  /** Remembers what was stored. */
  saved(places: readonly SavedPlace[]): void {
    for (const { order_no: orderNo, ahead } of places) if (this.#levelOf.has(orderNo)) this.#stored.set(orderNo, ahead);
  }
}
