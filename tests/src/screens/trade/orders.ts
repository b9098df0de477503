/** Builds complete orders for tests, with overrides. */
import { STOCK_TERMS } from "#tests/support/terms.ts";
import type { Order } from "#contract/order.ts";

const whole = {
  orderNo: "K100000000001",
  requestId: "00000000-0000-4000-8000-000000000001",
  code: "2330",
  status: "holding",
  direction: "rise",
  pricing: "limit",
  price: 10_000_000,
  lots: 2,
  lotShares: 1_000,
  leverage: 1,
  market: "board",
  validity: "rod",
  funding: "cash",
  dayTrade: false,
  terms: STOCK_TERMS,
  trigger: null,
  filledLots: 2,
  closedLots: 0,
  closingLots: 0,
  closePricing: null,
  closePrice: null,
  closeCause: null,
  placedAt: 1_700_000_000_000,
  boughtAt: 1_700_000_001_000,
  soldAt: null,
  lockedUntil: null,
  openAverage: 10_000_000,
  closeAverage: null,
  openCents: 200_000_000,
  openFeeCents: 285_000,
  openTaxCents: 0,
  closeCents: 0,
  closeFeeCents: 0,
  closeTaxCents: 0,
  closingCents: 0,
  closingFeeCents: 0,
  heldCents: 0,
  collateralCents: 0,
  loanCents: 0,
  interestCents: 0,
  dividendCents: 0,
  profitCents: 0,
  version: 2,
};

/** A held order: 2 lots of 2330 at 1,000.00, with the given overrides. */
export function orderOf(but: Partial<Record<keyof Order, unknown>> = {}): Order {
  return { ...whole, ...but } as unknown as Order;
}
