/** Breaks a profit into signed amounts that add up to it exactly, whether open or realised. */
import type { Order } from "#contract/order.ts";
import { heldOf, openingPart, share } from "#contract/profit.ts";
import type { Profit } from "#contract/profit.ts";

/** What an amount of a profit is; `value` is the total change in value of several positions. */
export type ProfitPart =
  | "then"
  | "now"
  | "value"
  | "openCost"
  | "closeCost"
  | "openFee"
  | "openTax"
  | "closeFee"
  | "closeTax"
  | "interest"
  | "dividend"
  | "lending"
  | "carried";

export interface ProfitLine {
  part: ProfitPart;
  /** Signed: amounts paid are negative. */
  cents: number;
}

/** Parts that are always listed; the others only if not zero. */
const ALWAYS: readonly ProfitPart[] = ["then", "now", "value", "openFee", "closeFee", "openCost", "closeCost"];

/** An amount paid, as a negative line. */
const paid = (part: ProfitPart, amount: number): ProfitLine => ({ part, cents: -amount });

const listed = (lines: readonly ProfitLine[]): ProfitLine[] => lines.filter(({ part, cents }) => cents !== 0 || ALWAYS.includes(part));

/** The breakdown of the open profit of an order, or of the orders of a position, at the price it was calculated with. */
export function openLines(orders: readonly [Order, ...Order[]], profit: Profit): ProfitLine[] {
  const sign = orders[0].direction === "rise" ? 1 : -1;
  const openFee = orders.reduce((sum, order) => sum + openingPart(order.openFeeCents, heldOf(order)), 0);
  return listed([
    { part: "then", cents: -sign * profit.openCents },
    { part: "now", cents: sign * profit.nowCents },
    paid("openFee", openFee),
    { part: "openTax", cents: openFee - profit.openCostCents },
    paid("closeFee", profit.closeFeeCents),
    { part: "closeTax", cents: profit.closeFeeCents - profit.closeCostCents },
    paid("interest", profit.interestCents),
    { part: "dividend", cents: profit.dividendCents },
    { part: "lending", cents: profit.lendingCents },
  ]);
}

/** The breakdown of the realised profit; the remainder is interest, dividends and lending fees of the closed lots. */
export function closedLines(order: Order): ProfitLine[] {
  const sign = order.direction === "rise" ? 1 : -1;
  const part = (amount: number): number => share(amount, order.closedLots, order.filledLots);
  const known: ProfitLine[] = [
    { part: "then", cents: -sign * part(order.openCents) },
    { part: "now", cents: sign * order.closeCents },
    paid("openFee", part(order.openFeeCents)),
    paid("openTax", part(order.openTaxCents)),
    paid("closeFee", order.closeFeeCents),
    paid("closeTax", order.closeTaxCents),
  ];
  const carried = order.profitCents - known.reduce((sum, { cents }) => sum + cents, 0);
  return listed([...known, { part: "carried", cents: carried }]);
}

/** Totals of several positions, as the worker calculates them. */
export interface Summed {
  openCostCents: number;
  closeCostCents: number;
  interestCents: number;
  dividendCents: number;
  lendingCents: number;
  profitCents: number;
}

/** The breakdown of all open positions together. */
export function totalLines(sum: Summed): ProfitLine[] {
  const costs = sum.openCostCents + sum.closeCostCents + sum.interestCents - sum.dividendCents - sum.lendingCents;
  return listed([
    { part: "value", cents: sum.profitCents + costs },
    paid("openCost", sum.openCostCents),
    paid("closeCost", sum.closeCostCents),
    paid("interest", sum.interestCents),
    { part: "dividend", cents: sum.dividendCents },
    { part: "lending", cents: sum.lendingCents },
  ]);
}
