/** Charges every short its borrow fee for the days that have ended, before anything is decided on the next one. */
import { borrowFeeOf, brokerPartOf } from "#contract/lending-fee.ts";
import { price, worth } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { commandOnOrders, inParts } from "#server/trading/sequencer/queued-command.ts";
import type { OrderKey } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer, StartOfDay } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { chargeInParts } from "./fills.ts";

export interface BorrowFeeDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; days that were not charged are charged with the next one. */
  report?: ((error: unknown) => void) | undefined;
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

/** Charges every short for the days before a fee day, also those that passed during downtime. */
async function chargeAll({ db, report }: BorrowFeeDeps, day: number, serve: Parameters<StartOfDay["work"]>[0]): Promise<void> {
  const shorts = await query<OrderKey>(db.kysely, SHORTS, [day]);
  const chargeSome = (some: readonly OrderKey[]): Promise<void> =>
    serve(commandOnOrders(some, (batch, order) => chargeShort(batch, order, day)));
  for (const some of inParts(shorts)) {
    try {
      await chargeSome(some);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      // One position that cannot be charged keeps neither the others nor the day from it.
      for (const one of some)
        await chargeSome([one]).catch((cause: unknown) => {
          if (cause instanceof DatabaseUnavailable) throw cause;
          report?.(cause);
        });
    }
  }
}

/**
 * Registers with the sequencer: who covers in the first moment of a day still pays for the one before.
 * @returns a function that stops it
 */
export async function startBorrowFees(deps: BorrowFeeDeps): Promise<() => void> {
  const { venue, sequencer, now } = deps;
  /** The fee day that the venue has begun. */
  let day = venue.feeDay(now());
  let doneDay = -1;
  sequencer.beforeEachDay({
    due: () => doneDay !== day,
    work: async (serve) => {
      const working = day;
      await chargeAll(deps, working, serve);
      doneDay = working;
    },
  });
  /** A timer has to check; otherwise the fees would wait for the day's first command. */
  const ask = (): Promise<void> =>
    sequencer.submit({ memberIds: [], decide: () => undefined }).catch((error: unknown) => deps.report?.(error));
  const stop = venue.onPhase(() => {
    const begun = venue.feeDay(now());
    if (begun === day) return;
    day = begun;
    void ask();
  });
  await ask();
  return stop;
}
