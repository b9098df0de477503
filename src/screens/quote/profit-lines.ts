/** A profit taken apart: signed amounts that add up to it exactly, whether it is still open or already made. */
import type { Order } from "#contract/order.ts";
import { share } from "#contract/profit.ts";
import type { Profit } from "#contract/profit.ts";

/** What an amount of a profit is for; `value` is the change of value of many positions together. */
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
  | "carried";

export interface ProfitLine {
  part: ProfitPart;
  /** As it counts: what was paid is below 0. */
  cents: number;
}

/** The parts that are always said; the others only when there is something to say. */
const ALWAYS: readonly ProfitPart[] = ["then", "now", "value", "openFee", "closeFee", "openCost", "closeCost"];

/** What was paid counts against it. */
const paid = (part: ProfitPart, amount: number): ProfitLine => ({ part, cents: -amount });

const said = (lines: readonly ProfitLine[]): ProfitLine[] => lines.filter(({ part, cents }) => cents !== 0 || ALWAYS.includes(part));

/** The profit of what is still held, at the price it was worked out with. */
export function openLines(order: Order, profit: Profit): ProfitLine[] {
  const sign = order.direction === "rise" ? 1 : -1;
  const openFee = order.openFeeCents - share(order.openFeeCents, order.closedLots, order.filledLots);
  return said([
    { part: "then", cents: -sign * profit.openCents },
    { part: "now", cents: sign * profit.nowCents },
    paid("openFee", openFee),
    { part: "openTax", cents: openFee - profit.openCostCents },
    paid("closeFee", profit.closeFeeCents),
    { part: "closeTax", cents: profit.closeFeeCents - profit.closeCostCents },
    paid("interest", profit.interestCents),
    { part: "dividend", cents: profit.dividendCents },
  ]);
}

/** The profit the closed lots have made; what they paid in interest and got in dividends is what is left of it. */
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
  return said([...known, { part: "carried", cents: carried }]);
}

/** Sums of many positions, as the worker keeps them. */
export interface Summed {
  openCostCents: number;
  closeCostCents: number;
  interestCents: number;
  dividendCents: number;
  profitCents: number;
}

/** All open positions together. */
export function totalLines(sum: Summed): ProfitLine[] {
  const costs = sum.openCostCents + sum.closeCostCents + sum.interestCents - sum.dividendCents;
  return said([
    { part: "value", cents: sum.profitCents + costs },
    paid("openCost", sum.openCostCents),
    paid("closeCost", sum.closeCostCents),
    paid("interest", sum.interestCents),
    { part: "dividend", cents: sum.dividendCents },
  ]);
}
