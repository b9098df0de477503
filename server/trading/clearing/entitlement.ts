/** Rights to the new shares of a capital increase: who is granted one when a share trades ex-right. */
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";

/** A capital increase whose rights can still be exercised. */
export interface OpenIncrease {
  offeringNo: string;
  closesAt: number;
}

interface Listed extends OpenIncrease {
  code: string;
  exAt: number;
}

const OPEN = `SELECT offering_no AS "offeringNo", code, ex_at AS "exAt", closes_at AS "closesAt" FROM offering
WHERE kind = 'increase' AND market = $1 AND phase IN ('upcoming', 'open')`;
/** A member's positions are adjusted one by one: the right is their sum. */
const GRANT = `INSERT INTO entitlement (offering_no, member_id, shares, worth, granted_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (offering_no, member_id) DO UPDATE SET shares = entitlement.shares + excluded.shares`;

/** The capital increases that are not closed. */
export const openIncreases = (on: Reader, market: string): Promise<Listed[]> => query<Listed>(on, OPEN, [market]);

/** Financed, leveraged and short positions have their rights sold, as those of a loan's collateral. */
export const canHoldRight = ({ direction, funding, leverage }: Pick<OrderRecord, "direction" | "funding" | "leverage">): boolean =>
  direction === "rise" && funding === "cash" && leverage === 1;

/** Grants a member the right to `shares` new shares, each worth `worth` price units, with the batch. */
export function grantRight(batch: Batch, memberId: number, right: OpenIncrease & { shares: number; worth: number }): void {
  const { offeringNo, shares, worth } = right;
  if (shares === 0) return;
  const values = [offeringNo, memberId, shares, worth, batch.at];
  batch.deferWrite(async (tx) => void (await query(tx, GRANT, values)));
}
