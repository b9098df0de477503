/** The one definition of profit and loss, for server and worker alike: net of fees, tax, interest and the estimated cost of closing. */
import { feeAdded, taxOf } from "./fee.ts";
import type { Direction, Order } from "./order.ts";
import type { Terms } from "./rule.ts";
import { MILLION } from "./rule.ts";
import { cents, price, worth } from "./kernel/money.ts";
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
  /** The fee's part of what closing costs. */
  closeFeeCents: Cents;
  /** Interest owed for what was borrowed, and dividends brought (below 0: paid). */
  interestCents: Cents;
  dividendCents: Cents;
  /** What is left: `± (now - open) - openCost - closeCost - interest + dividend`. */
  profitCents: Cents;
  /** Profit over what was put in, in hundredths of a percent. */
  returnBasisPoints: number;
}

/** Which lots are looked at, and what opening all of the order's filled lots cost. */
export interface Held {
  direction: Direction;
  terms: Pick<Terms, "feePerMillion" | "feeMinimumCents" | "taxPerMillion">;
  lots: number;
  lotShares: number;
  filledLots: number;
  openCents: Cents;
  openFeeCents: Cents;
  openTaxCents: Cents;
  /** Of the lots looked at. */
  interestCents: Cents;
  dividendCents: Cents;
  /** What was closed before: it took its share of opening, and its value counts for the rounding of the tax. */
  closed?: { lots: number; cents: Cents };
  /** The close order in the market: the lots it still wants, what its fills are worth and the fee they paid, which counts for its minimum. */
  closing?: { lots: number; cents: Cents; feeCents: Cents };
}

/** What lots take along of an amount that belongs to all: exactly what closing them realises, whatever was closed before. */
function part(amount: number, { lots, filledLots, closed }: Held): Cents {
  const before = closed?.lots ?? 0;
  return cents(share(amount, before + lots, filledLots) - share(amount, before, filledLots));
}

/** The fee of closing it all at a price: what the close order in the market still wants as a part of that order, the rest as one order more. */
function closeFee({ terms, lots, lotShares, closing }: Held, each: Price): Cents {
  const running = Math.min(lots, closing?.lots ?? 0);
  const rest = feeAdded(terms, { cents: 0, feeCents: 0 }, worth(each, (lots - running) * lotShares));
  return cents(rest + (closing ? feeAdded(terms, closing, worth(each, running * lotShares)) : 0));
}

/** Profit of holding `held.lots` if they were closed now at `each`. Selling pays the tax, so a rise pays it on closing and a fall on opening. */
export function profitAt(held: Held, each: Price): Profit {
  const openCents = part(held.openCents, held);
  const openCostCents = part(held.openFeeCents + held.openTaxCents, held);
  const nowCents = worth(each, held.lots * held.lotShares);
  const before = held.closed?.cents ?? cents(0);
  const after = cents(before + nowCents);
  const tax = held.direction === "rise" ? taxOf(held.terms, after) - taxOf(held.terms, before) : 0;
  const closeFeeCents = closeFee(held, each);
  const closeCostCents = cents(closeFeeCents + tax);
  const gain = held.direction === "rise" ? nowCents - openCents : openCents - nowCents;
  const profitCents = cents(gain - openCostCents - closeCostCents - held.interestCents + held.dividendCents);
  const invested = openCents + openCostCents;
  return {
    openCents,
    openCostCents,
    nowCents,
    closeCostCents,
    closeFeeCents,
    interestCents: held.interestCents,
    dividendCents: held.dividendCents,
    profitCents,
    returnBasisPoints: invested === 0 ? 0 : Math.round((profitCents / invested) * 10_000),
  };
}

/** The open part of an order as `profitAt` wants it. */
export function heldOf(order: Order): Held {
  return {
    direction: order.direction,
    terms: order.terms,
    lots: order.filledLots - order.closedLots,
    lotShares: order.lotShares,
    filledLots: order.filledLots,
    openCents: order.openCents,
    openFeeCents: order.openFeeCents,
    openTaxCents: order.openTaxCents,
    interestCents: order.interestCents,
    dividendCents: order.dividendCents,
    closed: { lots: order.closedLots, cents: order.closeCents },
    closing: { lots: order.closingLots, cents: order.closingCents, feeCents: order.closingFeeCents },
  };
}

/** What of an order decides where the house closes it. */
export type Pledged = Pick<
  Order,
  "direction" | "terms" | "filledLots" | "closedLots" | "lotShares" | "loanCents" | "interestCents" | "collateralCents"
>;

/**
 * The price at which a leveraged position's own equity falls to what its terms ask, and the house closes it; null where it never does.
 * Of a rise the equity is its value less what is owed, of a fall its collateral less its value.
 */
export function liquidationPrice(order: Pledged): Price | null {
  const shares = (order.filledLots - order.closedLots) * order.lotShares;
  const { maintenancePerMillion } = order.terms;
  if (maintenancePerMillion === 0 || shares === 0) return null;
  const million = BigInt(MILLION);
  const kept = BigInt(maintenancePerMillion);
  // In ten-thousandths a share: the loan (or the collateral) over what is kept of a share, a rise rounded up, a fall down.
  if (order.direction === "rise") {
    const owed = BigInt(order.loanCents + order.interestCents) * 100n * million;
    const each = BigInt(shares) * (million - kept);
    return price(Number((owed + each - 1n) / each));
  }
  return price(Number((BigInt(order.collateralCents - order.interestCents) * 100n * million) / (BigInt(shares) * (million + kept))));
}
