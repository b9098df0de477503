/** Updates the tax rate of open positions when a day begins or a rule changes: the tax is that of the day of sale. */
import { taxRateOf } from "#contract/rule.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { commandOnOrders, inParts } from "#server/trading/sequencer/queued-command.ts";
import type { OrderKey } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { startDailyJob } from "#server/kernel/daily-job.ts";
import { rateTax } from "./transaction-tax.ts";

export interface TaxRateDeps {
  db: Database;
  venue: Pick<Venue, "instrument">;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Receives errors; a sale is taxed at the right rate even if its position was not updated. */
  report?: ((error: unknown) => void) | undefined;
}

interface Holding extends OrderKey {
  code: string;
  dayTrade: boolean;
  rate: number;
}

const HOLDINGS = `
SELECT order_no AS "orderNo", member_id AS "memberId", code, day_trade AS "dayTrade", (terms->>'taxPerMillion')::integer AS rate FROM "order"
WHERE direction = 'rise' AND status IN ('holding', 'readyToClose') ORDER BY order_no`;

/** Sets the rate of every position whose sale is taxed differently from now on. */
export async function rateHoldings({ db, venue, sequencer, now }: TaxRateDeps): Promise<void> {
  const at = now();
  const held = await query<Holding>(db.kysely, HOLDINGS);
  const changed = held.filter(({ memberId, code, dayTrade, rate }) => {
    const instrument = venue.instrument(code);
    return instrument && taxRateOf(sequencer.rules.for(memberId, instrument, at), dayTrade) !== rate;
  });
  for (const part of inParts(changed)) {
    await sequencer.submit(
      commandOnOrders(part, (batch, order) => {
        const open = order.status === "holding" || order.status === "readyToClose";
        if (open && rateTax(batch, order)) batch.emitOrderFact("order.adjusted", order);
      }),
    );
  }
}

/** Sets the rates now, and again whenever a day has begun or a rule has changed. @returns a function that stops it */
export function startTaxRates(deps: TaxRateDeps): Promise<() => void> {
  const { sequencer, now, report } = deps;
  return startDailyJob({ run: () => rateHoldings(deps), now, version: () => sequencer.rules.version, report });
}
