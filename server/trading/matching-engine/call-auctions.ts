/** Holds call auctions: members' orders join the simulated market's own and trade at the one price. */
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { FILL_REASONS } from "#contract/order.ts";
import type { Market } from "#contract/rule.ts";
import type { Database } from "#server/db/database.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { ofAnotherDay } from "#server/trading/sequencer/time-in-force.ts";
import { fillOrder } from "#server/trading/clearing/fills.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { isLockedClose } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { SIDES, isBeyondLimit, restingOf, unitsPerLot } from "#server/trading/sequencer/order-book.ts";
import type { OrderBook, RestingOrder, Side } from "#server/trading/sequencer/order-book.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { CallOf } from "#server/trading/sequencer/read-set.ts";
import { ODD_LOTS_EVERY_MS } from "#server/venue/calendar/session-rules.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import type { CallBook, CallOrder, JoinedOrders } from "#server/venue/matching/call-auction.ts";
import type { MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Call, Venue } from "#server/venue/venue.ts";
import { MAX_TRIES, heldOnce, readHeldCalls } from "./held-calls.ts";
import type { HeldCalls } from "./held-calls.ts";
import type { UnbookedCalls } from "./unbooked-calls.ts";
import { holdAuction } from "./auction-allocation.ts";
import type { AuctionResult, Unfilled } from "./auction-allocation.ts";

export interface CallAuctionDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** What is not booked yet: a server that starts later holds it. */
  unbooked: UnbookedCalls;
  /** Reports errors; the orders concerned rest on. */
  report?: ((error: unknown) => void) | undefined;
}

/** Delay before a database that did not answer is asked again. */
const AGAIN_MS = 500;

type Reason = (typeof FILL_REASONS)[number];

/** Which orders take part in a kind of call, and the reason stated on their fills. */
const CALLS: Record<Call["kind"], { market: Market; reason: Reason }> = {
  opening: { market: "board", reason: "auction" },
  closing: { market: "board", reason: "auction" },
  resume: { market: "board", reason: "auction" },
  periodic: { market: "board", reason: "auction" },
  odd: { market: "odd", reason: "oddAuction" },
  fixed: { market: "fixed", reason: "fixedPrice" },
  lateOdd: { market: "odd", reason: "oddAuction" },
};

/** A board call whose price has been priced, with the orders of members that were in it. */
interface Priced {
  members: readonly RestingOrder[];
  result: AuctionResult | null;
  /** What it changes of the market: another price than that of the market alone, or more lots; null for nothing. */
  trade: MemberTrade | null;
}

/** The lots that members trade on one side of a call. */
const lotsOn = ({ allocations }: AuctionResult, side: Side): number =>
  allocations.reduce((sum, { order, lots }) => sum + (order.side === side ? lots : 0), 0);

/** Prices a board call of a row with some orders of members; `at`: when. */
function priceCall(row: number, own: CallBook, members: readonly RestingOrder[], at: number): Priced {
  const result = holdAuction({ own, members, fixedPrice: null });
  if (!result) return { members, result, trade: null };
  const alone = auctionPriceOf(own);
  const theirs = Math.max(...SIDES.map((side) => lotsOn(result, side)));
  // Of digital currency the market counts whole coins.
  const per = unitsPerWhole(own);
  const lots = Math.floor(Math.max(0, result.lots - (alone?.lots ?? 0), theirs - (own.printed ?? 0) * per) / per);
  const isAlone = lots === 0 && result.price === alone?.price;
  return { members, result, trade: isAlone ? null : { row, at: own.came?.until ?? at, price: result.price, lots, side: 0 } };
}

/** Takes back what a call changed of the market: its price is that of the market alone. */
function undone({ trade }: Priced, own: CallBook): MemberTrade | null {
  const alone = auctionPriceOf(own);
  return trade && alone && { ...trade, price: alone.price, lots: 0 };
}

/**
 * The call as it is booked. Where orders have gone since it was priced, or have another price, it is priced again without them: nobody makes a
 * price with an order that is cancelled while it is made.
 */
function pricedNow(batch: Batch, row: number, { own, priced }: Held, resting: readonly RestingOrder[]): AuctionResult | null {
  if (!priced) return null;
  const now = new Map(resting.map((order) => [order.orderNo, order]));
  const left = priced.members.flatMap((order) => {
    const there = now.get(order.orderNo);
    const lots = there?.timePriority === order.timePriority ? Math.min(order.lots, there.lots) : 0;
    return lots > 0 ? [{ ...order, lots }] : [];
  });
  const isSame = left.length === priced.members.length && left.every(({ lots }, nth) => lots === priced.members[nth]?.lots);
  const held = isSame ? priced : priceCall(row, own, left, batch.at);
  const trade = held.trade ?? (isSame ? null : undone(priced, own));
  if (trade) batch.market.addCall({ ...trade, at: priced.trade?.at ?? trade.at }, isSame);
  return held.result;
}

