/** Borrowed money pays purchases only: what serves as collateral must be the member's own. */
import { formatMoney } from "#contract/kernel/money.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** Tells whether the money an order holds is collateral: of a financed or leveraged position, or of a short. */
export const isCollateral = ({ funding, direction }: Pick<OrderRecord, "funding" | "direction">): boolean =>
  funding !== "cash" || direction === "fall";

/** @throws Refusal FUND_LOAN_NOT_COLLATERAL when `amount` of `available` would be money borrowed on credit */
export function checkOwnFunds(batch: Batch, memberId: number, amount: number, available: number, field: string): void {
  const { credit_cents: borrowed } = batch.member(memberId);
  const own = Math.max(0, available - borrowed);
  if (borrowed > 0 && amount > own) throw new Refusal("FUND_LOAN_NOT_COLLATERAL", { n: formatMoney(own) }, field);
}
