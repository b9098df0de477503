/**
 * Books what trades have reached of the resting orders that a batch reads, before anything is decided about them: what the market has
 * bought or sold can no longer be cancelled, amended or traded to somebody else.
 */
import { price } from "#contract/kernel/money.ts";
import { fillOrder } from "#server/trading/clearing/fills.ts";
import type { Batch, Participant, ParticipantKind } from "#server/trading/sequencer/batch.ts";
import { restingOf, unitsPerLot } from "#server/trading/sequencer/order-book.ts";
import { isLockedClose } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";

/** Books the lots of a resting order that trades have reached, at its price. */
function fillDue(batch: Batch, order: OrderRecord): void {
  const instrument = batch.venue.instrument(order.code);
  const resting = restingOf(order, batch.venue);
  const lots = resting ? Math.min(resting.lots, batch.queue.due(resting)) : 0;
  // What the broker locked must not be closed, however far it had come.
  if (!instrument || !resting?.limit || lots === 0 || isLockedClose(order)) return;
  const at = price(resting.limit);
  const units = lots * unitsPerLot(order, resting.market, instrument.lotShares);
  batch.queue.serve(order.order_no, lots);
  batch.market.addFill(resting.row, resting.side, at, lots);
  fillOrder(batch, order, [{ price: at, lots: units, level: 0, best: at, reason: "resting" }]);
}

class QueueFillsInBatch implements Participant {
  /** Its changes are counted as facts and fills of the batch. */
  readonly effects = 0;
  readonly #batch: Batch;

  constructor(batch: Batch) {
    this.#batch = batch;
  }

  begin(): void {
    for (const order of this.#batch.orders) fillDue(this.#batch, order);
  }
}

export const queueFills: ParticipantKind = { open: async (_tx, batch) => new QueueFillsInBatch(batch) };