/** What a call is held with: the market's own orders, and its result where its price is public and has been priced. */
interface Held {
  own: CallBook;
  priced: Priced | null;
}

/**
 * Where orders stand that a call has not filled. A call says nothing of prices that it does not reach: its book is not the one of continuous
 * trading. Where calls are all that trades, it is.
 */
function placesAfter(kind: Call["kind"], own: CallBook, result: AuctionResult | null): readonly Unfilled[] {
  if (CALLS[kind].market !== "board" || !result) return [];
  const isKnown = ({ order }: Unfilled): boolean => own.came !== undefined || order.ahead !== undefined;
  const isReached = ({ order }: Unfilled): boolean => kind === "periodic" || !isBeyondLimit(order.side, order.limit, result.price);
  return result.unfilled.filter((one) => isKnown(one) && isReached(one));
}

/** Holds the call of one row with those of its orders that still rest. */
function holdCallAuction(batch: Batch, row: number, kind: Call["kind"], { own, priced }: Held): void {
  const { venue } = batch;
  const instrument = venue.instruments[row];
  if (!instrument) return;
  const orders = new Map<string, OrderRecord>();
  const members = batch.ordersOf(instrument.code).flatMap((order): RestingOrder[] => {
    const resting = restingOf(order, venue);
    if (resting?.market !== CALLS[kind].market || ofAnotherDay(order, venue, batch.at)) return [];
    if (isLockedClose(order)) {
      cancelRest(batch, order, "broker");
      return [];
    }
    orders.set(order.order_no, order);
    return [resting];
  });
  const fixedPrice = kind === "fixed" ? venue.publicQuote(row).last : null;
  const isBoard = CALLS[kind].market === "board";
  const result = isBoard ? pricedNow(batch, row, { own, priced }, members) : holdAuction({ own, members, fixedPrice });
  for (const { order, ahead } of placesAfter(kind, own, result)) batch.queue.heldCall(order, ahead);
  for (const { order: resting, lots } of result?.allocations ?? []) {
    const order = orders.get(resting.orderNo);
    if (!result || !order) continue;
    const units = lots * unitsPerLot(order, resting.market, instrument.lotShares);
    fillOrder(batch, order, [{ price: result.price, lots: units, level: 0, best: result.price, reason: CALLS[kind].reason }]);
  }
}

/** The market's own orders in a call of a row; none where it has none. */
function ownOrders(venue: Venue, row: number, odd: boolean): CallBook | null {
  const instrument = venue.instruments[row];
  if (!instrument) return null;
  const { last, reference } = venue.quote(row);
  const none = { kind: instrument.kind, bids: [], asks: [], anchor: last > 0 ? last : reference, limits: null };
  return venue.callBook(row, odd) ?? none;
}

/** Members' orders that rest on the board of a row, with their places. */
const boardOrders = ({ orderBook, queue }: Sequencer, row: number): RestingOrder[] =>
  SIDES.flatMap((side) => orderBook.queue(row, side, "board")).map((order) => queue.inCall(order));

/** Members' orders on the board of a row as a trial match counts them; null where there are none. */
function joinedOrders(sequencer: Sequencer, { row, ...instrument }: Instrument): JoinedOrders | null {
  const per = unitsPerWhole(instrument);
  const ordersOf = (side: Side): CallOrder[] =>
    sequencer.orderBook
      .queue(row, side, "board")
      .flatMap(({ limit, lots }): CallOrder[] => (lots < per ? [] : [[limit, Math.floor(lots / per)]]));
  const [bids, asks] = [ordersOf("buy"), ordersOf("sell")];
  return bids.length + asks.length > 0 ? { bids, asks } : null;
}

/** A call on its way to be booked, and how its price is taken back where it cannot be. */
interface Booking {
  call: CallOf;
  command: QueuedCommand<boolean>;
  takeBack: () => void;
  /** Gives the orders that it has not filled their places, where its answer was lost. */
  putInPlace: () => void;
  /** How often it failed although the database answered. */
  failures: number;
}

/** Tells whether the next call of its kind has been due since: its book is no longer the market's, and it is left out. */
const isStale = ({ call: { kind, at } }: Booking, now: number): boolean => kind === "odd" && at + ODD_LOTS_EVERY_MS <= now;

/** The calls that wait for the database: all of the board, and of every other kind the newest of each row. */
class WaitingCalls {
  readonly #calls = new Map<string, Booking>();

  #keyOf({ call: { code, kind, at } }: Booking): string {
    return CALLS[kind].market === "board" ? `${code} ${kind} ${at}` : `${code} ${kind}`;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** @returns the call that no longer waits for it, if any */
  add(booking: Booking): Booking | null {
    const key = this.#keyOf(booking);
    const there = this.#calls.get(key);
    if (there && there.call.at > booking.call.at) return booking;
    this.#calls.set(key, booking);
    return there && there !== booking ? there : null;
  }

