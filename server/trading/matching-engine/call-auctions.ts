/** Holds call auctions: members' orders join the simulated market's own and trade at the one price. */
import type { FILL_REASONS } from "#contract/order.ts";
import type { Market } from "#contract/rule.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { ofAnotherDay } from "#server/trading/sequencer/time-in-force.ts";
import { fillOrder } from "#server/trading/clearing/fills.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { isLockedClose } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { SIDES, restingOf, unitsPerLot } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder } from "#server/trading/sequencer/order-book.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import type { AuctionPrice, CallBook } from "#server/venue/matching/call-auction.ts";
import type { Call, Venue } from "#server/venue/venue.ts";
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
  odd: { market: "odd", reason: "oddAuction" },
  fixed: { market: "fixed", reason: "fixedPrice" },
};

/** An auction whose price has been struck, with the orders of members that took part. */
interface Struck {
  result: AuctionResult;
  /** The market's own result without members. */
  alone: AuctionPrice | null;
  at: number;
}

/** What a call is held with: the market's own orders, and its official result where it was struck with members' orders. */
interface Held {
  own: CallBook | null;
  struck: Struck | null;
}

/** Adds what members' orders changed of an auction to the market's log: another price, or more lots. */
function reportStruck(batch: Batch, row: number, { result, alone, at }: Struck): void {
  const lots = Math.max(0, result.lots - (alone?.lots ?? 0));
  if (lots > 0 || result.price !== alone?.price) batch.market.add({ row, at, price: result.price, lots, side: 0, taken: 0 }, true);
}

/** Holds the call of one row with those of its orders that still rest. */
function holdCallAuction(batch: Batch, row: number, kind: Call["kind"], { own: market, struck }: Held): void {
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
  const quote = venue.quote(row);
  const own = market ?? { kind: instrument.kind, bids: [], asks: [], anchor: quote.last > 0 ? quote.last : quote.reference, limits: null };
  const result = struck ? struck.result : holdAuction({ own, members, fixedPrice: kind === "fixed" ? quote.last : null });
  if (struck) reportStruck(batch, row, struck);
  for (const { order: resting, lots: allocated } of result?.allocations ?? []) {
    const order = orders.get(resting.orderNo);
    // An order may have been cancelled or reduced since the price was struck.
    const lots = Math.min(allocated, order ? (restingOf(order, venue)?.lots ?? 0) : 0);
    if (!result || !order || lots === 0) continue;
    const units = lots * unitsPerLot(order, resting.market, instrument.lotShares);
    fillOrder(batch, order, [{ price: result.price, lots: units, level: 0, best: result.price, reason: CALLS[kind].reason }]);
  }
}

/** Starts holding calls. @returns a function that stops it */
export function startCallAuctions({ venue, sequencer, report }: CallAuctionDeps): () => void {
  const struckRows = new Map<number, Struck>();
  venue.joinCalls((row, own) => {
    const members = SIDES.flatMap((side) => sequencer.orderBook.queue(row, side, "board"));
    const result = members.length > 0 ? holdAuction({ own, members, fixedPrice: null }) : null;
    if (!result) return null;
    struckRows.set(row, { result, alone: auctionPriceOf(own), at: sequencer.now() });
    return result;
  });
  const call = (row: number, kind: Call["kind"]): void => {
    const { market } = CALLS[kind];
    // The market's own orders are read at this moment, members' orders at the command's turn, before any of them expires.
    const own = venue.callBook(row, market === "odd");
    const struck = market === "board" ? (struckRows.get(row) ?? null) : null;
    if (market === "board") struckRows.delete(row);
    void sequencer
      .submit({
        urgent: true,
        memberIds: [],
        gather: (book) => SIDES.flatMap((side) => book.queue(row, side, market)),
        decide: (batch) => holdCallAuction(batch, row, kind, { own, struck }),
      })
      .catch((error: unknown) => report?.(error));
  };
  return venue.onCall(({ kind, rows }) => {
    const waiting = sequencer.orderBook.rows(CALLS[kind].market);
    for (const row of rows ?? waiting) if (waiting.has(row)) call(row, kind);
  });
}
