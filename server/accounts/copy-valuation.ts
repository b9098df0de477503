/** Values copies: what their open positions cost, what was realised, and what is open at the last prices. */
import type { CopyValuation } from "#contract/copy.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { CopyRecord } from "#server/records/copy.ts";
import type { Venue } from "#server/venue/venue.ts";

/** What some positions in one instrument are. */
export interface HeldSum {
  code: string;
  shares: number;
  /** Value and fee of what is open. */
  cost: number;
  /** Dividends and lending fees of what is open. */
  carried: number;
  realised: number;
}

/** The copies of one following in one instrument. */
export interface Holding extends HeldSum {
  copy_no: string;
}

const HOLDINGS = `
SELECT part.copy_no, held.code, sum((filled_lots - closed_lots) * lot_shares)::bigint AS shares,
  sum((open_cents + open_fee_cents) * (filled_lots - closed_lots) / filled_lots)::bigint AS cost,
  sum(dividend_cents + lending_cents)::bigint AS carried, sum(profit_cents)::bigint AS realised
FROM copy_part AS part JOIN "order" AS held USING (order_no)
WHERE part.side = 'buy' AND part.copy_no = ANY ($1::text[]) GROUP BY part.copy_no, held.code`;

export const readHoldings = (on: Reader, copyNos: readonly string[]): Promise<Holding[]> =>
  copyNos.length === 0 ? Promise.resolve([]) : query<Holding>(on, HOLDINGS, [copyNos]);

/** The last price of an instrument, or its reference before the first trade; 0 for none. */
export function lastOf(venue: Venue, code: string): number {
  const row = venue.instrument(code)?.row;
  if (row === undefined) return 0;
  const { last, reference } = venue.quote(row);
  return last > 0 ? last : reference;
}

/** What positions would bring more than they cost; nothing is known without a price. */
function unrealisedOf(venue: Venue, { code, shares, cost, carried }: HeldSum): number {
  const last = lastOf(venue, code);
  return shares === 0 || last === 0 ? 0 : worth(price(last), shares) - cost + carried;
}

/** Adds up positions in several instruments. */
export function valuationOf(venue: Venue, own: readonly HeldSum[]): Omit<CopyValuation, "copyNo"> {
  const sum = (of: (holding: HeldSum) => number): number => own.reduce((total, holding) => total + of(holding), 0);
  return {
    costCents: cents(sum(({ cost }) => cost)),
    realisedCents: cents(sum(({ realised }) => realised)),
    unrealisedCents: cents(sum((holding) => unrealisedOf(venue, holding))),
  };
}

export function valuationsOf(venue: Venue, holdings: readonly Holding[], copyNos: readonly string[]): CopyValuation[] {
  const byCopy = Map.groupBy(holdings, (one) => one.copy_no);
  return copyNos.map((copyNo) => ({ copyNo, ...valuationOf(venue, byCopy.get(copyNo) ?? []) }));
}

/** Whether a copy has lost its stop-loss. */
export function isBeyondStop(
  { amount_cents: amount, stop_percent: percent }: Pick<CopyRecord, "amount_cents" | "stop_percent">,
  valuation: Pick<CopyValuation, "realisedCents" | "unrealisedCents">,
): boolean {
  return -(valuation.realisedCents + valuation.unrealisedCents) * 100 >= amount * percent;
}
