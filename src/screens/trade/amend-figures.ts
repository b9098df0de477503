/** What amending an order changes in money: what it holds, or what its close brings. */
import { needOf } from "#contract/fee.ts";
import type { Kind } from "#contract/instrument.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { priceBound } from "#contract/price-bound.ts";
import type { DayLimits } from "#contract/tick.ts";
import { closingOf } from "#src/screens/ticket/closing.ts";
import { restingOf } from "./resting-order.ts";

/** The resting part as amended; `price` is null at market. */
export interface Amended {
  lots: number;
  price: Price | null;
}

/** What bounds the price of an order without a limit of its own. */
export interface AmendMarket {
  kind: Kind;
  limits: DayLimits | null;
  last: number;
  ask: number;
}

/** In cents; each null while no price is known. */
export interface AmendFigures {
  before: number | null;
  after: number | null;
}

/** What an opening order holds with these lots at this price, as the broker computes it. @returns cents, or null while no price is known */
function heldWith(order: Order, { lots, price: limit }: Amended, { kind, limits, last, ask }: AmendMarket): number | null {
  const { direction, terms, filledLots, lotShares, openCents, openFeeCents, openTaxCents, loanCents, collateralCents, heldCents } = order;
  const rest = lots - filledLots;
  if (rest <= 0) return 0;
  const bound = priceBound(kind, { direction, limit }, limits, [last, ask]);
  if (bound === null) return null;
  const need = needOf(terms, direction, cents(openCents + worth(price(bound), rest * lotShares, order.unitsPerWhole, "up")));
  const own = direction === "rise" ? openCents - loanCents : collateralCents - openCents;
  const held = Math.max(0, need - own - openFeeCents - openTaxCents);
  // Fewer lots alone never hold more.
  return limit === order.price ? Math.min(heldCents, held) : held;
}

/** The figures of an amendment: the money an opening order holds, or what a closing order brings. */
export function amendFigures(order: Order, amended: Amended, market: AmendMarket): AmendFigures {
  if (order.status !== "readyToClose") return { before: order.heldCents, after: heldWith(order, amended, market) };
  const broughtBy = ({ lots, price: each }: Amended): number | null =>
    each === null || lots <= 0 || lots > order.closingLots ? null : closingOf(order, lots, each).proceedsCents;
  return { before: broughtBy(restingOf(order)), after: broughtBy(amended) };
}
