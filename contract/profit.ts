/** The one definition of profit and loss, for server and worker alike: net of fees, tax and the estimated cost of closing. */
import { feeOf, taxOf } from "./fee.ts";
import type { Direction, Order } from "./order.ts";
import type { Kind } from "./instrument.ts";
import { cents, worth } from "./kernel/money.ts";
import type { Cents, Price } from "./kernel/money.ts";

/** The part of an order's opening side that belongs to `lots` of its `filledLots`, rounded down. */
export function share(amount: number, lots: number, filledLots: number): Cents {
  return cents(filledLots === 0 ? 0 : Number((BigInt(amount) * BigInt(lots)) / BigInt(filledLots)));
}

/** Every line of how a profit comes about; all in cents. */
export interface Profit {
  /** Value of the lots when they were opened, and the fee and tax paid then. */
  openCents: Cents;
  openCostCents: Cents;
  /** Value at the price looked at, and the estimated fee and tax of closing there. */
  nowCents: Cents;
  closeCostCents: Cents;
  /** What is left: `± (now - open) - openCost - closeCost`. */
  profitCents: Cents;
  /** Profit over what was put in, in hundredths of a percent. */
  returnBasisPoints: number;
}

/** Which lots are looked at, and what opening all of the order's filled lots cost. */
export interface Held {
  direction: Direction;
  kind: Kind;
  lots: number;
  lotShares: number;
  filledLots: number;
  openCents: Cents;
  openFeeCents: Cents;
  openTaxCents: Cents;
}

/** Profit of holding `held.lots` if they were closed now at `each`. Selling pays the tax, so a rise pays it on closing and a fall on opening. */
export function profitAt(held: Held, each: Price): Profit {
  const openCents = share(held.openCents, held.lots, held.filledLots);
  const openCostCents = share(held.openFeeCents + held.openTaxCents, held.lots, held.filledLots);
  const nowCents = worth(each, held.lots * held.lotShares);
  const closeCostCents = cents(feeOf(nowCents) + (held.direction === "rise" ? taxOf(held.kind, nowCents) : 0));
  const gain = held.direction === "rise" ? nowCents - openCents : openCents - nowCents;
  const profitCents = cents(gain - openCostCents - closeCostCents);
  const invested = openCents + openCostCents;
  return {
    openCents,
    openCostCents,
    nowCents,
    closeCostCents,
    profitCents,
    returnBasisPoints: invested === 0 ? 0 : Math.round((profitCents / invested) * 10_000),
  };
}

/** The open part of an order as `profitAt` wants it. */
export function heldOf(order: Order, kind: Kind): Held {
  return {
    direction: order.direction,
    kind,
    lots: order.filledLots - order.closedLots,
    lotShares: order.lotShares,
    filledLots: order.filledLots,
    openCents: order.openCents,
    openFeeCents: order.openFeeCents,
    openTaxCents: order.openTaxCents,
  };
}
