/** Charges every short its borrow fee for the days that have ended, before anything is decided on the next one. */
import { borrowFeeOf, brokerPartOf } from "#contract/lending-fee.ts";
import { price, worth } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { commandOnOrders, inParts } from "#server/trading/sequencer/queued-command.ts";
import type { OrderKey } from "#server/trading/sequencer/queued-command.ts";
import { eachPart, startEachFeeDay } from "./fee-day.ts";
import type { FeeDayDeps } from "./fee-day.ts";
import { chargeInParts } from "./charges.ts";

export interface BorrowFeeDeps extends FeeDayDeps {
  db: Database;
}

/** An operator's lock means that the lots are wrong: its days are charged once it is lifted. */
const SHORTS = `
SELECT order_no AS "orderNo", member_id AS "memberId" FROM "order"
WHERE direction = 'fall' AND status IN ('pending', 'holding', 'readyToClose') AND filled_lots > closed_lots AND borrow_day < $1 AND NOT locked
ORDER BY order_no`;

/** Charges a short for the days up to a fee day, at the close before it. Each day counts once, however often this is called. */
function chargeShort(batch: Batch, order: OrderRecord, day: number): void {
  const rate = order.terms.borrowPerMillion ?? 0;
  const row = batch.venue.instrument(order.code)?.row;
  if (order.borrow_day === null || order.borrow_day >= day || order.filled_lots <= order.closed_lots || row === undefined) return;
  const days = day - order.borrow_day;
  const close = batch.venue.previousClose(row);
  // Without a close the days stay open.
  if (close <= 0) return;
  order.borrow_day = day;
  const fee = borrowFeeOf(rate, worth(price(close), (order.filled_lots - order.closed_lots) * order.lot_shares), days);
  if (fee > 0) {
    const broker = brokerPartOf(batch.rules.of(order.member_id).lending.brokerPerMillion, fee);
    chargeInParts(batch, order, "borrowFee", [
      { to: "lendingPool", amount: fee - broker },
      { to: "fees", amount: broker },
    ]);
    order.lending_cents -= fee;
  }
  batch.emitOrderFact("order.adjusted", order);
}

/** Registers the fees with the sequencer: who covers in the first moment of a day still pays for the one before. @returns a function that stops it */
export function startBorrowFees(deps: BorrowFeeDeps): Promise<() => void> {
  return startEachFeeDay(deps, async (day, serve) => {
    const shorts = await query<OrderKey>(deps.db.kysely, SHORTS, [day]);
    const charge = (some: readonly OrderKey[]): Promise<void> =>
      serve(commandOnOrders(some, (batch, order) => chargeShort(batch, order, day)));
    await eachPart(inParts(shorts), charge, deps.report);
  });
}
