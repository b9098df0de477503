/** Values copies and runs of strategies: what their open positions cost, what was realised, and what is open at the last prices. */
import type { CopyValuation } from "#contract/copy.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import type { RunValuation } from "#contract/strategy.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { CopyRecord } from "#server/records/copy.ts";
import type { Venue } from "#server/venue/venue.ts";

/** What one copy or run has in one instrument. */
export interface HeldSum {
  /** The number of the copy or run. */
  owner: string;
  code: string;
  shares: number;
  /** Value and fee of what is open. */
  cost: number;
  /** Dividends and lending fees of what is open. */
  carried: number;
  realised: number;
}

type Value = Omit<CopyValuation, "copyNo">;

/** Sums what a table says was bought, by its column `owner`. */
const sumsOf = (table: "copy_part" | "strategy_trade", owner: "copy_no" | "run_no"): string => `
SELECT bought.${owner} AS owner, held.code, sum((filled_lots - closed_lots) * lot_shares)::bigint AS shares,
  sum((open_cents + open_fee_cents) * (filled_lots - closed_lots) / filled_lots)::bigint AS cost,
  sum(dividend_cents + lending_cents)::bigint AS carried, sum(profit_cents)::bigint AS realised
FROM ${table} AS bought JOIN "order" AS held USING (order_no)
WHERE bought.side = 'buy' AND bought.${owner} = ANY ($1::text[]) GROUP BY bought.${owner}, held.code`;
const COPIES = sumsOf("copy_part", "copy_no");
const RUNS = sumsOf("strategy_trade", "run_no");

const read = (on: Reader, sums: string, owners: readonly string[]): Promise<HeldSum[]> =>
  owners.length === 0 ? Promise.resolve([]) : query<HeldSum>(on, sums, [owners]);

export const heldByCopies = (on: Reader, copyNos: readonly string[]): Promise<HeldSum[]> => read(on, COPIES, copyNos);
export const heldByRuns = (on: Reader, runNos: readonly string[]): Promise<HeldSum[]> => read(on, RUNS, runNos);

/** The last price of an instrument, or its reference before the first trade; 0 for none. */
export function lastOf(venue: Venue, code: string): number {
  const row = venue.instrument(code)?.row;
  if (row === undefined) return 0;
  const { last, reference } = venue.quote(row);
  return last > 0 ? last : reference;
}

/**
 * The last price where it lies between the best bid and ask, or the nearer of them: what the stop-loss is measured with. A trade that ate
 * through the book for a moment does not count once the book is there again.
 */
export function markOf(venue: Venue, code: string): number {
  const row = venue.instrument(code)?.row;
  if (row === undefined) return 0;
  const { bid, ask } = venue.quote(row);
  const last = lastOf(venue, code);
  // In a call auction the two may cross.
  if (bid > 0 && ask > 0 && bid > ask) return last;
  return Math.max(bid, ask > 0 ? Math.min(last, ask) : last);
}

type PriceOf = typeof lastOf;

/** What positions would bring more than they cost; nothing is known without a price. */
function unrealisedOf(venue: Venue, { code, shares, cost, carried }: HeldSum, priceOf: PriceOf): number {
  const last = priceOf(venue, code);
  return shares === 0 || last === 0 ? 0 : worth(price(last), shares) - cost + carried;
}

/** The value of each owner, in their order. */
function valuesOf(venue: Venue, held: readonly HeldSum[], owners: readonly string[], priceOf: PriceOf): (Value & { owner: string })[] {
  const byOwner = Map.groupBy(held, ({ owner }) => owner);
  return owners.map((owner) => {
    const own = byOwner.get(owner) ?? [];
    const sum = (of: (one: HeldSum) => number): number => own.reduce((total, one) => total + of(one), 0);
    return {
      owner,
      costCents: cents(sum(({ cost }) => cost)),
      realisedCents: cents(sum(({ realised }) => realised)),
      unrealisedCents: cents(sum((one) => unrealisedOf(venue, one, priceOf))),
    };
  });
}

export const copyValuations = (venue: Venue, held: readonly HeldSum[], copyNos: readonly string[], priceOf = lastOf): CopyValuation[] =>
  valuesOf(venue, held, copyNos, priceOf).map(({ owner, ...value }) => ({ copyNo: owner, ...value }));

export const runValuations = (venue: Venue, held: readonly HeldSum[], runNos: readonly string[], priceOf = lastOf): RunValuation[] =>
  valuesOf(venue, held, runNos, priceOf).map(({ owner, ...value }) => ({ runNo: owner, ...value }));

/** Whether a copy or a run has lost its stop-loss. */
export function isBeyondStop(
  { amount_cents: amount, stop_percent: percent }: Pick<CopyRecord, "amount_cents" | "stop_percent">,
  valuation: Pick<Value, "realisedCents" | "unrealisedCents">,
): boolean {
  return -(valuation.realisedCents + valuation.unrealisedCents) * 100 >= amount * percent;
}
