/** Updates the tax rate of open positions when a day begins or a rule changes: the tax is that of the day of sale. */
import { MINUTE_MS, taipeiDay } from "#contract/kernel/time.ts";
import { taxRateOf } from "#contract/rule.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { rateTax } from "./transaction-tax.ts";
import type { Venue } from "#server/venue/venue.ts";
import { every } from "#server/kernel/every.ts";

export interface TaxRateDeps {
  db: Database;
  venue: Pick<Venue, "instrument">;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; a position that was not updated is still taxed at the right rate when it is sold. */
  report?: ((error: unknown) => void) | undefined;
}

const LOOK_EVERY_MS = MINUTE_MS;
/** Most commands queued at once, so that a member's order never waits for more. */
const MAX_TOGETHER = 64;

interface Holding {
  order_no: string;
  member_id: number;
  code: string;
  day_trade: boolean;
  rate: number;
}

/** Sets the rate of every position whose sale is taxed differently from now on. */
export async function rateHoldings({ db, venue, sequencer, now }: TaxRateDeps): Promise<void> {
  const at = now();
  const held = await query<Holding>(
    db.kysely,
    `SELECT order_no, member_id, code, day_trade, (terms->>'taxPerMillion')::integer AS rate FROM "order"
     WHERE direction = 'rise' AND status IN ('holding', 'readyToClose') ORDER BY order_no`,
  );
  const changed = held.filter((one) => {
    const instrument = venue.instrument(one.code);
    return instrument && taxRateOf(sequencer.rules.for(one.member_id, instrument, at), one.day_trade) !== one.rate;
  });
  for (let from = 0; from < changed.length; from += MAX_TOGETHER) {
    const some = changed.slice(from, from + MAX_TOGETHER);
    await sequencer.submit({
      memberIds: [...new Set(some.map((one) => one.member_id))],
      orderNos: some.map((one) => one.order_no),
      decide: (batch) => {
        for (const { member_id, order_no } of some) {
          const order = batch.order(member_id, order_no);
          const open = order?.status === "holding" || order?.status === "readyToClose";
          if (order && open && rateTax(batch, order)) batch.emitOrderFact("order.adjusted", order);
        }
      },
    });
  }
}

/** Checks every minute whether a day has begun or a rule has changed. @returns a function that stops it */
export async function startTaxRates(deps: TaxRateDeps): Promise<() => void> {
  let rated = "";
  const look = async (): Promise<void> => {
    const by = `${taipeiDay(deps.now())} ${deps.sequencer.rules.version}`;
    if (by === rated) return;
    await rateHoldings(deps);
    rated = by;
  };
  await look();
  return every(LOOK_EVERY_MS, look, deps.report);
}
