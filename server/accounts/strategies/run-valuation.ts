/** Values runs: what their open positions cost, what was realised, and what is open at the last prices. */
import type { RunValuation } from "#contract/strategy.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import { valuationOf } from "#server/accounts/copy-valuation.ts";
import type { HeldSum } from "#server/accounts/copy-valuation.ts";

/** What one run has in one instrument. */
export interface RunHolding extends HeldSum {
  run_no: string;
}

const HOLDINGS = `
SELECT trade.run_no, held.code, sum((filled_lots - closed_lots) * lot_shares)::bigint AS shares,
  sum((open_cents + open_fee_cents) * (filled_lots - closed_lots) / filled_lots)::bigint AS cost,
  sum(dividend_cents + lending_cents)::bigint AS carried, sum(profit_cents)::bigint AS realised
FROM strategy_trade AS trade JOIN "order" AS held USING (order_no)
WHERE trade.side = 'buy' AND trade.run_no = ANY ($1::text[]) GROUP BY trade.run_no, held.code`;

export const readRunHoldings = (on: Reader, runNos: readonly string[]): Promise<RunHolding[]> =>
  runNos.length === 0 ? Promise.resolve([]) : query<RunHolding>(on, HOLDINGS, [runNos]);

export function runValuationsOf(venue: Venue, holdings: readonly RunHolding[], runNos: readonly string[]): RunValuation[] {
  const byRun = Map.groupBy(holdings, (one) => one.run_no);
  return runNos.map((runNo) => ({ runNo, ...valuationOf(venue, byRun.get(runNo) ?? []) }));
}
