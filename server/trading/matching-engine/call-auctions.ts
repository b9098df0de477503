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
import type { CallBook } from "#server/venue/matching/call-auction.ts";
import type { Call, Venue } from "#server/venue/venue.ts";
import { markHeld } from "./missed-calls.ts";
import { holdAuction } from "./auction-allocation.ts";

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

/** Holds the call of one row with those of its orders that still rest. */
function holdCallAuction(batch: Batch, row: number, kind: Call["kind"], market: CallBook | null): void {
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
  if (orders.size > 0 && (kind === "opening" || kind === "closing"))
    batch.deferWrite((tx) => markHeld(tx, instrument.code, kind, batch.at));
  const quote = venue.quote(row);
  const own = market ?? { kind: instrument.kind, bids: [], asks: [], anchor: quote.last > 0 ? quote.last : quote.reference, limits: null };
  const result = holdAuction({ own, members, fixedPrice: kind === "fixed" ? quote.last : null });
  for (const { order: resting, lots } of result?.allocations ?? []) {
    const order = orders.get(resting.orderNo);
    if (!result || !order) continue;
    const units = lots * unitsPerLot(order, resting.market, instrument.lotShares);
    fillOrder(batch, order, [{ price: result.price, lots: units, level: 0, best: result.price, reason: CALLS[kind].reason }]);
  }
}

/** Starts holding calls. @returns a function that stops it */
export function startCallAuctions({ venue, sequencer, report }: CallAuctionDeps): () => void {
  const call = (row: number, kind: Call["kind"]): void => {
    const { market } = CALLS[kind];
    // The market's own orders are read at this moment, members' orders at the command's turn, before any of them expires.
    const own = venue.callBook(row, market === "odd");
    void sequencer
      .submit({
        urgent: true,
        memberIds: [],
        gather: (book) => SIDES.flatMap((side) => book.queue(row, side, market)),
        decide: (batch) => holdCallAuction(batch, row, kind, own),
      })
      .catch((error: unknown) => report?.(error));
  };
  return venue.onCall(({ kind, rows }) => {
    const waiting = sequencer.orderBook.rows(CALLS[kind].market);
    for (const row of rows ?? waiting) if (waiting.has(row)) call(row, kind);
  });
}
