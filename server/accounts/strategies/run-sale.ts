/** Sales of what a run holds: some board lots of a position, or everything. */
import type { Instrument } from "#contract/instrument.ts";
import type { RunRecord } from "#server/records/strategy.ts";
import { freeLots } from "#server/trading/clearing/lendings-in-batch.ts";
import { certainPricing, isLocked, marketFor, sendToMarket } from "#server/trading/order-entry/close.ts";
import { forceClose, isForceClosing, isSellable } from "#server/trading/risk/forced-close.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { isByCalls } from "#server/venue/venue.ts";
import { addTrade } from "./runs-in-batch.ts";

/** Lots on the board that an order holds and can be sold now. */
export function sellableLots(batch: Batch, order: OrderRecord, instrument: Instrument): number {
  if (order.status !== "holding" || !isSellable(order, batch.venue, batch.at)) return 0;
  return isLocked(batch, order, instrument) ? 0 : freeLots(order);
}

/** Records a sale in board lots. Single shares are none: their order tells of them. */
function note(batch: Batch, row: RunRecord, order: OrderRecord, { lotShares }: Instrument, units: { wanted: number; sold: number }): void {
  const lots = (count: number): number => Math.floor((count * order.lot_shares) / lotShares);
  const { code, order_no: orderNo } = order;
  const [wanted, sold] = [lots(units.wanted), lots(units.sold)];
  if (wanted > 0) addTrade(batch, row, { side: "sell", code, wanted_lots: wanted, lots: sold, order_no: orderNo, left_out: null });
}

/** Sells units of a position at the market, or by the next call of a stock that is traded by calls; what is not taken at once stays in the market for the day. */
export function sellLots(batch: Batch, row: RunRecord, order: OrderRecord, instrument: Instrument, units: number): boolean {
  const market = marketFor(order, instrument, units, false);
  if (market !== "board") return false;
  const before = order.closed_lots;
  const priced = certainPricing(batch, order, instrument, isByCalls(batch.venue, instrument.row, batch.at));
  sendToMarket(batch, { order, lots: units, ...priced, market, validity: "rod", cause: "strategy" });
  note(batch, row, order, instrument, { wanted: units, sold: order.closed_lots - before });
  return true;
}

/**
 * Sells everything of a position at the market, as the broker closes any: the member's own close makes way, what is on loan comes back, and
 * single shares go to their auction. A locked position waits. @returns how much of it is sold or in the market by this
 */
export function sellAll(batch: Batch, row: RunRecord, order: OrderRecord, instrument: Instrument): "all" | "part" | "nothing" {
  // What is on loan is no lock.
  if (isForceClosing(order) || isLocked(batch, { ...order, on_loan_lots: 0 }, instrument)) return "nothing";
  const before = order.closed_lots;
  if (!forceClose(batch, order, "strategy")) return "nothing";
  const sold = order.closed_lots - before;
  note(batch, row, order, instrument, { wanted: sold + order.closing_lots, sold });
  return order.closed_lots + order.closing_lots === order.filled_lots ? "all" : "part";
}
