/** Holds call auctions: members' orders join the simulated market's own and trade at the one price. */
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import type { FILL_REASONS } from "#contract/order.ts";
import type { Market } from "#contract/rule.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { ofAnotherDay } from "#server/trading/sequencer/time-in-force.ts";
import { fillOrder } from "#server/trading/clearing/fills.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { isLockedClose } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { SIDES, restingOf, unitsPerLot } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder, Side } from "#server/trading/sequencer/order-book.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import type { CallBook, CallOrder, JoinedOrders } from "#server/venue/matching/call-auction.ts";
import type { MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Call, Venue } from "#server/venue/venue.ts";
import { markHeld } from "./missed-calls.ts";
import { holdAuction } from "./auction-allocation.ts";
import type { AuctionResult } from "./auction-allocation.ts";

export interface CallAuctionDeps {
  venue: Venue;
  sequencer: Sequencer;
  /** Reports errors; the orders concerned keep resting. */
  report?: ((error: unknown) => void) | undefined;
}

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
 * The call as it is booked. Where orders have gone since it was priced it is priced again without them: nobody makes a price with an order that
 * is cancelled while it is made.
 */
function pricedNow(batch: Batch, row: number, { own, priced }: Held, resting: readonly RestingOrder[]): AuctionResult | null {
  if (!priced) return null;
  const now = new Map(resting.map((order) => [order.orderNo, order]));
  const left = priced.members.flatMap((order) => {
    const lots = Math.min(order.lots, now.get(order.orderNo)?.lots ?? 0);
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
  // With its fills, so that a call that was held is not held again after a crash.
  if (orders.size > 0 && (kind === "opening" || kind === "closing" || kind === "periodic"))
    batch.deferWrite((tx) => markHeld(tx, instrument.code, kind, batch.at));
  const fixedPrice = kind === "fixed" ? venue.publicQuote(row).last : null;
  const isBoard = CALLS[kind].market === "board";
  const result = isBoard ? pricedNow(batch, row, { own, priced }, members) : holdAuction({ own, members, fixedPrice });
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

/** Members' orders that rest on the board of a row. */
const boardOrders = ({ orderBook }: Sequencer, row: number): RestingOrder[] => SIDES.flatMap((side) => orderBook.queue(row, side, "board"));

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

/** Starts holding calls. @returns a function that stops it */
export function startCallAuctions({ venue, sequencer, report }: CallAuctionDeps): () => void {
  venue.joinCalls((row) => {
    const instrument = venue.instruments[row];
    return instrument ? joinedOrders(sequencer, instrument) : null;
  });
  const call = (row: number, kind: Call["kind"]): void => {
    const { market } = CALLS[kind];
    // The market's own orders are read at this moment. So are members' where the price is public: nobody sees another one first. Others are read
    // at the command's turn, before any of them expires.
    const own = ownOrders(venue, row, market === "odd");
    if (!own) return;
    const priced = market === "board" ? priceCall(row, own, boardOrders(sequencer, row), sequencer.now()) : null;
    if (priced?.trade) venue.report([priced.trade]);
    void sequencer
      .submit({
        urgent: true,
        memberIds: [],
        gather: (book) => SIDES.flatMap((side) => book.queue(row, side, market)),
        decide: (batch) => holdCallAuction(batch, row, kind, { own, priced }),
      })
      .catch((error: unknown) => {
        const taken = priced && undone(priced, own);
        if (taken) venue.report([taken]);
        report?.(error);
      });
  };
  return venue.onCall(({ kind, rows }) => {
    const waiting = sequencer.orderBook.rows(CALLS[kind].market);
    for (const row of rows ?? waiting) if (waiting.has(row)) call(row, kind);
  });
}
