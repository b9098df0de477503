/** A position: everything a member holds of one instrument, side, funding and day-trade mark, made of one or more orders. */
import { cents, priceOf } from "./kernel/money.ts";
import type { Cents, Price } from "./kernel/money.ts";
import type { Order } from "./order.ts";
import { heldOf, openingPart } from "./profit.ts";

/** What the orders of a position have in common. A cash purchase and a day trade of the same stock are two positions. */
export type PositionKey = Pick<Order, "code" | "direction" | "funding" | "dayTrade">;

/** Names a position: `2330:rise:cash`, `2330:fall:margin:day`. Never equal to an order number or a code. */
export function positionId({ code, direction, funding, dayTrade }: PositionKey): string {
  return `${code}:${direction}:${funding}${dayTrade ? ":day" : ""}`;
}

/** The key alone, as a command names a position. */
export const keyOf = ({ code, direction, funding, dayTrade }: PositionKey): PositionKey => ({ code, direction, funding, dayTrade });

export interface Position extends PositionKey {
  /** `positionId` of its key. */
  id: string;
  /** The orders that hold it, oldest first. */
  orders: readonly Order[];
  /** Open shares of all its orders, board lots and single shares together. */
  shares: number;
  /** Those of orders without a close order at work. Some of them may still be in their lock-up. */
  closableShares: number;
  /** Shares in close orders at work. */
  closingShares: number;
  /** How many of `shares` are one whole of what prices are for. */
  unitsPerWhole: number;
  /** Opening value of the open shares, without costs: the exact sum over the orders. */
  openCents: Cents;
  /** Average opening price, rounded to a ten-thousandth. */
  averagePrice: Price;
}

/** Open shares of an order. */
export const openSharesOf = (order: Pick<Order, "filledLots" | "closedLots" | "lotShares">): number =>
  (order.filledLots - order.closedLots) * order.lotShares;

/** The order in which a position is closed: first in, first out. */
export const oldestFirst = (a: Pick<Order, "placedAt" | "orderNo">, b: Pick<Order, "placedAt" | "orderNo">): number =>
  a.placedAt - b.placedAt || (a.orderNo < b.orderNo ? -1 : a.orderNo > b.orderNo ? 1 : 0);

const sum = (orders: readonly Order[], amountOf: (order: Order) => number): number =>
  orders.reduce((total, order) => total + amountOf(order), 0);

function positionOf(id: string, [first, ...rest]: readonly [Order, ...Order[]]): Position {
  const orders = [first, ...rest].toSorted(oldestFirst);
  const shares = sum(orders, openSharesOf);
  const openCents = cents(sum(orders, (order) => openingPart(order.openCents, heldOf(order))));
  const { code, direction, funding, dayTrade } = first;
  return {
    id,
    code,
    direction,
    funding,
    dayTrade,
    orders,
    shares,
    openCents,
    closableShares: sum(orders, (order) => (order.status === "holding" ? openSharesOf(order) : 0)),
    closingShares: sum(orders, (order) => order.closingLots * order.lotShares),
    unitsPerWhole: first.unitsPerWhole ?? 1,
    averagePrice: priceOf(openCents, shares, first.unitsPerWhole),
  };
}

/** Groups the orders that hold something into positions; the position with the newest order comes first. */
export function positionsOf(orders: readonly Order[]): Position[] {
  const groups = new Map<string, [Order, ...Order[]]>();
  for (const order of orders.filter((one) => openSharesOf(one) > 0).toSorted((a, b) => oldestFirst(b, a))) {
    const id = positionId(order);
    const group = groups.get(id);
    if (group) group.push(order);
    else groups.set(id, [order]);
  }
  return [...groups].map(([id, group]) => positionOf(id, group));
}

/** Lots that an order can contribute to a close, in the order's own unit. */
export interface ClosableLots {
  lots: number;
  lotShares: number;
}

/** Whole lots trade on the board, less than one lot in the odd-lot market. */
export const isWholeLots = (shares: number, lotShares: number): boolean => shares % lotShares === 0;

/**
 * Takes shares of a position from orders in the order given: for whole lots of the board (`lotShares`) only whole lots of an order, for
 * less than one lot only single shares.
 * @returns the lots of each order, or null if the orders do not have the shares in that form
 */
export function closingLots(orders: readonly ClosableLots[], shares: number, lotShares: number): number[] | null {
  const whole = isWholeLots(shares, lotShares);
  if (!whole && shares > lotShares) return null;
  let left = shares;
  const taken = orders.map((order) => {
    if (!whole && order.lotShares !== 1) return 0;
    const open = order.lots * order.lotShares;
    const part = Math.min(left, whole ? open - (open % lotShares) : open);
    left -= part;
    return part / order.lotShares;
  });
  return left === 0 ? taken : null;
}