  delete(booking: Booking): void {
    const key = this.#keyOf(booking);
    if (this.#calls.get(key) === booking) this.#calls.delete(key);
  }

  /** In the order they were due. */
  inOrder(): Booking[] {
    return [...this.#calls.values()].toSorted((a, b) => a.call.at - b.call.at);
  }
}

/** Holds calls, each once. What the database did not answer is held again, before anything else is decided. */
class CallHolder {
  readonly #deps: CallAuctionDeps;
  readonly #held: HeldCalls;
  /** The database did not answer. */
  readonly #again = new WaitingCalls();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(deps: CallAuctionDeps, held: HeldCalls) {
    this.#deps = deps;
    this.#held = held;
    deps.sequencer.beforeEachDay({ due: () => this.#again.size > 0, work: (serve) => this.#holdAgain(serve) });
  }

  /** Prices the call of a row, and queues what it trades. */
  hold(row: number, { kind, at }: Call): void {
    const { venue, sequencer, unbooked } = this.#deps;
    const { market } = CALLS[kind];
    const instrument = venue.instruments[row];
    // The market's own orders are read at this moment. So are members' where the price is public: nobody sees another one first. Others are read
    // at the command's turn, before any of them expires.
    const own = ownOrders(venue, row, market === "odd");
    if (!instrument || !own) return;
    const call = { code: instrument.code, kind, at };
    if (this.#held.has(call)) return;
    const priced = market === "board" ? priceCall(row, own, boardOrders(sequencer, row), sequencer.now()) : null;
    if (priced?.trade) venue.report([priced.trade]);
    const command = {
      urgent: true,
      memberIds: [],
      gather: (book: OrderBook) => SIDES.flatMap((side) => book.queue(row, side, market)),
      ...heldOnce(call, (batch) => holdCallAuction(batch, row, kind, { own, priced })),
    };
    const takeBack = (): void => {
      const taken = priced && undone(priced, own);
      if (taken) venue.report([taken]);
    };
    const putInPlace = (): void => {
      for (const { order, ahead } of placesAfter(kind, own, priced?.result ?? null)) sequencer.queue.heldCall(order, ahead);
    };
    unbooked.add(call);
    this.#book({ call, command, takeBack, putInPlace, failures: 0 });
  }

  #book(booking: Booking): void {
    this.#deps.sequencer.submit(booking.command).then(
      (isHeld) => this.#booked(booking, isHeld),
      (error: unknown) => this.#failed(booking, error),
    );
  }

  /** A call that comes after a later one is never held; the same one, whose answer was lost, has been. */
  #booked({ call, takeBack, putInPlace }: Booking, isHeld: boolean): void {
    if (!isHeld && this.#held.isPast(call)) takeBack();
    else {
      if (!isHeld) putInPlace();
      this.#held.add(call);
    }
    this.#deps.unbooked.booked(call);
  }

  #failed(booking: Booking, error: unknown): void {
    if (error instanceof DatabaseUnavailable) {
      const out = this.#again.add(booking);
      if (out) this.#deps.unbooked.booked(out.call);
      this.#askAgain();
      return;
    }
    booking.failures += 1;
    if (booking.failures < MAX_TRIES) return this.#book(booking);
    booking.takeBack();
    // Held later it would meet orders that were not in it.
    this.#deps.unbooked.booked(booking.call);
    this.#deps.report?.(error);
  }

  /** Without it the call would wait for the next command. */
  #askAgain(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      void this.#deps.sequencer.submit({ memberIds: [], decide: () => undefined }).catch(() => this.#askAgain());
    }, AGAIN_MS);
  }

  async #holdAgain(serve: (command: QueuedCommand<void>) => Promise<void>): Promise<void> {
    const { sequencer, unbooked } = this.#deps;
    for (const booking of this.#again.inOrder()) {
      try {
        if (isStale(booking, sequencer.now())) unbooked.booked(booking.call);
        else {
          let isHeld = false;
          const { decide } = booking.command;
          await serve({ ...booking.command, decide: (batch) => void (isHeld = decide(batch)) });
          this.#booked(booking, isHeld);
        }
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error;
        this.#failed(booking, error);
      }
      this.#again.delete(booking);
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}

/** Starts holding calls. @returns a function that stops it */
export async function startCallAuctions(deps: CallAuctionDeps): Promise<() => void> {
  const { db, venue, sequencer } = deps;
  const holder = new CallHolder(deps, await readHeldCalls(db.kysely));
  venue.joinCalls((row) => {
    const instrument = venue.instruments[row];
    return instrument ? joinedOrders(sequencer, instrument) : null;
  });
  const off = venue.onCall((call) => {
    const waiting = sequencer.orderBook.rows(CALLS[call.kind].market);
    for (const row of call.rows ?? waiting) if (waiting.has(row)) holder.hold(row, call);
  });
  return () => {
    off();
    holder.stop();
  };
}
