/** The single definition of profit and loss, shared by server and worker: net of fees, tax, interest and the estimated cost of closing. */
import { feeAdded, taxOf } from "./fee.ts";
import type { Direction, Order } from "./order.ts";
import type { Terms } from "./rule.ts";
import { MILLION } from "./rule.ts";
import { cents, price, worth } from "./kernel/money.ts";
import type { Cents, Price } from "./kernel/money.ts";

/** The pro-rata part of an opening amount for `lots` out of `filledLots`, rounded down. */
export function share(amount: number, lots: number, filledLots: number): Cents {
  return cents(filledLots === 0 ? 0 : Number((BigInt(amount) * BigInt(lots)) / BigInt(filledLots)));
}

/** The breakdown of a profit; all amounts in cents. */
export interface Profit {
  /** Opening value of the lots, and the fee and tax paid then. */
  openCents: Cents;
  openCostCents: Cents;
  /** Value at the valuation price, and the estimated fee and tax of closing there. */
  nowCents: Cents;
  closeCostCents: Cents;
  /** The fee's part of `closeCostCents`. */
  closeFeeCents: Cents;
  /** Interest owed on the loan, and dividends received (negative: paid). */
  interestCents: Cents;
  dividendCents: Cents;
  /** Fees for lent shares, less those for borrowed ones. */
  lendingCents: Cents;
  /** The result: `± (now - open) - openCost - closeCost - interest + dividend + lending`. */
  profitCents: Cents;
  /** Profit over the invested amount, in hundredths of a percent. */
  returnBasisPoints: number;
}

/** The lots to value, and the opening cost of all the order's filled lots. */
export interface Held {
  direction: Direction;
  terms: Pick<Terms, "feePerMillion" | "feeMinimumCents" | "taxPerMillion">;
  lots: number;
  lotShares: number;
  unitsPerWhole?: number | undefined;
  filledLots: number;
  openCents: Cents;
  openFeeCents: Cents;
  openTaxCents: Cents;
  /** All of the valued lots. */
  interestCents: Cents;
  dividendCents: Cents;
  lendingCents?: Cents | undefined;
  /** Lots closed earlier: they took their share of the opening cost, and their value counts in the rounding of the tax. */
  closed?: { lots: number; cents: Cents };
  /** The working close order: its open lots, the value of its fills, and the fee already charged, which counts towards its minimum. */
  closing?: { lots: number; cents: Cents; feeCents: Cents };
}

/** The part of a total amount that belongs to the valued lots: exactly what closing them realises, independent of earlier closes. */
export function openingPart(amount: number, { lots, filledLots, closed }: Pick<Held, "lots" | "filledLots" | "closed">): Cents {
  const before = closed?.lots ?? 0;
  return cents(share(amount, before + lots, filledLots) - share(amount, before, filledLots));
}

/** The fee of closing everything at a price: the working close order's open lots as part of that order, the rest as one additional order. */
function closeFee({ terms, lots, lotShares, unitsPerWhole, closing }: Held, each: Price): Cents {
  const valueOf = (closed: number): Cents => worth(each, closed * lotShares, unitsPerWhole);
  const working = Math.min(lots, closing?.lots ?? 0);
  const rest = feeAdded(terms, { cents: 0, feeCents: 0 }, valueOf(lots - working));
  return cents(rest + (closing ? feeAdded(terms, closing, valueOf(working)) : 0));
}

/** Profit of `held.lots` if closed now at price `each`. The seller pays the tax, so a long pays it on closing and a short on opening. */
export function profitAt(held: Held, each: Price): Profit {
  const openCents = openingPart(held.openCents, held);
  const openCostCents = openingPart(held.openFeeCents + held.openTaxCents, held);
  const nowCents = worth(each, held.lots * held.lotShares, held.unitsPerWhole);
  const before = held.closed?.cents ?? cents(0);
  const after = cents(before + nowCents);
  const tax = held.direction === "rise" ? taxOf(held.terms, after) - taxOf(held.terms, before) : 0;
  const closeFeeCents = closeFee(held, each);
  const closeCostCents = cents(closeFeeCents + tax);
  const gain = held.direction === "rise" ? nowCents - openCents : openCents - nowCents;
  const lendingCents = held.lendingCents ?? cents(0);
  const profitCents = cents(gain - openCostCents - closeCostCents - held.interestCents + held.dividendCents + lendingCents);
  const invested = openCents + openCostCents;
  return {
    openCents,
    openCostCents,
    nowCents,
    closeCostCents,
    closeFeeCents,
    interestCents: held.interestCents,
    dividendCents: held.dividendCents,
    lendingCents,
    profitCents,
    returnBasisPoints: invested === 0 ? 0 : Math.round((profitCents / invested) * 10_000),
  };
}

/** The open part of an order as `profitAt` input. */
export function heldOf(order: Order): Held {
  return {
    direction: order.direction,
    terms: order.terms,
    lots: order.filledLots - order.closedLots,
    lotShares: order.lotShares,
    unitsPerWhole: order.unitsPerWhole,
    filledLots: order.filledLots,
    openCents: order.openCents,
    openFeeCents: order.openFeeCents,
    openTaxCents: order.openTaxCents,
    interestCents: order.interestCents,
    dividendCents: order.dividendCents,
    lendingCents: order.lendingCents,
    closed: { lots: order.closedLots, cents: order.closeCents },
    closing: { lots: order.closingLots, cents: order.closingCents, feeCents: order.closingFeeCents },
  };
}

/** What secures a position: the member's own collateral, as the ticket names it, and the proceeds of a short sale kept with it. */
export function collateralParts(order: Pick<Order, "direction" | "openCents" | "closedLots" | "filledLots" | "collateralCents">): {
  collateralCents: Cents;
  proceedsCents: Cents;
} {
  const { collateralCents, openCents } = order;
  const sold = order.direction === "fall" ? openCents - share(openCents, order.closedLots, order.filledLots) : 0;
  const proceedsCents = cents(Math.min(sold, collateralCents));
  return { collateralCents: cents(collateralCents - proceedsCents), proceedsCents };
}

/** The order fields that determine its liquidation price. */
export type Pledged = Pick<
  Order,
  "direction" | "terms" | "filledLots" | "closedLots" | "lotShares" | "loanCents" | "interestCents" | "collateralCents"
>;

/**
 * The price at which a leveraged position's equity falls to the maintenance level of its terms and the broker closes it; null where
 * it never does. Equity is value minus debt for a long, and collateral minus value for a short.
 */
export function liquidationPrice(order: Pledged): Price | null {
  const shares = (order.filledLots - order.closedLots) * order.lotShares;
  const { maintenancePerMillion } = order.terms;
  if (maintenancePerMillion === 0 || shares === 0) return null;
  const million = BigInt(MILLION);
  const maintenance = BigInt(maintenancePerMillion);
  // In ten-thousandths per share: loan (or collateral) over shares net of (plus) maintenance; a long rounds up, a short down.
  if (order.direction === "rise") {
    const owed = BigInt(order.loanCents + order.interestCents) * 100n * million;
    const divisor = BigInt(shares) * (million - maintenance);
    return price(Number((owed + divisor - 1n) / divisor));
  }
  return price(Number((BigInt(order.collateralCents - order.interestCents) * 100n * million) / (BigInt(shares) * (million + maintenance))));
}
